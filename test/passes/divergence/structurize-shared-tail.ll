; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Code that both sides of a divergent branch reach before its post-dominator is executed once for each of
; them: as it stands that is right for code that each lane executes by itself, not for a convergent call.
; RUN: %vx_opt -passes=vx-structurize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @alone(
; CHECK-NOT: Flow
; CHECK: ret void
define void @alone(i32 %a, ptr %p) "vx-kernel" {
  %tid = call i32 @__vx_thread_idx_x()
  %t = icmp eq i32 %tid, 0
  br i1 %t, label %in, label %tail
in:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %end, label %tail
tail:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; The tail gets a fork of its own, after the point where both sides are together again.
; CHECK-LABEL: @together(
; CHECK: br i1 %t, label %in, label %[[FLOW:.*]]
; CHECK: in:
; CHECK: br label %[[FLOW]]
; CHECK: [[FLOW]]:
; CHECK: %[[STAYS:.*]] = phi i1
; CHECK: br i1 %[[STAYS]], label %tail, label %end
define void @together(i32 %a, ptr %p) "vx-kernel" {
  %tid = call i32 @__vx_thread_idx_x()
  %t = icmp eq i32 %tid, 0
  br i1 %t, label %in, label %tail
in:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %end, label %tail
tail:
  %v = call i32 @vote(i1 true)
  store i32 %v, ptr %p
  br label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x()
declare i32 @vote(i1) convergent
