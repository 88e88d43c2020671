; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warp functions in a cycle where lanes wait for each other are called from one header, when the
; lanes that the mask names are there. So is what can follow a wait for other lanes.
; RUN: %vx_opt -passes=vx-form-rounds %s | FileCheck %s
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

declare void @__vx_thread_wait()
declare void @__vx_barrier()
declare i32 @__vx_lane_id()
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_reduce_add_i32(i32, i32, i32)
attributes #0 = { "vx-awaits-members" }

; A lane that has found the lock taken comes back to the header; one that has it continues to the
; end in the same round. It waits for the others at the barrier, as at a warp function.
; CHECK-LABEL: define void @lock(
; CHECK-SAME: #[[ROUNDS:[0-9]+]]
; CHECK: br label %[[ENTERS:.*]]
; CHECK: call void @__vx_barrier()
; CHECK: call i32 @__vx_vote_all(
; CHECK: %[[NEVER:.*]] = call i32 asm sideeffect "", "=r,0"(i32 0)
; CHECK: %[[BACK:.*]] = icmp ne i32 %[[NEVER]], 0
; CHECK: br i1 %[[BACK]], label %round.never, label %
; CHECK: round:
; CHECK: call void @__vx_thread_wait()
; CHECK: call i32 @__vx_match_any_64(
; CHECK: br i1 %{{.*}}, label %round.go, label %round.wait
; CHECK: round.go:
; CHECK-NEXT: %[[PLACE:.*]] = call i32 asm sideeffect "", "=r,0"(
; CHECK-NEXT: switch i32 %[[PLACE]]
define void @lock(ptr %lock) "vx-kernel" {
entry:
  br label %try
try:
  %r = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %critical, label %wait
wait:
  call void @__vx_thread_wait(), !vx.among.lanes !0
  br label %try
critical:
  store atomic i32 0, ptr %lock release, align 4
  br label %end
end:
  call void @__vx_barrier()
  %all = call i32 @__vx_vote_all(i32 -1, i32 1)
  ret void
}

; The loop around the one that waits would have two entries: its beginning, and where lanes look
; again. All its turns lead through the header, which has two places.
; CHECK-LABEL: define void @several(
; CHECK: turn: {{.*}} preds = %round.go
; CHECK: try: {{.*}} preds = %round.go, %turn
; CHECK: round.go:
; CHECK: switch i32 %{{.*}}, label %try [
; CHECK-NEXT: i32 0, label %turn
; CHECK-NEXT: ]
define void @several(ptr %locks) "vx-kernel" {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %after, %next ]
  %lock = getelementptr i32, ptr %locks, i32 %i
  br label %try
try:
  %r = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %next, label %wait
wait:
  call void @__vx_thread_wait(), !vx.among.lanes !0, !vx.for.lock !0
  br label %try
next:
  %after = add i32 %i, 1
  %more = icmp ult i32 %after, 8
  br i1 %more, label %turn, label %free
free:
  store atomic i32 0, ptr %locks release, align 4
  ret void
}

; Calls at which lanes wait can follow a wait for a lock: one header serves both.
; CHECK-LABEL: define void @lock_then_call(
; CHECK: {{^round:}}
; CHECK-NOT: {{^round[0-9]+:}}
define void @lock_then_call(ptr %lock) "vx-kernel" {
entry:
  %lane = call i32 @__vx_lane_id()
  br label %try
try:
  %r = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %critical, label %wait
wait:
  call void @__vx_thread_wait(), !vx.among.lanes !0
  br label %try
critical:
  store atomic i32 0, ptr %lock release, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %critical ], [ %next, %latch ]
  %skip = icmp eq i32 %i, %lane
  br i1 %skip, label %latch, label %vote
vote:
  %v = call i32 @__vx_reduce_add_i32(i32 -1, i32 %i, i32 32) #0
  store i32 %v, ptr %lock
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Lanes wait together: nothing is to be done.
; CHECK-LABEL: define void @together(
; CHECK-NOT: round:
; CHECK: ret void
define void @together(ptr %ready) "vx-kernel" {
entry:
  br label %look
look:
  %v = load volatile i32, ptr %ready
  %isReady = icmp ne i32 %v, 0
  br i1 %isReady, label %end, label %wait
wait:
  call void @__vx_thread_wait(), !vx.in.loop !0
  br label %look
end:
  ret void
}

; CHECK: attributes #[[ROUNDS]] = { "vx-kernel" "vx-rounds" }
!0 = !{}
