; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block larger than the core: regions in a loop that ask for threadIdx.y read it from a word that the first region keeps
; in the context for each thread, together with threadIdx.x. threadIdx.x alone is worked out in each region.
; RUN: %vx_opt '-passes=vx-map-kernels,vx-stage-clean-up<O3>' %s | FileCheck %s

; CHECK-LABEL: define void @__vx_entry.chunked.plane(
; CHECK: {{^}}region0.thread.i:
; CHECK: [[SHIFTED:%.*]] = shl i32 %tid.y.i, 16
; CHECK-NEXT: [[WORD:%.*]] = or i32 %tid.x.i, [[SHIFTED]]
; CHECK-NEXT: [[KEPT:%.*]] = freeze i32 [[WORD]]
; CHECK: store i32 [[KEPT]], ptr
; CHECK: {{^}}region1.thread.i:
; CHECK-NOT: mul
; CHECK: [[TID:%.*]] = load i32, ptr
; CHECK-DAG: and i32 [[TID]], 65535
; CHECK-DAG: lshr i32 [[TID]], 16
; CHECK-NOT: mul
; CHECK: {{^}}region1.done.i:

; CHECK-LABEL: define void @__vx_entry.chunked.row(
; CHECK: {{^}}region1.thread.i:
; CHECK: mul
; CHECK: {{^}}region1.done.i:

; Once does not pay.
; CHECK-LABEL: define void @__vx_entry.chunked.once(
; CHECK: {{^}}region1.thread.i:
; CHECK: mul
; CHECK: {{^}}body.end:

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_thread_idx_y()
declare void @__vx_barrier()

define void @plane(ptr %p, i32 %n) "vx-kernel" {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__vx_barrier()
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %at = getelementptr [64 x i32], ptr %p, i32 %y, i32 %x
  store i32 %k, ptr %at
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @row(ptr %p, i32 %n) "vx-kernel" {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__vx_barrier()
  %x = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %x
  store i32 %k, ptr %at
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @once(ptr %p) "vx-kernel" {
  call void @__vx_barrier()
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %at = getelementptr [64 x i32], ptr %p, i32 %y, i32 %x
  store i32 1, ptr %at
  ret void
}
