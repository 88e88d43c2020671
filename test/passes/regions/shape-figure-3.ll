; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The example of the paper on warp-level features in Vortex (figures 3 and 4): tiles of four threads,
; a vote of each tile, a branch on it that parts tiles, and one in it that parts threads.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Regions: before the vote, the branches, what follows the tile's sync, the shuffle's result. The one
; value that they keep at a time has one element a lane; ranks and masks are computed again.
; REGIONS: regions of figure3:
; REGIONS-NEXT: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after vote_any -> 2{{$}}
; REGIONS-NEXT: region 2 after warp_sync -> 3{{$}}
; REGIONS-NEXT: region 3 after shfl_bfly_32 -> end
; REGIONS-NEXT: %v: array over lanes at 0, i32, into 1{{$}}
; REGIONS-NEXT: %r: array over lanes at 0, i32, into 2 3{{$}}
; REGIONS-NEXT: context: 0 bytes a thread, 16 bytes a lane
; Loops: one over warps, in it one over lanes for each region; the last warp may be partial.
; LOOPS-LABEL: define void @__vx_entry.serial.figure3(
; LOOPS: barrier.region0.warp.i:
; LOOPS: [[LEFT:%.*]] = sub i32 %{{.*}}, %warp.first.i
; LOOPS: %lanes.i = call i32 @llvm.umin.i32(i32 [[LEFT]], i32 32)
; LOOPS: region0.lanes.i:
; LOOPS: icmp ult i32 %lane{{.*}}, %lanes.i
; The vote's predicates are one word for all tiles; each tile looks at its part of those.
; LOOPS: [[VOTES:%.*]] = or i32 %votes
; LOOPS-NOT: define
; LOOPS: region1.lanes.i:
; LOOPS: icmp ult i32 %lane{{.*}}, %lanes.i
; LOOPS: [[FIRST:%first[^ ]*]] = and i32 %lane{{.*}}, 28
; LOOPS: [[TILE:%tile[^ ]*]] = shl i32 15, [[FIRST]]
; LOOPS: [[MEMBERS:%.*]] = and i32 %all.i, [[TILE]]
; LOOPS: [[YES:%.*]] = and i32 %{{.*}}, [[TILE]]
; LOOPS: icmp eq i32 [[YES]], [[MEMBERS]]
; LOOPS: icmp eq i32 [[YES]], 0
; The branches stay as they are, each thread takes its own.
; LOOPS: work.r1.i:
; LOOPS: br i1 %even.r1.i, label %left.r1.i, label %right.r1.i
; LOOPS: region2.lanes.i:
; LOOPS: region3.lanes.i:
; LOOPS: xor i32 %lane{{.*}}, 1
; LOOPS: br label %barrier.region0.warps.i
; Control flow is uniform in each warp: it has the mapping thread-per-lane.
; WARPS: define void @figure3.warps({{.*}} [[A:#[0-9]+]]
; WARPS: attributes [[A]] = {{.*}}"vx-logical-warp"="uniform"
define void @figure3(ptr %data) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %data, i32 %t
  %v = load i32, ptr %at
  %lane = call i32 @__vx_lane_id()
  %first = and i32 %lane, 28
  %tile = shl i32 15, %first
  %big = icmp sgt i32 %v, 10
  %p = zext i1 %big to i32
  %any = call i32 @__vx_vote_any(i32 %tile, i32 %p)
  %taken = icmp ne i32 %any, 0
  br i1 %taken, label %work, label %join
work:
  %rank = and i32 %lane, 1
  %even = icmp eq i32 %rank, 0
  br i1 %even, label %left, label %right
left:
  %triple = mul i32 %v, 3
  %more = add i32 %triple, 1
  br label %join
right:
  %less = sub i32 %v, 7
  br label %join
join:
  %r = phi i32 [ %v, %entry ], [ %more, %left ], [ %less, %right ]
  call void @__vx_warp_sync(i32 %tile)
  %other = call i32 @__vx_shfl_bfly_32(i32 %tile, i32 %r, i32 1, i32 7199)
  %sum = add i32 %r, %other
  store i32 %sum, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_lane_id() memory(none)
declare void @__vx_warp_sync(i32) convergent
declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32) convergent
