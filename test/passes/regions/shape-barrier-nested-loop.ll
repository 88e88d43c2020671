; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier in a loop in a loop: its trip count is one value for the block, so is what the block does next.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; REGIONS: regions of barriers:
; REGIONS: loops: threads{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after barrier -> 1 end
; REGIONS-NEXT: %i: one variable of the block, into 1{{$}}
; REGIONS-NEXT: %j: one variable of the block, into 1{{$}}
; REGIONS-NEXT: %y: array over threads at 0, i32, into 1{{$}}
; REGIONS-NEXT: context: 16 bytes a thread, 0 bytes a lane
; One loop over the block for each region; whether there is another round is asked once after it.
; LOOPS-LABEL: define void @__vx_entry.serial.barriers(
; LOOPS-NOT: warps
; LOOPS: region1.pre.i:
; LOOPS: %scalar{{.*}} = phi i32 [ 0, %region0.done.i ], [ %scalar.next{{.*}}, %region1.done.i ]
; LOOPS: region0.threads.i:
; LOOPS: icmp ult i32 %thread.i, %{{.*}}
; LOOPS: region1.threads.i:
; LOOPS: br i1 %c.r1.i, label %inner.r1.i, label %latch.r1.i
; LOOPS: br i1 %d.r1.i, label %outer.r1.i, label %end.r1.i
; LOOPS: region1.done.i:
; LOOPS: br i1 %{{.*}}, label %region1.pre.i, label
; LOOPS-NOT: lanes
; LOOPS-LABEL: define void @__vx_entry.serial.mixed(
; WARPS-DAG: define void @barriers.warps({{.*}} [[BARRIERS:#[0-9]+]]
; WARPS-DAG: attributes [[BARRIERS]] = {{.*}}"vx-logical-warp"="uniform"
define void @barriers(ptr %p, i32 %n, i32 %m) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi i32 [ %v, %entry ], [ %y, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %y = phi i32 [ %x, %outer ], [ %z, %inner ]
  store i32 %y, ptr %at
  call void @__vx_barrier()
  %far = xor i32 %t, 33
  %from = getelementptr i32, ptr %p, i32 %far
  %o = load i32, ptr %from
  %z = add i32 %o, %j
  %j.next = add i32 %j, 1
  %c = icmp ult i32 %j.next, %m
  br i1 %c, label %inner, label %latch
latch:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, %n
  br i1 %d, label %outer, label %end
end:
  store i32 %z, ptr %at
  ret void
}
; REGIONS: regions of mixed:
; REGIONS: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after vote_ballot -> 1 2{{$}}
; REGIONS-NEXT: region 2 after barrier -> 1 end
; REGIONS-NEXT: %i: one variable of the block, into 1 2{{$}}
; REGIONS-NEXT: %j: one variable of the warp, into 1{{$}}
; REGIONS-NEXT: %w: array over lanes at 0, i32, into 1{{$}}
; REGIONS-NEXT: %y: array over threads at 0, i32, into 2{{$}}
; LOOPS: barrier.region2.i:
; LOOPS: barrier.region0.warps.i:
; LOOPS: region0.lanes.i:
; LOOPS: region1.lanes.i:
; LOOPS: region1.done.i:
; LOOPS: br i1 %{{.*}}, label %region1.pre.i, label %region1.out.i
; The barrier is the end of a loop over all warps; after it starts the next part.
; LOOPS: barrier.region2.warps.i:
; LOOPS: barrier.region2.done.i:
; LOOPS: br i1 %{{.*}}, label %barrier.region2.i, label
; WARPS-DAG: define void @mixed.warps({{.*}} [[MIXED:#[0-9]+]]
; WARPS-DAG: attributes [[MIXED]] = {{.*}}"vx-logical-warp"="uniform"
; With a vote in the inner loop: parts for the barrier, loops over warps, and in them over lanes.
define void @mixed(ptr %p, i32 %n, i32 %m) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi i32 [ %v, %entry ], [ %y, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %w = phi i32 [ %x, %outer ], [ %y, %inner ]
  %votes = call i32 @__vx_vote_ballot(i32 -1, i32 %w)
  %y = add i32 %w, %votes
  %j.next = add i32 %j, 1
  %c = icmp ult i32 %j.next, %m
  br i1 %c, label %inner, label %latch
latch:
  store i32 %y, ptr %at
  call void @__vx_barrier()
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, %n
  br i1 %d, label %outer, label %end
end:
  store i32 %y, ptr %p
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
