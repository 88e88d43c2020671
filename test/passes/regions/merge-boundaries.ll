; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Synchronizations between which nothing touches memory become one; with the others go the regions
; that would hold nothing but synchronization and the arithmetic of partitioning.
; RUN: %vx_opt -passes=vx-merge-boundaries %s | FileCheck %s
; RUN: %vx_opt -passes=vx-merge-boundaries,vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A tile of eight threads synchronizes, is split, and the block synchronizes: ranks are computed where they are.
; CHECK-LABEL: @partition(
; CHECK-NEXT: call i32 @__vx_thread_idx_x()
; CHECK-NEXT: store i32 %t, ptr %p
; CHECK-NEXT: %rank = and i32 %t, 7
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: %half = lshr i32 %rank, 2
; CHECK-NEXT: store i32 %half, ptr %p
; CHECK-NEXT: ret void
; REGIONS: regions of partition:
; REGIONS: loops: threads
; REGIONS-NEXT: region 0 -> 1
; REGIONS-NEXT: region 1 after barrier -> end
; BEFORE: regions of partition:
; BEFORE: loops: warps and lanes
; BEFORE-NEXT: region 0 -> 1
; BEFORE-NEXT: region 1 after warp_sync -> 2
; BEFORE-NEXT: region 2 after barrier -> 3
; BEFORE-NEXT: region 3 after warp_sync -> 4
; BEFORE-NEXT: region 4 after barrier -> end
define void @partition(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  store i32 %t, ptr %p
  call void @__vx_warp_sync(i32 255)
  %rank = and i32 %t, 7
  call void @__vx_barrier()
  %half = lshr i32 %rank, 2
  call void @__vx_warp_sync(i32 15)
  call void @__vx_barrier()
  store i32 %half, ptr %p
  ret void
}

; The first goes once the second, of other threads, is gone: nothing is between it and the end then.
; CHECK-LABEL: @chain(
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: ret void
define void @chain(ptr %p) "vx-kernel" {
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 15)
  call void @__vx_warp_sync(i32 240)
  ret void
}

; Nothing is ordered before the beginning and after the end.
; CHECK-LABEL: @ends(
; CHECK-NOT: call void @__vx
; CHECK: store i32 1, ptr %p
; CHECK-NOT: call void @__vx
; CHECK: ret void
define void @ends(ptr %p, i32 %n) "vx-kernel" {
entry:
  call void @__vx_barrier()
  %c = icmp eq i32 %n, 0
  br i1 %c, label %some, label %end
some:
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 -1)
  br label %end
end:
  call void @__vx_barrier()
  ret void
}

; All paths from the first synchronization lead to another one; on one path to the third something is read.
; CHECK-LABEL: @paths(
; CHECK-NOT: @__vx_warp_sync
; CHECK: left:
; CHECK-NEXT: call void @__vx_barrier()
; CHECK: right:
; CHECK-NEXT: load
; CHECK: join:
; CHECK-NEXT: call void @__vx_barrier()
define void @paths(ptr %p, i32 %n) "vx-kernel" {
entry:
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 -1)
  %c = icmp eq i32 %n, 0
  br i1 %c, label %left, label %middle
left:
  call void @__vx_barrier()
  %v = load volatile i32, ptr %p
  br label %join
middle:
  call void @__vx_barrier()
  br label %right
right:
  %w = load volatile i32, ptr %p
  br label %join
join:
  call void @__vx_barrier()
  store i32 2, ptr %p
  ret void
}

; A smaller group does not stand for a larger one, nor for one with other members; a full warp does.
; CHECK-LABEL: @sizes(
; CHECK: store i32 0
; CHECK-NEXT: call void @__vx_warp_sync(i32 3)
; CHECK-NEXT: call void @__vx_warp_sync(i32 12)
; CHECK-NEXT: store i32 1
; CHECK-NEXT: call void @__vx_warp_sync(i32 -1)
; CHECK-NEXT: store i32 2
; CHECK-NEXT: call void @__vx_warp_sync(i32 %m)
; CHECK-NEXT: store i32 3
; CHECK-NEXT: call void @__vx_group_sync(i32 128)
; CHECK-NEXT: store i32 4
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: store i32 5
define void @sizes(ptr %p, i32 %m) "vx-kernel" {
  store i32 0, ptr %p
  call void @__vx_warp_sync(i32 3)
  call void @__vx_warp_sync(i32 12)
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 3)
  call void @__vx_warp_sync(i32 -1)
  call void @__vx_warp_sync(i32 %m)
  store i32 2, ptr %p
  call void @__vx_warp_sync(i32 %m)
  call void @__vx_warp_sync(i32 %m)
  store i32 3, ptr %p
  call void @__vx_group_sync(i32 64)
  call void @__vx_group_sync(i32 128)
  call void @__vx_warp_sync(i32 -1)
  store i32 4, ptr %p
  call void @__vx_barrier()
  call void @__vx_group_sync(i32 64)
  store i32 5, ptr %p
  ret void
}

; A vote orders no memory, and touches none that the synchronization is about: all stay.
; CHECK-LABEL: @votes(
; CHECK: call void @__vx_warp_sync(i32 -1)
; CHECK-NEXT: %v = call i32 @__vx_vote_any
; CHECK-NEXT: call void @__vx_warp_sync(i32 -1)
define void @votes(ptr %p, i32 %n) "vx-kernel" {
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 -1)
  %v = call i32 @__vx_vote_any(i32 -1, i32 %n)
  call void @__vx_warp_sync(i32 -1)
  store i32 %v, ptr %p
  ret void
}

; A loop that only synchronizes: once is enough where memory is touched after it.
; CHECK-LABEL: @loop(
; CHECK: again:
; CHECK-NOT: @__vx_barrier()
; CHECK: end:
; CHECK-NEXT: call void @__vx_barrier()
define void @loop(ptr %p, i32 %n) "vx-kernel" {
entry:
  store i32 1, ptr %p
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %again, label %end
end:
  call void @__vx_barrier()
  store i32 2, ptr %p
  ret void
}

; The caller of a function continues after it.
; CHECK-LABEL: @function(
; CHECK: call void @__vx_warp_sync
define void @function(ptr %p) {
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 -1)
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare void @__vx_warp_sync(i32) convergent
declare void @__vx_group_sync(i32) convergent
declare i32 @__vx_vote_any(i32, i32) convergent

; A fence is not an access: the threads synchronize once around it.
; CHECK-LABEL: @fence(
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: call void @__vx_fence_device()
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: store i32 2, ptr %p
define void @fence(ptr %p) "vx-kernel" {
  store i32 1, ptr %p
  call void @__vx_warp_sync(i32 -1)
  call void @__vx_fence_device()
  call void @__vx_barrier()
  store i32 2, ptr %p
  ret void
}
declare void @__vx_fence_device()
