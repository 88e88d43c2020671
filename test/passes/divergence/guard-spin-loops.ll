; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The conditions that leave a loop with a compare-and-swap or an exchange are opaque to the optimizer.
; RUN: %vx_opt -passes='function(vx-guard-spin-loops)' %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-guard-spin-loops),default<O3>' %s | FileCheck --check-prefix=O3 %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @lock(
; CHECK: [[WIDE:%.*]] = zext i1 %stay to i32
; CHECK: [[HIDDEN:%.*]] = call i32 asm sideeffect "", "=r,0"(i32 [[WIDE]])
; CHECK: [[COND:%.*]] = icmp ne i32 [[HIDDEN]], 0
; CHECK: br i1 [[COND]], label %try, label %end
; The test of the lock itself stays in the loop and needs nothing.
; CHECK: br i1 %got, label %critical, label %head
;
; After the optimizer the critical section is still followed by a test that may come round.
; O3-LABEL: @lock(
; O3: phi i32 [ 1, %try ], [ 0, %critical ]
; O3-NEXT: br label %head
; O3: critical:
; O3: store volatile i32
; O3: br label %head.backedge
define void @lock(ptr %lock, ptr %data) {
entry:
  br label %head
head:
  %done = phi i1 [ false, %entry ], [ false, %try ], [ true, %critical ]
  %stay = xor i1 %done, true
  br i1 %stay, label %try, label %end
try:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %critical, label %head
critical:
  %v = load volatile i32, ptr %data
  %v1 = add i32 %v, 1
  store volatile i32 %v1, ptr %data
  %old = atomicrmw xchg ptr %lock, i32 0 monotonic
  br label %head
end:
  ret void
}

; A loop with other atomics is left alone.
; CHECK-LABEL: @count(
; CHECK-NOT: asm
; CHECK: ret void
define void @count(ptr %counter, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  %next = add i32 %i, 1
  %stay = icmp slt i32 %next, %n
  br i1 %stay, label %loop, label %end
end:
  ret void
}
