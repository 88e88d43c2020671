; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-yield-in-waits %s | FileCheck %s
; In loops whose threads wait for each other, an iteration that changes nothing ends in a boundary.
; It is marked: lanes go round together (vx.in.loop), or wait for others of their warp
; (vx.among.lanes).
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@flag = internal addrspace(3) global i32 undef

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_block_dim_x()
declare i32 @__vx_vote_any(i32, i32)
declare void @__vx_barrier()

; On the way that keeps %k, not on the other.
; CHECK-LABEL: define void @merged(
; CHECK: look:
; CHECK: br i1 %isReady, label %work, label %[[IDLE:.*]]
; CHECK: [[IDLE]]:
; CHECK-NEXT: call void @__vx_thread_wait(){{.*}}, !vx.in.loop
; CHECK-NEXT: br label %next
; CHECK: work:
; CHECK-NOT: __vx_thread_wait
; CHECK: ret void
define void @merged(ptr %ready, i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %step = call i32 @__vx_block_dim_x()
  br label %look
look:
  %k = phi i32 [ %t, %entry ], [ %k.next, %next ]
  %at = getelementptr i32, ptr %ready, i32 %k
  %v = load volatile i32, ptr %at
  %isReady = icmp ne i32 %v, 0
  br i1 %isReady, label %work, label %next
work:
  store volatile i32 1, ptr %at
  %k.later = add i32 %k, %step
  br label %next
next:
  %k.next = phi i32 [ %k.later, %work ], [ %k, %look ]
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %look, label %end
end:
  ret void
}

; A loop that only waits, inside of one that does something else: lanes that have left it write.
; CHECK-LABEL: define void @inner(
; CHECK: call void @__vx_thread_wait(){{.*}}, !vx.among.lanes
; CHECK: ret void
define void @inner(ptr %flags, i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  br label %outer
outer:
  %k = phi i32 [ %t, %entry ], [ %k.next, %work ]
  %at = getelementptr i32, ptr %flags, i32 %k
  br label %wait
wait:
  %v = load atomic i32, ptr %at acquire, align 4
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %work, label %wait
work:
  %own = getelementptr i32, ptr %at, i32 1
  store atomic i32 1, ptr %own release, align 4
  %k.next = add i32 %k, 32
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
; Nothing in the kernel writes where it looks.
; CHECK-LABEL: define void @only(
; CHECK-NOT: __vx_thread_wait
; CHECK: ret void
define void @only(ptr %flags) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %flags, i32 %t
  br label %wait
wait:
  %v = load atomic i32, ptr %at acquire, align 4
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %end, label %wait
end:
  ret void
}

; In shared memory they wait for threads of their own block, one thread alone does, too.
; CHECK-LABEL: define void @onlyShared(
; Threads look at different times: what they see is not one value.
; CHECK: %[[SEEN:.*]] = call i32 asm sideeffect "", "=r,0"
; CHECK: %[[LEAVES:.*]] = icmp ne i32 %[[SEEN]], 0
; CHECK: br i1 %[[LEAVES]], label %end, label %[[BACK:.*]]
; CHECK: [[BACK]]:
; CHECK-NEXT: call void @__vx_thread_wait() #
; CHECK-NEXT: br label %wait
; CHECK: ret void
define void @onlyShared() "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %isFirst = icmp eq i32 %t, 0
  br i1 %isFirst, label %wait, label %end
wait:
  %v = load atomic i32, ptr addrspacecast (ptr addrspace(3) @flag to ptr) acquire, align 4
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %end, label %wait
end:
  ret void
}

; Each iteration makes progress.
; CHECK-LABEL: define void @walk(
; CHECK-NOT: __vx_thread_wait
; CHECK: ret void
define void @walk(ptr %a, i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  br label %loop
loop:
  %k = phi i32 [ %t, %entry ], [ %k.next, %loop ]
  %at = getelementptr i32, ptr %a, i32 %k
  %v = load volatile i32, ptr %at
  %stop = icmp eq i32 %v, 0
  %k.next = add i32 %k, 32
  %past = icmp sge i32 %k.next, %n
  %leave = or i1 %stop, %past
  br i1 %leave, label %end, label %loop
end:
  ret void
}

; CHECK-LABEL: define void @turn(
; The next thread comes on when this one has left the loop.
; CHECK: br i1 %isMine, label %end, label %[[BACK:.*]]
; CHECK: [[BACK]]:
; CHECK-NEXT: call void @__vx_thread_wait(){{.*}}, !vx.among.lanes
; CHECK: ret void
define void @turn(ptr %serving) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  br label %wait
wait:
  %v = load volatile i32, ptr %serving
  %isMine = icmp eq i32 %v, %t
  br i1 %isMine, label %end, label %wait
end:
  %next = add i32 %t, 1
  store volatile i32 %next, ptr %serving
  ret void
}

; The loop is left together; but threads of the block that come later have not counted yet.
; CHECK-LABEL: define void @all(
; CHECK: call void @__vx_thread_wait(){{.*}}, !vx.in.loop
; CHECK: ret void
define void @all(ptr %count) "vx-kernel" {
entry:
  %n = call i32 @__vx_block_dim_x()
  %old = atomicrmw add ptr %count, i32 1 monotonic
  br label %wait
wait:
  %v = load volatile i32, ptr %count
  %isDone = icmp sge i32 %v, %n
  br i1 %isDone, label %end, label %wait
end:
  ret void
}

; They have when all meet first.
; CHECK-LABEL: define void @allAfterBarrier(
; CHECK-NOT: __vx_thread_wait
; CHECK: ret void
define void @allAfterBarrier(ptr %count) "vx-kernel" {
entry:
  %n = call i32 @__vx_block_dim_x()
  %old = atomicrmw add ptr %count, i32 1 monotonic
  call void @__vx_barrier()
  br label %wait
wait:
  %v = load volatile i32, ptr %count
  %isDone = icmp sge i32 %v, %n
  br i1 %isDone, label %end, label %wait
end:
  ret void
}

; A lane that has the lock has left the loop.
; CHECK-LABEL: define void @lock(
; CHECK: call void @__vx_thread_wait(){{.*}}, !vx.among.lanes
; CHECK: ret void
define void @lock(ptr %lock) "vx-kernel" {
entry:
  br label %wait
wait:
  %r = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %end, label %wait
end:
  store atomic i32 0, ptr %lock release, align 4
  ret void
}

; It releases it in the loop.
; CHECK-LABEL: define void @lockInside(
; CHECK-NOT: vx.among.lanes
; CHECK: ret void
define void @lockInside(ptr %lock) "vx-kernel" {
entry:
  br label %try
try:
  %r = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %critical, label %next
critical:
  store atomic i32 0, ptr %lock release, align 4
  br label %next
next:
  br i1 %got, label %end, label %try
end:
  ret void
}

; One thread of the block waits for other blocks.
; CHECK-LABEL: define void @one(
; CHECK-NOT: __vx_thread_wait
; CHECK: ret void
define void @one(ptr %flag) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %isFirst = icmp eq i32 %t, 0
  br i1 %isFirst, label %wait, label %end
wait:
  %v = load volatile i32, ptr %flag
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %end, label %wait
end:
  ret void
}

; Unless a thread on the other way from a branch may be meant.
; CHECK-LABEL: define void @oneForAnother(
; CHECK: call void @__vx_thread_wait(){{.*}}, !vx.among.lanes
; CHECK: ret void
define void @oneForAnother(ptr %flag) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %isFirst = icmp eq i32 %t, 0
  br i1 %isFirst, label %wait, label %set
wait:
  %v = load volatile i32, ptr %flag
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %end, label %wait
set:
  store volatile i32 1, ptr %flag
  br label %end
end:
  ret void
}

; Kernels with warp functions keep their mappings.
; CHECK-LABEL: define void @votes(
; CHECK-NOT: __vx_thread_wait
; CHECK: ret void
define void @votes(ptr %flags) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %flags, i32 %t
  br label %wait
wait:
  %v = load volatile i32, ptr %at
  %any = call i32 @__vx_vote_any(i32 %v, i32 -1)
  %isSet = icmp ne i32 %any, 0
  br i1 %isSet, label %end, label %wait
end:
  ret void
}
