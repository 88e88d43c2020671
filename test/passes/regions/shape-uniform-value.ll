; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is one value for the block, or for the warp, is one variable, whatever lives through how many
; regions; what is cheap to compute again is not kept at all.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; REGIONS: regions of uniform:
; REGIONS: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS: region 4 after barrier -> end
; REGIONS-NEXT: %square: one variable of the block, into 1 2 3 4{{$}}
; REGIONS-NEXT: %votes: one variable of the warp, into 2{{$}}
; REGIONS-NEXT: %some: one variable of the warp, into 3{{$}}
; REGIONS-NEXT: context: 0 bytes a thread, 0 bytes a lane
; Nothing is stored but what the source stores; %at is computed in each region.
; LOOPS-LABEL: define void @__vx_entry.serial.uniform(
; LOOPS-NOT: store
; LOOPS: region2.lanes.i:
; LOOPS: [[AT:%at[^ ]*]] = getelementptr i32, ptr %p, i32 %tid
; LOOPS-NEXT: store i32 %some{{.*}}, ptr [[AT]]
; LOOPS-NOT: store
; LOOPS: region3.lanes.i:
; LOOPS: [[AT3:%at[^ ]*]] = getelementptr i32, ptr %p, i32 %tid
; LOOPS-NEXT: store i32 %more{{.*}}, ptr [[AT3]]
; LOOPS-NOT: store
; LOOPS: region4.lanes.i:
; LOOPS: store i32 %scaled{{.*}}, ptr
; LOOPS-NOT: store
; LOOPS: }
; WARPS: define void @uniform.warps
define void @uniform(ptr %p, ptr %q, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %block = load i32, ptr %q
  %square = mul i32 %block, %block
  %v = load i32, ptr %at
  %votes = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  call void @__vx_warp_sync(i32 -1)
  %some = and i32 %votes, 255
  store i32 %some, ptr %at
  call void @__vx_warp_sync(i32 -1)
  %more = add i32 %some, %square
  store i32 %more, ptr %at
  call void @__vx_barrier()
  %scaled = mul i32 %square, %n
  store i32 %scaled, ptr %at
  ret void
}

; What a warp knows when it comes to a barrier of the block is one word for each warp.
; REGIONS: regions of each_warp:
; REGIONS: loops: warps and lanes{{$}}
; REGIONS: %votes: one variable of each warp, into 2 3{{$}}
; REGIONS-NEXT: context: 0 bytes a thread, 0 bytes a lane
; LOOPS-LABEL: define void @__vx_entry.serial.each_warp(
; LOOPS: barrier.region0.warps.i:
; LOOPS: region1.done.i:
; LOOPS: store i32 %{{.*}}, ptr
; LOOPS: br label %barrier.region0.warps.i
; LOOPS: barrier.region2.warp.i:
; LOOPS: load i32, ptr
; LOOPS: br label %region2.lanes.i
; LOOPS: barrier.region3.warp.i:
; LOOPS: [[OFEACH:%.*]] = load i32, ptr
; LOOPS: br label %region3.lanes.i
; LOOPS: region3.lanes.i:
; LOOPS: store i32 [[OFEACH]], ptr
define void @each_warp(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %votes = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  store i32 %t, ptr %at
  call void @__vx_barrier()
  %o = load i32, ptr %p
  %both = add i32 %o, %votes
  store i32 %both, ptr %at
  call void @__vx_barrier()
  store i32 %votes, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare void @__vx_warp_sync(i32) convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
