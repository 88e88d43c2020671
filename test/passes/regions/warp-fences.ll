; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where all threads of a warp reach a memory fence together, the sw lowering synchronizes them: what
; follows the fence is in a loop of its own.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; One lane releases what all have written. A shuffle from one lane has one value for the warp.
; CHECK-LABEL: define void @__vx_entry.serial.release(
; CHECK: store i32 %{{.*}}, ptr
; CHECK: call void @__vx_fence_device()
; CHECK: .lanes{{.*}}:
; CHECK: atomicrmw and
define void @release(ptr %record) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %record, i32 %x
  %v = load i32, ptr %at
  %one = call i32 @__vx_shfl_idx_32(i32 -1, i32 %v, i32 1, i32 31)
  %some = icmp ne i32 %one, 0
  br i1 %some, label %write, label %end
write:
  store i32 %one, ptr %at
  call void @__vx_fence_device()
  %lane = and i32 %x, 31
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %free, label %end
free:
  %free.old = atomicrmw and ptr %record, i32 255 monotonic
  br label %end
end:
  ret void
}

; A fence of one lane orders what that lane does.
; CHECK-LABEL: define void @__vx_entry.serial.one_lane(
; CHECK: call void @__vx_fence_device()
; CHECK-NOT: .lanes
; CHECK: atomicrmw and
define void @one_lane(ptr %record) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %all = call i32 @__vx_vote_ballot(i32 -1, i32 %x)
  %first = icmp eq i32 %x, 0
  br i1 %first, label %free, label %end
free:
  store i32 %all, ptr %record
  call void @__vx_fence_device()
  %free.old = atomicrmw and ptr %record, i32 255 monotonic
  br label %end
end:
  ret void
}

; The thread that has the lock must not wait for those that want it.
; CHECK-LABEL: define void @__vx_entry.serial.lock(
; CHECK: call void @__vx_fence_device()
; CHECK-NOT: .lanes
; CHECK: atomicrmw xchg
define void @lock(ptr %lock, ptr %count) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %all = call i32 @__vx_vote_ballot(i32 -1, i32 %x)
  br label %wait
wait:
  %r = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %got = extractvalue { i32, i1 } %r, 1
  br i1 %got, label %mine, label %wait
mine:
  store volatile i32 %all, ptr %count
  call void @__vx_fence_device()
  %free = atomicrmw xchg ptr %lock, i32 0 monotonic
  ret void
}

; A tile of eight threads is in lockstep by itself only.
; CHECK-LABEL: define void @__vx_entry.serial.tile(
; CHECK: call void @__vx_fence_device()
; CHECK-NOT: .lanes
; CHECK: atomicrmw and
define void @tile(ptr %record) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %v = call i32 @__vx_shfl_idx_32(i32 -1, i32 %x, i32 1, i32 6175)
  store i32 %v, ptr %record
  call void @__vx_fence_device()
  %free.old = atomicrmw and ptr %record, i32 255 monotonic
  ret void
}
declare i32 @__vx_thread_idx_x()
declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare void @__vx_fence_device()
