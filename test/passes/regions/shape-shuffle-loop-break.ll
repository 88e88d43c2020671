; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A shuffle in a loop that the warp leaves in the middle: when a vote says so.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The warp iterates and leaves the loop as one: the step's number is one variable of it.
; REGIONS: regions of uniform:
; REGIONS-NEXT: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after shfl_down_32 -> 2{{$}}
; REGIONS-NEXT: region 2 after vote_any -> 1 end
; REGIONS-NEXT: %i: one variable of the warp, into 1 2{{$}}
; REGIONS-NEXT: %x: array over lanes at 0, i32, into 1{{$}}
; REGIONS-NEXT: %y: array over lanes at 0, i32, into 2{{$}}
; LOOPS-LABEL: define void @__vx_entry.serial.uniform(
; LOOPS-NOT: rounds
; LOOPS: region1.lanes.i:
; LOOPS: region2.lanes.i:
; The break and the loop's condition, in the region that follows the vote.
; LOOPS: br i1 %{{.*}}, label %end.r2.i, label %latch.r2.i
; LOOPS: br i1 %again.r2.i, label %loop.r2.i, label %end.r2.i
; LOOPS: region2.done.i:
; LOOPS: br i1 %{{.*}}, label %region1.pre.i, label %region2.out.i
; WARPS-DAG: define void @uniform.warps({{.*}} [[UNIFORM:#[0-9]+]]
; WARPS-DAG: attributes [[UNIFORM]] = {{.*}}"vx-logical-warp"="uniform"
define void @uniform(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = phi i32 [ %v, %entry ], [ %y, %latch ]
  %other = call i32 @__vx_shfl_down_32(i32 -1, i32 %x, i32 1, i32 31)
  %y = add i32 %x, %other
  %far = icmp sgt i32 %y, 1000
  %f = zext i1 %far to i32
  %any = call i32 @__vx_vote_any(i32 -1, i32 %f)
  %stop = icmp ne i32 %any, 0
  br i1 %stop, label %end, label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %steps = phi i32 [ %i, %loop ], [ %next, %latch ]
  %r = add i32 %y, %steps
  store i32 %r, ptr %at
  ret void
}
; REGIONS: regions of apart:
; REGIONS-NEXT: loops: warps and lanes, sets of waiting threads
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after shfl_down_32 -> 2{{$}}
; REGIONS-NEXT: region 2 after vote_ballot -> 1 end
; REGIONS-NEXT: %mask: array over lanes at 0, i32, into 1 2{{$}}
; REGIONS-NEXT: %x: array over lanes at 4, i32, into 1{{$}}
; REGIONS-NEXT: %y: array over lanes at 4, i32, into 2{{$}}
; REGIONS-NEXT: %far: array over lanes at 8, i1, into 2{{$}}
; LOOPS-LABEL: define void @__vx_entry.serial.apart(
; LOOPS: rounds.i:
; The masks that threads wait with are kept to find out whose groups are complete.
; LOOPS: call i32 @__vx_pr_ready(ptr
; LOOPS: region1.lane.i:
; LOOPS: region2.lane.i:
; A thread that leaves the loop only ends: the others of its logical warp continue, and synchronize.
; WARPS-DAG: define void @apart.warps({{.*}} [[APART:#[0-9]+]]
; WARPS-DAG: attributes [[APART]] = {{.*}}"vx-logical-warp"="early-exit"
; Each thread leaves on its own: the mask of those that are left is a value of the loop.
define void @apart(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  br label %loop
loop:
  %mask = phi i32 [ -1, %entry ], [ %rest, %latch ]
  %x = phi i32 [ %v, %entry ], [ %y, %latch ]
  %other = call i32 @__vx_shfl_down_32(i32 %mask, i32 %x, i32 1, i32 31)
  %y = add i32 %x, %other
  %far = icmp sle i32 %y, %n
  %f = zext i1 %far to i32
  %rest = call i32 @__vx_vote_ballot(i32 %mask, i32 %f)
  br i1 %far, label %latch, label %end
latch:
  br label %loop
end:
  store i32 %y, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32) convergent
