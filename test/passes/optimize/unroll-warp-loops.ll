; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Four iterations of a loop with votes or shuffles run in one where all lanes of a warp leave it
; together. Loops with a barrier, or that lanes leave one by one, stay.
; RUN: %vx_opt -passes=vx-unroll-warp-loops,verify %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @votes(
; CHECK: loop.u0:
; CHECK-COUNT-4: call i32 @__vx_vote_any(
; CHECK: br i1 {{%.*}}, label %loop.u0, label %loop.fast.end
; CHECK: {{^}}loop:
; CHECK-COUNT-1: call i32 @__vx_vote_any(
define void @votes(ptr %out, i32 %v, i32 %n) "vx-kernel" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %above = lshr i32 %v, %i
  %any = call i32 @__vx_vote_any(i32 -1, i32 %above)
  %more = add i32 %sum, %any
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  store i32 %more, ptr %out
  ret void
}

; CHECK-LABEL: define void @lanes_leave(
; CHECK-NOT: .u0
define void @lanes_leave(ptr %out, i32 %v) "vx-kernel" {
entry:
  %thread = call i32 @__vx_thread_idx_x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %above = lshr i32 %v, %i
  %any = call i32 @__vx_vote_any(i32 -1, i32 %above)
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %thread
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @waits(
; CHECK-NOT: .u0
define void @waits(ptr %out, i32 %v, i32 %n) "vx-kernel" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %above = lshr i32 %v, %i
  %any = call i32 @__vx_vote_any(i32 -1, i32 %above)
  call void @__vx_barrier()
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_thread_idx_x()
declare void @__vx_barrier() convergent
