; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls of one kind on different ways from a divergent branch become one; others stay where they are.
; RUN: %vx_opt -passes=vx-merge-meetings %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The operand that differs and the number of the call are phis; each side continues where it was.
; CHECK-LABEL: define void @arms(
; CHECK: meeting:
; CHECK-DAG: %[[V:.*]] = phi i32 [ %a, %{{.*}} ], [ %b, %{{.*}} ]
; CHECK-DAG: %[[CALL:.*]] = phi i32 [ 0, %{{.*}} ], [ 1, %{{.*}} ]
; CHECK: call i32 @__vx_shfl_bfly_32(i32 -1, i32 %[[V]], i32 16, i32 31)
; CHECK-NEXT: switch i32 %[[CALL]],
; CHECK-NOT: call i32 @__vx_shfl
define void @arms(ptr %p, i32 %a, i32 %b) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %then, label %else
then:
  %x = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %a, i32 16, i32 31)
  br label %end
else:
  %y = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %b, i32 16, i32 31)
  %z = add i32 %y, 1
  br label %end
end:
  %r = phi i32 [ %x, %then ], [ %z, %else ]
  store i32 %r, ptr %p
  ret void
}

; The first of one side meets the first of the other, the second the second.
; CHECK-LABEL: define void @in_turn(
; CHECK-COUNT-2: call i32 @__vx_vote_ballot(i32 -1,
; CHECK-NOT: call i32 @__vx_vote_ballot
define void @in_turn(ptr %p) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %then, label %else
then:
  %a = call i32 @__vx_vote_ballot(i32 -1, i32 1)
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 %a)
  br label %end
else:
  %c = call i32 @__vx_vote_ballot(i32 -1, i32 0)
  %d = call i32 @__vx_vote_ballot(i32 -1, i32 %c)
  br label %end
end:
  %r = phi i32 [ %b, %then ], [ %d, %else ]
  store i32 %r, ptr %p
  ret void
}

; Threads of one warp take one side.
; CHECK-LABEL: define void @uniform(
; CHECK-NOT: meeting:
; CHECK: ret void
define void @uniform(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %warp = lshr i32 %t, 5
  %first = icmp eq i32 %warp, 0
  br i1 %first, label %then, label %else
then:
  %a = call i32 @__vx_vote_ballot(i32 -1, i32 1)
  br label %end
else:
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 0)
  br label %end
end:
  %r = phi i32 [ %a, %then ], [ %b, %else ]
  store i32 %r, ptr %p
  ret void
}

; Masks of different threads: constants, what threads find out on their way, and about the branch.
; CHECK-LABEL: define void @masks(
; CHECK-NOT: meeting:
; CHECK: ret void
define void @masks(ptr %p) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 16
  %is.low = zext i1 %low to i32
  %lows = call i32 @__vx_vote_ballot(i32 -1, i32 %is.low)
  br i1 %low, label %then, label %else
then:
  call void @__vx_warp_sync(i32 65535)
  %a = call i32 @__vx_vote_any(i32 %lows, i32 %lane)
  br label %end
else:
  call void @__vx_warp_sync(i32 -65536)
  %others = xor i32 %lows, -1
  %c = call i32 @__vx_vote_any(i32 %others, i32 %lane)
  %active = call i32 @__vx_activemask()
  %b = call i32 @__vx_vote_any(i32 %active, i32 %c)
  br label %end
end:
  %r = phi i32 [ %a, %then ], [ %b, %else ]
  store i32 %r, ptr %p
  ret void
}

; Threads that go past the first call may meet those at it where they come to the second.
; CHECK-LABEL: define void @after_the_join(
; CHECK: meeting:
; CHECK: call i32 @__vx_vote_ballot(i32 -1, {{.*}}) #[[AWAITS:[0-9]+]]
; CHECK-NOT: call i32 @__vx_vote_ballot
define void @after_the_join(ptr %p) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %then, label %join
then:
  %a = call i32 @__vx_vote_ballot(i32 -1, i32 1)
  br label %join
join:
  %high = icmp ugt i32 %lane, 15
  br i1 %high, label %late, label %end
late:
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 %lane)
  store i32 %b, ptr %p
  br label %end
end:
  ret void
}

; A barrier of the block is between: none can be at the first call any more.
; CHECK-LABEL: define void @barrier_between(
; CHECK-NOT: meeting:
; CHECK: ret void
define void @barrier_between(ptr %p) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %then, label %join
then:
  %a = call i32 @__vx_vote_ballot(i32 -1, i32 1)
  br label %join
join:
  call void @__vx_barrier()
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 %lane)
  store i32 %b, ptr %p
  ret void
}

; Threads of a block meet at a barrier on both sides, whether or not threads of a warp take different ones.
; CHECK-LABEL: define void @barriers(
; CHECK: meeting:
; CHECK-NEXT: %[[CALL:.*]] = phi i32
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: switch i32 %[[CALL]],
; CHECK-NOT: call void @__vx_barrier
define void @barriers(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %first = icmp ult i32 %t, 64
  br i1 %first, label %then, label %else
then:
  store i32 1, ptr %p
  call void @__vx_barrier()
  br label %end
else:
  call void @__vx_barrier()
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

define internal i32 @sum(i32 %v) {
  %s = call i32 @__vx_reduce_add_i32(i32 -1, i32 %v, i32 32)
  ret i32 %s
}

; The function is inlined at both calls.
; CHECK-LABEL: define void @functions(
; CHECK-NOT: call i32 @sum
; CHECK: meeting:
; CHECK: call i32 @__vx_reduce_add_i32(i32 -1,
; CHECK-NOT: call i32 @__vx_reduce_add_i32
define void @functions(ptr %p) "vx-kernel" {
  %lane = call i32 @__vx_lane_id()
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %then, label %else
then:
  %a = call i32 @sum(i32 %lane)
  br label %end
else:
  %b = call i32 @sum(i32 1)
  br label %end
end:
  %r = phi i32 [ %a, %then ], [ %b, %else ]
  store i32 %r, ptr %p
  ret void
}

; CHECK: attributes #[[AWAITS]] = { {{.*}}"vx-awaits-members"
declare i32 @__vx_lane_id()
declare i32 @__vx_thread_idx_x()
declare i32 @__vx_activemask()
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_reduce_add_i32(i32, i32, i32)
declare void @__vx_warp_sync(i32)
declare void @__vx_barrier()
