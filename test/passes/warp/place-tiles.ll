; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; How many threads a kernel needs to execute together; votes of tiles are relative to the group.
; RUN: %vx_opt -passes=vx-place-tiles %s | FileCheck %s
; RUN: sed 's/"vx.exactTiles", i32 0/"vx.exactTiles", i32 1/' %s | %vx_opt -passes=vx-place-tiles | FileCheck %s --check-prefix=EXACT
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A tile of four around the thread: the mask of the group's lanes.
; CHECK: define void @tile_of_four({{.*}} [[FOUR:#[0-9]+]] {
; CHECK: [[T:%.*]] = call i64 asm "csrr $0, 0xCC0", "=r"()
; CHECK: [[T32:%.*]] = trunc i64 [[T]] to i32
; CHECK: %tile.first = and i32 [[T32]], 28
; CHECK: %tile.mask = shl i32 15, %tile.first
; CHECK: %any = call i32 @__vx_vote_any(i32 %tile.mask, i32 %v)
; A ballot goes back to the numbers of the warp.
; CHECK: %votes = call i32 @__vx_vote_ballot(i32 %tile.mask{{[0-9]*}}, i32 %v)
; CHECK: [[DOWN:%.*]] = lshr i32 %votes, %tile.first
; CHECK: [[UP:%.*]] = shl i32 [[DOWN]], %first
; CHECK: add i32 %any, [[UP]]
; A group of its own needs no mask.
; EXACT: define void @tile_of_four({{.*}} [[FOUR:#[0-9]+]] {
; EXACT-NOT: asm
; EXACT: call i32 @__vx_vote_any(i32 -1, i32 %v)
; EXACT: %votes = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
; EXACT: [[UP:%.*]] = shl i32 %votes, %first
; EXACT: add i32 %any, [[UP]]
define void @tile_of_four(ptr %p, i32 %v) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %first = and i32 %lane, 28
  %mask = shl i32 15, %first
  %any = call i32 @__vx_vote_any(i32 %mask, i32 %v)
  %votes = call i32 @__vx_vote_ballot(i32 %mask, i32 %v)
  %sum = add i32 %any, %votes
  store i32 %sum, ptr %p
  call void @__vx_warp_sync(i32 %mask)
  ret void
}

; Two sizes: the larger one serves both.
; CHECK: define void @two_sizes({{.*}} [[SIXTEEN:#[0-9]+]] {
; CHECK: and i32 {{%.*}}, 28
; CHECK: and i32 {{%.*}}, 16
; EXACT: define void @two_sizes({{.*}} [[SIXTEEN:#[0-9]+]] {
; EXACT: and i32 {{%.*}}, 28
define void @two_sizes(ptr %p, i32 %v) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %first = and i32 %lane, 28
  %small = shl i32 15, %first
  %half = and i32 %lane, 16
  %large = shl i32 65535, %half
  %a = call i32 @__vx_vote_any(i32 %small, i32 %v)
  %b = call i32 @__vx_vote_all(i32 %large, i32 %v)
  %sum = add i32 %a, %b
  store i32 %sum, ptr %p
  ret void
}

; A mask of which nothing is known, one that is not an aligned segment: the whole warp, as it is.
; CHECK: define void @any_mask({{.*}} [[WHOLE:#[0-9]+]] {
; CHECK: call i32 @__vx_vote_any(i32 %mask, i32 %v)
; CHECK: call i32 @__vx_vote_any(i32 60, i32 %v)
define void @any_mask(ptr %p, i32 %mask, i32 %v) "vx-kernel" {
  %a = call i32 @__vx_vote_any(i32 %mask, i32 %v)
  %b = call i32 @__vx_vote_any(i32 60, i32 %v)
  %sum = add i32 %a, %b
  store i32 %sum, ptr %p
  ret void
}

; A butterfly may read below its segment: its offset counts. A shuffle that is cut off at both ends of
; its segment needs no more than that. What is called counts.
; CHECK: define void @shuffles({{.*}} [[EIGHT:#[0-9]+]] {
define void @shuffles(ptr %p, i32 %v, i32 %lane) "vx-kernel" {
  %a = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 5, i32 31)
  %b = call i32 @__vx_shfl_idx_32(i32 -1, i32 %a, i32 %lane, i32 7199)
  %c = call i32 @down(i32 %b)
  store i32 %c, ptr %p
  ret void
}
define internal i32 @down(i32 %v) {
  %a = call i32 @__vx_shfl_down_32(i32 -1, i32 %v, i32 1, i32 6175)
  ret i32 %a
}
; CHECK: define void @below({{.*}} [[WHOLE]] {
define void @below(ptr %p, i32 %v) "vx-kernel" {
  %a = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 16, i32 7199)
  store i32 %a, ptr %p
  ret void
}

; CHECK: define void @none({{.*}} [[NONE:#[0-9]+]] {
define void @none(ptr %p) "vx-kernel" {
  ret void
}

; The vote of one lane is its own word, and needs no group.
; CHECK: define void @lone({{.*}} [[NONE]] {
; CHECK-NOT: call
; CHECK: [[SAYS:%.*]] = icmp ne i32 %v, 0
; CHECK: [[WORD:%.*]] = zext i1 [[SAYS]] to i32
; CHECK: [[VOTES:%.*]] = shl i32 [[WORD]], %lane
; CHECK: store i32 [[VOTES]], ptr %p
; CHECK: store i32 1, ptr %p
define void @lone(ptr %p, i32 %v, i32 %lane) "vx-kernel" {
  %mask = shl i32 1, %lane
  %votes = call i32 @__vx_vote_ballot(i32 %mask, i32 %v)
  store i32 %votes, ptr %p
  %uni = call i32 @__vx_vote_uni(i32 %mask, i32 %v)
  store i32 %uni, ptr %p
  ret void
}

; Logical warps vote as whole warps, and exchange even with themselves in memory.
; CHECK: define void @logical({{.*}} [[LOGICAL:#[0-9]+]] {
; CHECK: call i32 @__vx_vote_any(i32 15, i32 %v)
define void @logical(ptr %p, i32 %v) "vx-kernel" "vx-logical-warp"="uniform" {
  %any = call i32 @__vx_vote_any(i32 15, i32 %v)
  store i32 %any, ptr %p
  ret void
}
; CHECK: define void @logical_alone({{.*}} [[LOGICALALONE:#[0-9]+]] {
define void @logical_alone(ptr %p, i32 %v) "vx-kernel" "vx-logical-warp"="uniform" {
  %same = call i32 @__vx_shfl_idx_32(i32 -1, i32 %v, i32 0, i32 7936)
  store i32 %same, ptr %p
  ret void
}

; CHECK-DAG: attributes [[LOGICAL]] = { "vx-group-threads"="32" "vx-kernel" "vx-logical-warp"="uniform" }
; CHECK-DAG: attributes [[LOGICALALONE]] = { "vx-group-threads"="4" "vx-kernel" "vx-logical-warp"="uniform" }
; CHECK-DAG: attributes [[FOUR]] = { "vx-group-threads"="4" "vx-kernel" }
; CHECK-DAG: attributes [[SIXTEEN]] = { "vx-group-threads"="16" "vx-kernel" }
; CHECK-DAG: attributes [[WHOLE]] = { "vx-group-threads"="32" "vx-kernel" }
; CHECK-DAG: attributes [[EIGHT]] = { "vx-group-threads"="8" "vx-kernel" }
; CHECK-DAG: attributes [[NONE]] = { "vx-kernel" }
; EXACT-DAG: attributes [[FOUR]] = { "vx-exact-groups" "vx-group-threads"="4" "vx-kernel" }
; EXACT-DAG: attributes [[SIXTEEN]] = { "vx-group-threads"="16" "vx-kernel" }
declare i32 @__vx_lane_id()
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_vote_uni(i32, i32)
declare void @__vx_warp_sync(i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.exactTiles", i32 0}
