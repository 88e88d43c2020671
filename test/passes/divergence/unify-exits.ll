; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One return, which every block reaches.
; RUN: %vx_opt -passes=vx-unify-exits %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Returns become edges with the value in a phi; after a trap any value will do.
; CHECK-LABEL: @dead(
; CHECK: bad:
; CHECK-NEXT: call void @__vx_trap()
; CHECK-NEXT: br label %unified.exit
; CHECK: unified.exit:
; CHECK-NEXT: [[V:%.*]] = phi i32 [ 10, %early ], [ 20, %late ], [ poison, %bad ]
; CHECK-NEXT: ret i32 [[V]]
define i32 @dead(i32 %n) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %bad, label %good
bad:
  call void @__vx_trap()
  unreachable
good:
  %d = icmp eq i32 %n, 1
  br i1 %d, label %early, label %late
early:
  ret i32 10
late:
  ret i32 20
}

; CHECK-LABEL: @one_return(
; CHECK-NOT: unified.exit
define void @one_return(i32 %n, ptr %p) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %end
yes:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; A branch with two equal ends is none; a block that nothing reaches goes.
; CHECK-LABEL: @no_branch(
; CHECK-NEXT: br label %end
; CHECK-NOT: unreached
define void @no_branch(i1 %c) {
  br i1 %c, label %end, label %end
unreached:
  br label %end
end:
  ret void
}

; A function that only traps still ends.
; CHECK-LABEL: @only_trap(
; CHECK-NEXT: call void @__vx_trap()
; CHECK-NEXT: br label %unified.exit
; CHECK: unified.exit:
; CHECK-NEXT: ret void
define void @only_trap() {
  call void @__vx_trap()
  unreachable
}

declare void @__vx_trap() noreturn
