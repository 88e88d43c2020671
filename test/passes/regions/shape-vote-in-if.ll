; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vote in a branch that only some threads of a warp take, and one after it of them all.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The branch belongs to region 0, which continues at either boundary: each thread waits where it came to.
; REGIONS: regions of vote_in_if:
; REGIONS-NEXT: loops: warps and lanes, sets of waiting threads
; REGIONS-NEXT: region 0 -> 1 2{{$}}
; REGIONS-NEXT: region 1 after vote_all -> 2{{$}}
; REGIONS-NEXT: region 2 after vote_any -> end
; REGIONS-NEXT: %r: array over lanes at 0, i32, into 2{{$}}
; LOOPS-LABEL: define void @__vx_entry.serial.vote_in_if(
; LOOPS: rounds.i:
; The threads that continue in region 1 were waiting there, and all of the mask's were.
; LOOPS: region0.after.i:
; LOOPS: [[THERE:%.*]] = and i32 255, %alive
; LOOPS: [[NOTHERE:%.*]] = xor i32 %waiting1{{.*}}, -1
; LOOPS: [[MISSING:%.*]] = and i32 [[THERE]], [[NOTHERE]]
; LOOPS: [[COMPLETE:%.*]] = icmp eq i32 [[MISSING]], 0
; LOOPS: [[GO:%.*]] = select i1 [[COMPLETE]], i32 %waiting1{{.*}}, i32 0
; LOOPS: [[SET:%.*]] = select i1 %{{.*}}, i32 %waiting1{{.*}}, i32 [[GO]]
; LOOPS: br i1 %low.r0.i, label %some.r0.i, label %join.r0.i
; LOOPS: region1.lane.i:
; LOOPS: lshr i32 [[SET]], %lane
; LOOPS: region2.lane.i:
; A warp diverges at a vote: there is no mapping thread-per-lane.
; WARPS-NOT: @vote_in_if.warps
; WARPS: define void @whole_warps.warps
define void @vote_in_if(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 8
  br i1 %low, label %some, label %join
some:
  %all = call i32 @__vx_vote_all(i32 255, i32 %v)
  %twice = shl i32 %all, 1
  br label %join
join:
  %r = phi i32 [ %v, %entry ], [ %twice, %some ]
  %any = call i32 @__vx_vote_any(i32 -1, i32 %r)
  %sum = add i32 %any, %r
  store i32 %sum, ptr %at
  ret void
}
; REGIONS: regions of whole_warps:
; REGIONS-NEXT: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after vote_any -> 2 end
; REGIONS-NEXT: region 2 after vote_ballot -> end
; REGIONS-NEXT: %v: array over lanes
; REGIONS-NEXT: context:
; LOOPS-LABEL: define void @__vx_entry.serial.whole_warps(
; LOOPS-NOT: rounds
; What the warp does next is one branch, after its loop.
; LOOPS: region1.done.i:
; LOOPS: br i1 %{{.*}}, label %region2.pre.i, label %region1.out.i
; The same where a whole warp takes the branch or does not.
define void @whole_warps(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %any = call i32 @__vx_vote_any(i32 -1, i32 %v)
  %taken = icmp ne i32 %any, 0
  br i1 %taken, label %some, label %join
some:
  %votes = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  br label %join
join:
  %r = phi i32 [ %n, %entry ], [ %votes, %some ]
  store i32 %r, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_lane_id() memory(none)
declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_vote_all(i32, i32) convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
