; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-guard-waiting-iterations %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-guard-waiting-iterations),default<O3>' %s | FileCheck %s --check-prefix=O3
; The loop of threads that wait for each other is left on an opaque condition; its locals are in memory.
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @iterations(
; CHECK: br i1 %isReady,
; CHECK: %[[HIDDEN:.*]] = call i32 asm sideeffect "", "=r,0"(i32 %{{.*}})
; CHECK-NEXT: %[[AGAIN:.*]] = icmp ne i32 %[[HIDDEN]], 0
; CHECK-NEXT: br i1 %[[AGAIN]], label %iteration, label %end
; Ready or not, an iteration ends at one place.
; O3-LABEL: define void @iterations(
; O3: br i1 %{{.*}}, label %last, label %publish
; O3: publish:
; O3: br label %last
define void @iterations(ptr %ready, ptr %done) "vx-kernel" {
entry:
  %missing = alloca i32
  br label %iteration
iteration:
  store i32 0, ptr %missing
  %v = load volatile i32, ptr %ready
  %isReady = icmp ne i32 %v, 0
  br i1 %isReady, label %publish, label %later
publish:
  store volatile i32 1, ptr %done
  br label %last
later:
  store i32 1, ptr %missing
  br label %last
last:
  %m = load i32, ptr %missing
  %again = icmp ne i32 %m, 0
  br i1 %again, label %iteration, label %end
end:
  ret void
}

; Each iteration changes what the end depends on.
; CHECK-LABEL: define void @counts(
; CHECK-NOT: asm
; CHECK: ret void
define void @counts(ptr %p, i32 %n) "vx-kernel" {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %loop
loop:
  %k = load i32, ptr %i
  %at = getelementptr i32, ptr %p, i32 %k
  %v = load volatile i32, ptr %at
  %next = add i32 %k, 1
  store i32 %next, ptr %i
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %set, label %more
set:
  store volatile i32 0, ptr %at
  br label %more
more:
  %l = load i32, ptr %i
  %less = icmp slt i32 %l, %n
  br i1 %less, label %loop, label %end
end:
  ret void
}
