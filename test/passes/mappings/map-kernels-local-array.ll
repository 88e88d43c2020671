; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A local array whose contents live across a barrier moves to the context; one that a single region
; uses stays on the stack.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @__vx_entry.chunked.local(
; CHECK: %b.i = alloca [4 x i32]
; CHECK-NOT: alloca
; CHECK: region0.thread.i:
; CHECK: [[OFFSET:%.*]] = mul i64 {{%.*}}, 16
; CHECK: [[A:%.*]] = getelementptr inbounds i8, ptr %context, i64 [[OFFSET]]
; CHECK: %e.r0.i = getelementptr [4 x i32], ptr [[A]], i32 0, i32 %n
; CHECK: %g.r0.i = getelementptr [4 x i32], ptr %b.i, i32 0, i32 %n
; CHECK: region1.thread.i:
; CHECK: [[A1:%.*]] = getelementptr inbounds i8, ptr %context,
; CHECK: %v.r1.i = load i32, ptr [[A1]]
define void @local(ptr %p, i32 %n) "vx-kernel" {
  %a = alloca [4 x i32]
  %b = alloca [4 x i32]
  %e = getelementptr [4 x i32], ptr %a, i32 0, i32 %n
  store i32 %n, ptr %e
  %g = getelementptr [4 x i32], ptr %b, i32 0, i32 %n
  store i32 5, ptr %g
  %w = load i32, ptr %b
  store i32 %w, ptr %p
  call void @__vx_barrier()
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  ret void
}

; One whose address is handed out could be read by anyone later.
; CHECK-LABEL: define void @__vx_entry.chunked.escapes(
; CHECK-NOT: alloca
; CHECK: call void @keep(ptr %{{[0-9]+}})
define void @escapes(ptr %p) "vx-kernel" {
  %a = alloca [2 x i64]
  call void @keep(ptr %a)
  call void @__vx_barrier()
  call void @look()
  ret void
}

; One region, but run again and again: the contents go from round to round.
; CHECK-LABEL: define void @__vx_entry.chunked.rounds(
; CHECK-NOT: alloca
; CHECK: region1.thread.i:
; CHECK: getelementptr inbounds i8, ptr %context,
define void @rounds(i32 %n) "vx-kernel" {
entry:
  %a = alloca [2 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  call void @__vx_barrier()
  %v = load i32, ptr %a
  %w = add i32 %v, 1
  store i32 %w, ptr %a
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %more, label %end
more:
  br label %loop
end:
  ret void
}

declare void @keep(ptr)
declare void @look()

declare void @use(i32, i32)
declare i32 @__vx_thread_idx_x() memory(none) speculatable willreturn nounwind
declare void @__vx_barrier() convergent

; CHECK-DAG: !{!"name", !"local", {{.*}}, !"contextBytes", i64 16, !"uses-barrier", i64 1,
; CHECK-DAG: !{!"name", !"escapes", {{.*}}, !"contextBytes", i64 16,
; CHECK-DAG: !{!"name", !"rounds", {{.*}}, !"contextBytes", i64 16,
