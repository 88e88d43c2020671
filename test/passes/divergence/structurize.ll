; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is well-formed already stays as it is, whatever its shape.
; RUN: %vx_opt -passes=vx-structurize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @diamond(
; CHECK: br i1 %c, label %yes, label %no
; CHECK: %v = phi i32 [ 3, %yes ], [ 4, %no ]
define i32 @diamond(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %v = phi i32 [ 3, %yes ], [ 4, %no ]
  ret i32 %v
}

; CHECK-LABEL: @loop_with_one_exit(
; CHECK-NOT: Flow
; CHECK: br i1 %c, label %loop, label %end
; CHECK-NOT: Flow
; CHECK: ret void
define void @loop_with_one_exit(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Uniform branches may cross as they like, also inside a diverged side.
; CHECK-LABEL: @uniform_tangle(
; CHECK-NOT: Flow
; CHECK: ret void
define void @uniform_tangle(i32 %a, i32 %b, ptr %p) "vx-kernel" {
  %tid = call i32 @__vx_thread_idx_x()
  %t = icmp eq i32 %tid, 0
  br i1 %t, label %in, label %end
in:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %one, label %two
one:
  %d = icmp eq i32 %b, 0
  br i1 %d, label %three, label %end
two:
  %e = icmp eq i32 %b, 1
  br i1 %e, label %three, label %end
three:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; Early returns nest: the second fork, inside the first one's side, joins at the same end.
; CHECK-LABEL: @early_return(
; CHECK-NOT: Flow
; CHECK: br i1 %c, label %end, label %on
; CHECK: br i1 %d, label %end, label %more
define void @early_return(i32 %a, i32 %b, ptr %p) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %end, label %on
on:
  store i32 1, ptr %p
  %d = icmp eq i32 %b, 0
  br i1 %d, label %end, label %more
more:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
