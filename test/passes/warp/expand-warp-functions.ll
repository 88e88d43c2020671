; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-expand-warp-functions %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A segment of 2^k lanes: k shuffles and k operations, neighbours first.
define float @segment(i32 %m, float %v) {
; CHECK-LABEL: @segment
; CHECK-NEXT: [[B:%.*]] = bitcast float %v to i32
; CHECK-NEXT: [[S1:%.*]] = call i32 @__vx_shfl_bfly_32(i32 %m, i32 [[B]], i32 1, i32 31)
; CHECK-NEXT: [[F1:%.*]] = bitcast i32 [[S1]] to float
; CHECK-NEXT: [[A1:%.*]] = fadd float %v, [[F1]]
; CHECK: call i32 @__vx_shfl_bfly_32(i32 %m, i32 {{%.*}}, i32 2, i32 31)
; CHECK: call i32 @__vx_shfl_bfly_32(i32 %m, i32 {{%.*}}, i32 4, i32 31)
; CHECK: %r = fadd float
; CHECK-NEXT: ret float %r
  %r = call float @__vx_reduce_add_f32(i32 %m, float %v, i32 8)
  ret float %r
}

; A segment of one lane is the value.
define i64 @alone(i32 %m, i64 %v) {
; CHECK-LABEL: @alone
; CHECK-NEXT: ret i64 %v
  %r = call i64 @__vx_reduce_add_i64(i32 %m, i64 %v, i32 1)
  ret i64 %r
}

; Any mask: a vote decides between the butterfly and pointer jumping.
define i32 @members(i32 %m, i32 %v) {
; CHECK-LABEL: @members
; CHECK: [[W:%.*]] = call i32 @__vx_vote_ballot(i32 -1, i32
; CHECK: %whole.warp = icmp eq i32 [[W]], -1
; CHECK: br i1 %whole.warp
; CHECK-COUNT-5: call i32 @__vx_shfl_bfly_32(i32 -1
; CHECK: [[ALL:%.*]] = call i32 @__vx_vote_ballot(i32 %m, i32 1)
; CHECK: [[LANE:%.*]] = call i32 @__vx_lane_id()
; CHECK: [[UP:%.*]] = shl i32 -2, [[LANE]]
; CHECK: [[ABOVE:%.*]] = and i32 [[ALL]], [[UP]]
; CHECK: [[NEXT:%.*]] = call i32 @llvm.cttz.i32(i32 [[ABOVE]], i1 false)
; CHECK: [[HAS:%.*]] = icmp ult i32 [[NEXT]], 32
; CHECK: [[V:%.*]] = call i32 @__vx_shfl_idx_32(i32 %m, i32 %v, i32 [[NEXT]], i32 31)
; CHECK: [[MIN:%.*]] = call i32 @llvm.umin.i32(i32 %v, i32 [[V]])
; CHECK: select i1 [[HAS]], i32 [[MIN]], i32 %v
; Four more rounds of two, of which the last needs no pointer, and the broadcast.
; CHECK-COUNT-9: call i32 @__vx_shfl_idx_32(i32 %m
; CHECK-NOT: shfl
  %r = call i32 @__vx_reduce_min_u32(i32 %m, i32 %v, i32 0)
  ret i32 %r
}

; A loop over distinct values, of all lanes that are here.
define i32 @any(i32 %m, i64 %v) {
; CHECK-LABEL: @any
; CHECK: [[HERE:%.*]] = call i32 @__vx_activemask()
; CHECK: match:
; CHECK: %todo = phi i32 [ [[HERE]], %0 ], [ [[REST:%.*]], %match ]
; CHECK: [[LEADER:%.*]] = call i32 @llvm.cttz.i32(i32 %todo, i1 true)
; CHECK: [[V:%.*]] = call i64 @__vx_shfl_idx_64(i32 -1, i64 %v, i32 [[LEADER]], i32 31)
; CHECK: [[EQ:%.*]] = icmp eq i64 %v, [[V]]
; CHECK: [[SAME:%.*]] = call i32 @__vx_vote_ballot(i32 -1, i32
; CHECK: [[MINE:%.*]] = and i32 [[SAME]], %m
; CHECK: %r = select i1 [[EQ]], i32 [[MINE]], i32 %found
; CHECK: [[OTHERS:%.*]] = xor i32 [[SAME]], -1
; CHECK: [[REST]] = and i32 %todo, [[OTHERS]]
  %r = call i32 @__vx_match_any_64(i32 %m, i64 %v)
  ret i32 %r
}

define i32 @all(i32 %m, i32 %v) {
; CHECK-LABEL: @all
; CHECK: [[ALL:%.*]] = call i32 @__vx_vote_ballot(i32 %m, i32 1)
; CHECK: [[LEADER:%.*]] = call i32 @llvm.cttz.i32(i32 [[ALL]], i1 false)
; CHECK: [[V:%.*]] = call i32 @__vx_shfl_idx_32(i32 %m, i32 %v, i32 [[LEADER]], i32 31)
; CHECK: icmp eq i32 %v, [[V]]
; CHECK: [[AGREE:%.*]] = call i32 @__vx_vote_all(i32 %m
; CHECK: %r = select i1 {{%.*}}, i32 [[ALL]], i32 0
  %r = call i32 @__vx_match_all_32(i32 %m, i32 %v)
  ret i32 %r
}

; The instruction moves values up in the whole segment: a clamp above its first lane is a comparison.
define i32 @bounded(i32 %m, i32 %v, i32 %b, i32 %c) {
; CHECK-LABEL: @bounded
; CHECK: [[LANE:%.*]] = call i32 @__vx_lane_id()
; CHECK: [[INSIDE:%.*]] = icmp sge i32
; CHECK: [[SEGMENT:%.*]] = and i32 %c, -32
; CHECK-NEXT: [[V:%.*]] = call i32 @__vx_shfl_up_32(i32 %m, i32 %v, i32 %b, i32 [[SEGMENT]])
; CHECK-NEXT: [[R:%.*]] = select i1 [[INSIDE]], i32 [[V]], i32 %v
; CHECK-NEXT: ret i32 [[R]]
  %r = call i32 @__vx_shfl_up_32(i32 %m, i32 %v, i32 %b, i32 %c)
  ret i32 %r
}

; CUDA's: without one.
define i32 @segmented(i32 %m, i32 %v, i32 %b, i32 %w) {
; CHECK-LABEL: @segmented
; CHECK-NEXT: [[SEGMENT:%.*]] = shl i32 %w, 8
; CHECK-NEXT: [[R:%.*]] = call i32 @__vx_shfl_up_32(i32 %m, i32 %v, i32 %b, i32 [[SEGMENT]])
; CHECK-NEXT: ret i32 [[R]]
  %segment = shl i32 %w, 8
  %r = call i32 @__vx_shfl_up_32(i32 %m, i32 %v, i32 %b, i32 %segment)
  ret i32 %r
}

declare i32 @__vx_shfl_up_32(i32, i32, i32, i32)
declare float @__vx_reduce_add_f32(i32, float, i32)
declare i64 @__vx_reduce_add_i64(i32, i64, i32)
declare i32 @__vx_reduce_min_u32(i32, i32, i32)
declare i32 @__vx_match_any_64(i32, i64)
declare i32 @__vx_match_all_32(i32, i32)
