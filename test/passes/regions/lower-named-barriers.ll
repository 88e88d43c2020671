; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A named barrier is a loop that waits for the end of its phase.
; RUN: %vx_opt -passes=vx-lower-named-barriers %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Known operands are not checked, and the block's barrier is another one. Threads that end are those
; of no phase with a count.
; CHECK-LABEL: define i32 @known() #0 {
; CHECK: [[TAIL:%.*]] = call ptr @__vx_shared_tail()
; CHECK: %named.barriers = getelementptr inbounds i8, ptr [[TAIL]], i64 -528
; CHECK: [[WARP:%.*]] = call i32 @__vx_warp_id()
; CHECK: [[BEGUN:%.*]] = call i32 @__vx_named_begin(ptr %named.barriers, i32 [[WARP]], i32 1, i32 64, i32 1, i32 7)
; CHECK: br label %[[WAIT:.*]]
; CHECK: [[WAIT]]:
; CHECK-NEXT: call void @__vx_thread_wait()
; CHECK-NEXT: [[SUM:%.*]] = call i32 @__vx_named_test(ptr %named.barriers, i32 [[WARP]], i32 [[BEGUN]])
; CHECK-NEXT: [[WAITS:%.*]] = icmp eq i32 [[SUM]], -1
; CHECK-NEXT: br i1 [[WAITS]], label %[[WAIT]], label %[[AFTER:.*]]
; CHECK: [[AFTER]]:
; CHECK: call void @__vx_barrier()
; CHECK: call i32 @__vx_named_begin(ptr %named.barriers, i32 [[WARP]], i32 2, i32 96, i32 0, i32 0)
; CHECK: call void @__vx_named_end(ptr %named.barriers, i32 [[WARP]], i32 0)
; CHECK: ret i32 [[SUM]]
define i32 @known() "vx-kernel" {
  %r = call i32 @__vx_named_sync(i32 1, i32 64, i32 7)
  call void @__vx_barrier()
  call void @__vx_named_arrive(i32 2, i32 96)
  ret i32 %r
}

; What is known at run time is checked there. It may be barrier 0, which __syncthreads() is, too.
; CHECK-LABEL: define i32 @unknown(
; CHECK: [[RANGE:%.*]] = icmp uge i32 %id, 16
; CHECK: [[REST:%.*]] = and i32 %n, 31
; CHECK: br i1 {{%.*}}, label %[[BAD:.*]], label %[[GOOD:.*]]
; CHECK: [[BAD]]:
; CHECK-NEXT: call void @__vx_trap()
; CHECK: [[GOOD]]:
; CHECK: call i32 @__vx_named_begin(ptr %named.barriers, i32 {{%.*}}, i32 %id, i32 %n, i32 1, i32 0)
; CHECK-NOT: __vx_barrier
; CHECK: call i32 @__vx_named_begin(ptr %named.barriers, i32 {{%.*}}, i32 0, i32 0, i32 1, i32 0)
; CHECK: [[FALSE:%.*]] = icmp eq i32 %p, 0
; CHECK: [[COUNTS:%.*]] = zext i1 [[FALSE]] to i32
; CHECK: call i32 @__vx_named_begin(ptr %named.barriers, i32 {{%.*}}, i32 0, i32 0, i32 1, i32 [[COUNTS]])
; CHECK: [[COUNT:%.*]] = call i32 @__vx_named_test(
; CHECK: [[ALL:%.*]] = icmp eq i32 [[COUNT]], 0
; CHECK: [[RESULT:%.*]] = zext i1 [[ALL]] to i32
; CHECK: call void @__vx_named_end(ptr %named.barriers, i32 {{%.*}}, i32 16)
; CHECK: ret i32 [[RESULT]]
define i32 @unknown(i32 %id, i32 %n, i32 %p) "vx-kernel" {
  %r = call i32 @__vx_named_sync(i32 %id, i32 %n, i32 0)
  call void @__vx_barrier()
  %a = call i32 @__vx_barrier_and(i32 %p)
  ret i32 %a
}

; Groups of warps in kernels with other waits have barriers of their own.
; CHECK-LABEL: define void @groups(
; CHECK: %named.barriers = getelementptr inbounds i8, ptr {{%.*}}, i64 -784
; CHECK: [[WARP:%.*]] = call i32 @__vx_warp_id()
; CHECK: [[FIRST:%.*]] = and i32 [[WARP]], -4
; CHECK: [[ID:%.*]] = add i32 [[FIRST]], 16
; CHECK: call i32 @__vx_named_begin(ptr %named.barriers, i32 [[WARP]], i32 [[ID]], i32 128, i32 1, i32 0)
define void @groups() "vx-kernel" {
  call void @__vx_thread_wait()
  call void @__vx_group_sync(i32 128)
  ret void
}

; Alone they stay.
; CHECK-LABEL: define void @alone(
; CHECK: call void @__vx_group_sync(i32 128)
define void @alone() "vx-kernel" {
  call void @__vx_group_sync(i32 128)
  ret void
}

; CHECK: attributes #0 = { {{.*}}"vx-named-barriers"="16"

declare i32 @__vx_named_sync(i32, i32, i32) #1
declare void @__vx_named_arrive(i32, i32) #1
declare void @__vx_barrier() #1
declare i32 @__vx_barrier_and(i32) #1
declare void @__vx_thread_wait() #1
declare void @__vx_group_sync(i32) #1
attributes #1 = { convergent }
