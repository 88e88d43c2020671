; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warp functions in a cycle where lanes wait for each other are called from one header, when the
; lanes that the mask names are there.
; RUN: %vx_opt -passes=vx-await-members %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; One constant mask of all calls: a ballot finds who is there.
; CHECK-LABEL: define void @one_mask(
; CHECK: round:
; CHECK: %[[HERE:.*]] = call i32 @__vx_activemask()
; CHECK: %[[SAME:.*]] = call i32 @__vx_vote_ballot(i32 %[[HERE]],
; CHECK: %[[ANY:.*]] = call i32 @__vx_vote_any(i32 %[[HERE]],
; CHECK: br i1 %{{.*}}, label %round.go, label %round.wait
; CHECK: round.go:
; CHECK-NEXT: switch i32
; CHECK: round.wait:
; CHECK-NEXT: br label %round
define void @one_mask(ptr %p) "vx-kernel" {
entry:
  %lane = call i32 @__vx_lane_id()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %skip = icmp eq i32 %i, %lane
  br i1 %skip, label %latch, label %vote
vote:
  %v = call i32 @__vx_reduce_add_i32(i32 -1, i32 %i, i32 32) #0
  store i32 %v, ptr %p
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Masks or functions differ: lanes that want the same are looked for.
; CHECK-LABEL: define void @two_kinds(
; CHECK: round:
; CHECK: call i32 @__vx_match_any_64(
; CHECK: round.go:
; CHECK-NEXT: switch i32
define void @two_kinds(ptr %p, i32 %mask) "vx-kernel" {
entry:
  %lane = call i32 @__vx_lane_id()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %all = call i32 @__vx_vote_all(i32 -1, i32 %i)
  %skip = icmp eq i32 %i, %lane
  br i1 %skip, label %latch, label %vote
vote:
  %v = call i32 @__vx_reduce_add_i32(i32 %mask, i32 %all, i32 0) #0
  store i32 %v, ptr %p
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

; No call of this one waits.
; CHECK-LABEL: define void @in_step(
; CHECK-NOT: round:
define void @in_step(ptr %p) "vx-kernel" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = call i32 @__vx_vote_all(i32 -1, i32 %i)
  store i32 %v, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i32 @__vx_lane_id()
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_reduce_add_i32(i32, i32, i32)
attributes #0 = { "vx-awaits-members" }
