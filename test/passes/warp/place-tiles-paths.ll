; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where lanes have paths, they wait for those that the masks of shuffles and synchronizations name: in a group
; of less than a warp, these masks are of its lanes, as those of votes are.
; RUN: %vx_opt -passes=vx-place-tiles %s | FileCheck %s
; RUN: sed 's/"vx.paths", i32 1/"vx.paths", i32 0/' %s | %vx_opt -passes=vx-place-tiles | FileCheck %s --check-prefix=STACK
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A mask of one tile; one that names lanes of several; all.
; CHECK-LABEL: define void @tiles(
; CHECK: [[FIRST:%tile.first.*]] = and i32 {{.*}}, 28
; CHECK: [[MASK:%tile.mask.*]] = shl i32 15, [[FIRST]]
; CHECK: call void @__vx_warp_sync(i32 [[MASK]])
; CHECK: [[OWN:%tile.mask.*]] = shl i32 15,
; CHECK: call i32 @__vx_shfl_bfly_32(i32 [[OWN]], i32 %v, i32 1, i32 7199)
; CHECK: [[LANE:%.*]] = call i32 @__vx_lane_id()
; CHECK: [[BY:%.*]] = sub i32 [[LANE]],
; CHECK: [[GROUP:%.*]] = lshr i32 %any, [[BY]]
; CHECK: call i32 @__vx_shfl_bfly_32(i32 [[GROUP]],
; CHECK: call i32 @__vx_shfl_bfly_32(i32 -1,
; STACK-LABEL: define void @tiles(
; STACK: call i32 @__vx_shfl_bfly_32(i32 %mask, i32 %v,
; STACK: call i32 @__vx_shfl_bfly_32(i32 %any,
define void @tiles(ptr %p, i32 %v, i32 %any) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %first = and i32 %lane, 28
  %mask = shl i32 15, %first
  call void @__vx_warp_sync(i32 %mask)
  %a = call i32 @__vx_shfl_bfly_32(i32 %mask, i32 %v, i32 1, i32 7199)
  %b = call i32 @__vx_shfl_bfly_32(i32 %any, i32 %a, i32 1, i32 7199)
  %c = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %b, i32 1, i32 7199)
  store i32 %c, ptr %p
  ret void
}

declare i32 @__vx_lane_id()
declare void @__vx_warp_sync(i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
!llvm.module.flags = !{!0, !1}
!0 = !{i32 7, !"vx.exactTiles", i32 0}
!1 = !{i32 7, !"vx.paths", i32 1}
