; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vote whose mask is the same in all lanes is one value for the warp, so it needs no split in an
; entry or a device function. In a kernel, which stands for a whole block, it is not one value.
; RUN: %vx_opt -passes=vx-annotate-divergence %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @full_mask(
; CHECK: # vx.uniform 0
; CHECK-NOT: vx.split
define void @full_mask(i32 %v, ptr %p) {
  %a = call i32 @__vx_vote_any(i32 -1, i32 %v)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; The mask names the lanes that are here.
; CHECK-LABEL: @active(
; CHECK: # vx.uniform 0
; CHECK-NOT: vx.split
define void @active(i32 %v, ptr %p) {
  %m = call i32 @__vx_activemask()
  %a = call i32 @__vx_vote_ballot(i32 %m, i32 %v)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; All lanes read lane 3 of the warp; within a segment they read different ones.
; CHECK-LABEL: @broadcast(
; CHECK: # vx.uniform 0
; CHECK-NOT: vx.split
define void @broadcast(i32 %v, ptr %p) {
  %a = call i32 @__vx_shfl_idx_32(i32 -1, i32 %v, i32 3, i32 31)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}
; CHECK-LABEL: @segments(
; CHECK: # vx.split 0
define void @segments(i32 %v, ptr %p) {
  %a = call i32 @__vx_shfl_idx_32(i32 -1, i32 %v, i32 3, i32 6175)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; Tiles: each may get another answer.
; CHECK-LABEL: @tiles(
; CHECK: # vx.split 0
define void @tiles(i32 %m, i32 %v, ptr %p) {
  %a = call i32 @__vx_vote_any(i32 %m, i32 %v)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; The mask comes out of a loop that lanes leave at different times.
; CHECK-LABEL: @old_mask(
; CHECK: # vx.pred 0
; CHECK: # vx.split 1
define void @old_mask(i32 %v, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %m = call i32 @__vx_activemask()
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %v
  br i1 %more, label %loop, label %after
after:
  %a = call i32 @__vx_vote_any(i32 %m, i32 %v)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; CHECK-LABEL: @block_scope(
; CHECK: # vx.split 0
define void @block_scope(i32 %v, ptr %p) "vx-kernel" {
  %a = call i32 @__vx_vote_any(i32 -1, i32 %v)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

declare i32 @__vx_activemask()
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32)
