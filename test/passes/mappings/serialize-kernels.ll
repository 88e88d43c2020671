; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The sw lowering: one hardware thread runs a whole block.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Both lowerings: the kernel stays for the hw mapping. A function with a vote comes into the kernel.
; CHECK-LABEL: define void @both(
; CHECK: call i32 @helper
define void @both(ptr %p) "vx-kernel" "vx-lower"="auto" {
  %t = call i32 @__vx_thread_idx_x()
  %r = call i32 @helper(i32 %t)
  store i32 %r, ptr %p
  ret void
}
define internal i32 @helper(i32 %v) noinline {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  ret i32 %r
}

; CHECK-LABEL: define void @__vx_entry.serial.both(
; CHECK-NOT: @helper
; CHECK: region1.lanes
; CHECK-NOT: @helper

; Barriers only: one loop over the block for each region, and no barrier instruction. Memory stays ordered
; between them.
; CHECK-LABEL: define void @__vx_entry.serial.barrier(
; CHECK: region0.threads
; CHECK: icmp ult i32 %thread{{.*}}, %{{.*}}
; CHECK: region0.done{{.*}}:
; CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
; CHECK: region1.threads
; CHECK-NOT: .insn r 0x0B, 4
define void @barrier(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  call void @__vx_barrier()
  store i32 %v, ptr %p
  ret void
}

; A vote: a loop over the warps, in it two over the lanes, and one word of predicates between them.
; CHECK-LABEL: define void @__vx_entry.serial.vote(
; CHECK: barrier.region0.warps
; CHECK: region0.lanes
; CHECK: [[VOTES:%votes[^ ]*]] = phi i32
; CHECK: [[BIT:%.*]] = shl i32 {{%.*}}, %lane
; CHECK: or i32 [[VOTES]], [[BIT]]
; CHECK: region1.lanes
define void @vote(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %any = call i32 @__vx_vote_any(i32 -1, i32 %v)
  store i32 %any, ptr %at
  ret void
}

; A shuffle: each lane leaves its value in an array over the lanes of the warp and reads another's;
; a lane that does not take part reads as zero.
; CHECK-LABEL: define void @__vx_entry.serial.shuffle(
; CHECK: region0.lanes
; CHECK: store i32 %v{{.*}}, ptr
; CHECK: region1.lanes
; CHECK: [[SOURCE:%.*]] = xor i32 %lane{{.*}}, 1
; CHECK: load i32, ptr
; CHECK: select i1 {{%.*}}, i32 {{%.*}}, i32 0
define void @shuffle(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 1, i32 31)
  store i32 %r, ptr %at
  ret void
}

; A reduction of integers over the warp adds to one variable; it keeps no array.
; CHECK-LABEL: define void @__vx_entry.serial.reduce(
; CHECK: region0.lanes
; CHECK: [[SUM:%partial[^ ]*]] = phi i32 [ 0,
; CHECK: add i32 [[SUM]], %v
; CHECK: region1.lanes
; CHECK: store i32 %{{partial|sum|reduced}}
define void @reduce(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %sum = call i32 @__vx_reduce_add_i32(i32 -1, i32 %v, i32 32)
  store i32 %sum, ptr %at
  ret void
}

; A vote that only some threads reach: sets of waiting threads, and rounds over the regions.
; CHECK-LABEL: define void @__vx_entry.serial.branch(
; CHECK: rounds
; CHECK: region1.pre
; CHECK: lshr i32 %{{.*}}, %lane
; CHECK: shl i32 1, %lane
define void @branch(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %c = icmp ult i32 %t, 7
  br i1 %c, label %some, label %end
some:
  %r = call i32 @__vx_vote_all(i32 127, i32 %v)
  store i32 %r, ptr %at
  br label %end
end:
  ret void
}

; In a loop, a region may not overwrite what others still read: it ends after the reading.
; CHECK-LABEL: define void @__vx_entry.serial.loop(
; CHECK: region1.lanes
; CHECK: region2.lanes
define void @loop(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %x = phi i32 [ %v, %entry ], [ %sum, %again ]
  %r = call i32 @__vx_shfl_down_32(i32 -1, i32 %x, i32 %i, i32 31)
  %sum = add i32 %x, %r
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %again, label %end
end:
  store i32 %sum, ptr %at
  ret void
}

; Threads that do not vote in the branch have not ended: they wait where all vote again.
; CHECK-LABEL: define void @__vx_entry.serial.rejoin(
define void @rejoin(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %c = icmp ult i32 %v, 7
  br i1 %c, label %some, label %end
some:
  %r = call i32 @__vx_vote_all(i32 127, i32 %v)
  store i32 %r, ptr %at
  br label %end
end:
  %a = call i32 @__vx_vote_any(i32 -1, i32 %v)
  store i32 %a, ptr %p
  ret void
}

; thread-per-lane: kernels whose control flow around warp functions is uniform in each warp have a copy
; for logical warps; some threads may have ended (those continue to take part in exchanges). A
; kernel with warp functions on both sides of a divergent branch has none.
; WARPS-NOT: @{{sides|rejoin}}.warps
; WARPS: define void @vote.warps({{.*}} [[VOTE:#[0-9]+]] {
; WARPS: define void @branch.warps({{.*}} [[BRANCH:#[0-9]+]] {
; WARPS: warp.end:
; WARPS-NEXT: call i32 @__vx_logical_warp_wait(i32 -1)
; WARPS: br i1 %{{.*}}, label %warp.end, label
; WARPS-NOT: @{{sides|rejoin}}.warps
; WARPS-DAG: attributes [[VOTE]] = {{.*}}"vx-logical-warp"="uniform" {{.*}}"vx-source-name"="vote"
; WARPS-DAG: attributes [[BRANCH]] = {{.*}}"vx-logical-warp"="early-exit" {{.*}}"vx-source-name"="branch"
define void @sides(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %c = icmp ult i32 %t, %n
  br i1 %c, label %some, label %others
some:
  %r = call i32 @__vx_vote_ballot(i32 127, i32 %v)
  store i32 %r, ptr %at
  br label %end
others:
  %s = call i32 @__vx_vote_ballot(i32 -128, i32 %v)
  store i32 %s, ptr %p
  br label %end
end:
  ret void
}

; It is not asked for.
; CHECK-NOT: __vx_entry.serial.hardware
define void @hardware(ptr %p) "vx-kernel" "vx-lower"="hw" {
  store i32 1, ptr %p
  ret void
}

; CHECK-DAG: !{!"name", !"barrier", !"directEntry", ptr @__vx_entry.serial.barrier,
; CHECK-DAG: !{!"name", !"both", !"directEntry", ptr @__vx_entry.serial.both,

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare i32 @__vx_vote_any(i32, i32) convergent
declare i32 @__vx_vote_all(i32, i32) convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32) convergent
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32) convergent
declare i32 @__vx_reduce_add_i32(i32, i32, i32) convergent
