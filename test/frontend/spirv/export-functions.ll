; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Functions of common IR become OpenCL C's, mangled as the back end knows them.
;
; RUN: %vx_opt -passes=vx-spirv-export-functions %s | FileCheck %s

; Coordinates are size_t there.
; CHECK-LABEL: define void @ids(
; CHECK: [[X:%.*]] = call spir_func i64 @_Z12get_local_idj(i32 0)
; CHECK: trunc i64 [[X]] to i32
; CHECK: call spir_func i64 @_Z12get_group_idj(i32 1)
; CHECK: call spir_func i64 @_Z14get_local_sizej(i32 2)
; CHECK: call spir_func i64 @_Z14get_num_groupsj(i32 0)
; CHECK: call spir_func i32 @_Z22get_sub_group_local_idv()
; CHECK: call spir_func i32 @_Z16get_sub_group_idv()
define void @ids(ptr %out) {
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_block_idx_y()
  %z = call i32 @__vx_block_dim_z()
  %n = call i32 @__vx_grid_dim_x()
  %l = call i32 @__vx_lane_id()
  %w = call i32 @__vx_warp_id()
  %s1 = add i32 %x, %y
  %s2 = add i32 %s1, %z
  %s3 = add i32 %s2, %n
  %s4 = add i32 %s3, %l
  %s5 = add i32 %s4, %w
  store i32 %s5, ptr %out
  ret void
}

; Barriers order all memory; those that vote are a barrier and a function of the work-group.
; CHECK-LABEL: define i32 @barriers(
; CHECK: call spir_func void @_Z18work_group_barrierj(i32 3)
; CHECK: call spir_func void @_Z18work_group_barrierj(i32 3)
; CHECK: call spir_func i32 @_Z14work_group_alli(
; CHECK: call spir_func void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 3, i32 4, i32 2)
define i32 @barriers(i32 %p) {
  call void @__vx_barrier()
  %all = call i32 @__vx_barrier_and(i32 %p)
  call void @__vx_fence_device()
  ret i32 %all
}

; Votes of the whole warp are instructions; those of some lanes are made of ballots.
; CHECK-LABEL: define i32 @votes(
; CHECK: call spir_func i32 @_Z25sub_group_non_uniform_alli(
; CHECK: call spir_func i32 @_Z25sub_group_non_uniform_anyi(
; CHECK: [[BITS:%.*]] = call spir_func <4 x i32> @_Z16sub_group_balloti(
; CHECK: [[WORD:%.*]] = extractelement <4 x i32> [[BITS]], i64 0
; CHECK: and i32 [[WORD]], 255
define i32 @votes(i32 %p) {
  %all = call i32 @__vx_vote_all(i32 -1, i32 %p)
  %any = call i32 @__vx_vote_any(i32 -1, i32 %p)
  %some = call i32 @__vx_vote_any(i32 255, i32 %p)
  %a = add i32 %all, %any
  %b = add i32 %a, %some
  ret i32 %b
}

; A shuffle whose source is outside of its segment gives the own value.
; CHECK-LABEL: define i32 @shuffles(
; CHECK: [[LANE:%.*]] = call spir_func i32 @_Z22get_sub_group_local_idv()
; CHECK: [[OFFSET:%.*]] = and i32 %d, 31
; CHECK: [[SOURCE:%.*]] = add i32 [[LANE]], [[OFFSET]]
; CHECK: [[INSIDE:%.*]] = icmp sle i32 [[SOURCE]],
; CHECK: [[FROM:%.*]] = select i1 [[INSIDE]], i32 [[SOURCE]], i32 [[LANE]]
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij(i32 %v, i32 [[FROM]])
define i32 @shuffles(i32 %v, i32 %d) {
  %r = call i32 @__vx_shfl_down_32(i32 -1, i32 %v, i32 %d, i32 31)
  ret i32 %r
}

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_block_idx_y()
declare i32 @__vx_block_dim_z()
declare i32 @__vx_grid_dim_x()
declare i32 @__vx_lane_id()
declare i32 @__vx_warp_id()
declare void @__vx_barrier()
declare i32 @__vx_barrier_and(i32)
declare void @__vx_fence_device()
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32)
