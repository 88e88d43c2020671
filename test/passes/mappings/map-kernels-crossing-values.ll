; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where values that live across a barrier are kept in the chunked entry.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Uniform: one register. Different in each thread: a slot in the context. An address made of the
; thread's index: computed again.
; CHECK-LABEL: define void @__vx_entry.chunked.kinds(
; CHECK: region0.threads.i:
; CHECK: [[SCALAR:%scalar.*]] = phi i32 [ undef, %body ], [ %uniform.r0.i,
; CHECK: [[T0:%thread.*]] = phi i32
; CHECK: %own.r0.i = load i32, ptr %at.r0.i
; CHECK: [[INDEX:%.*]] = zext i32 [[T0]] to i64
; CHECK: [[OFFSET:%.*]] = mul i64 [[INDEX]], 4
; CHECK: [[SLOT:%.*]] = getelementptr inbounds i8, ptr %context, i64 [[OFFSET]]
; CHECK-NEXT: store i32 %own.r0.i, ptr [[SLOT]]
; CHECK: region0.done.i:
; CHECK: [[UNIFORM:%.*]] = call i32 @llvm.ssa.copy.i32(i32 [[SCALAR]])
; CHECK: region1.thread.i:
; CHECK: [[SLOT1:%.*]] = getelementptr inbounds i8, ptr %context,
; CHECK: [[OWN:%.*]] = load i32, ptr [[SLOT1]]
; CHECK: [[TID:%tid.x.*]] = sub i32
; CHECK: call void @use(i32 [[UNIFORM]], i32 [[OWN]])
; CHECK: [[AT:%.*]] = getelementptr i32, ptr %p, i32 [[TID]]
; CHECK: store i32 1, ptr [[AT]]
define void @kinds(ptr %p, i32 %n) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %uniform = load i32, ptr %p
  %own = load i32, ptr %at
  call void @__vx_barrier()
  call void @use(i32 %uniform, i32 %own)
  store i32 1, ptr %at
  ret void
}

; Through a region that does not touch it, a value stays in its slot.
; CHECK-LABEL: define void @__vx_entry.chunked.three(
; CHECK: store i32 %v.r0.i, ptr
; CHECK: region1.thread.i:
; CHECK-NOT: store i32 %{{.*}}, ptr
; CHECK: store i32 7, ptr
; CHECK-NOT: store i32 %{{.*}}, ptr
; CHECK: region2.thread.i:
; CHECK: [[V:%.*]] = load i32, ptr
; CHECK: call void @use(i32 [[V]], i32 [[V]])
define void @three(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  call void @__vx_barrier()
  store i32 7, ptr %at
  call void @__vx_barrier()
  call void @use(i32 %v, i32 %v)
  ret void
}

; A counter of the block: every thread starts its round from the value before the loop over threads.
; CHECK-LABEL: define void @__vx_entry.chunked.loop(
; CHECK: region1.pre.i:
; CHECK: [[I:%scalar.*]] = phi i32 [ {{.*}}, %region0.done.i ], [ {{.*}}, %region1.done.i ]
; CHECK: region1.thread.i:
; CHECK: call void @use(i32 [[I]], i32 0)
; CHECK: %next.r1.i = add i32 [[I]],
; CHECK: region1.done.i:
; CHECK: [[NEXT:%.*]] = call i32 @llvm.ssa.copy.i32(i32 %next
; CHECK: icmp eq i32 [[NEXT]], 1
define void @loop(ptr %p, i32 %n) "vx-kernel" {
entry:
  %u = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__vx_barrier()
  call void @use(i32 %i, i32 0)
  %next = add i32 %i, %u
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Eight-byte values come first, so that every array is aligned: 8 + 4 bytes make 16 per thread.
; CHECK-LABEL: define void @__vx_entry.chunked.mixed(
; CHECK: region1.thread.i:
; CHECK: load double, ptr
; CHECK: [[ARRAY:%.*]] = mul i64 {{%.*}}, 8
; CHECK: getelementptr inbounds i8, ptr %context, i64 [[ARRAY]]
; CHECK: load i32, ptr
define void @mixed(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %d = load double, ptr %at
  call void @__vx_barrier()
  store double %d, ptr %at
  store i32 %v, ptr %at
  ret void
}

declare void @use(i32, i32)
declare i32 @__vx_thread_idx_x() memory(none) speculatable willreturn nounwind
declare void @__vx_barrier() convergent

; CHECK-DAG: !{!"name", !"kinds", {{.*}}, !"mapping", !"hw", !"contextBytes", i64 16, !"uses-barrier", i64 1,
; CHECK-DAG: !{!"name", !"three", {{.*}}, !"contextBytes", i64 16,
; CHECK-DAG: !{!"name", !"loop", {{.*}}chunked.loop, !"mapping", !"hw", !"uses-barrier",
; CHECK-DAG: !{!"name", !"mixed", {{.*}}, !"contextBytes", i64 16,
