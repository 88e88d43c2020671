; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-keep-accesses %s | FileCheck %s
; RUN: sed 's/"vx.forCheckers", i32 1/"vx.forCheckers", i32 0/' %s | %vx_opt -passes=vx-keep-accesses | FileCheck --check-prefix=OFF %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@table = internal constant [4 x i32] zeroinitializer

; Accesses that others can see are kept; those to locals and constants need not be.
define void @f(ptr %p, ptr byval(i64) %v) {
; CHECK-LABEL: @f
; CHECK: load volatile i32, ptr %p, align 4, !vx.plain
; CHECK-NEXT: store volatile i32 1, ptr %p, align 4, !vx.plain
; CHECK-NEXT: store volatile i32 2, ptr %p, align 4{{$}}
; CHECK-NEXT: store atomic i32 3, ptr %p monotonic, align 4{{$}}
; CHECK-NEXT: store i32 4, ptr %local
; CHECK-NEXT: load i64, ptr %v
; CHECK-NEXT: load i32, ptr @table
; OFF-NOT: vx.plain
  %local = alloca i32
  %unused = load i32, ptr %p
  store i32 1, ptr %p
  store volatile i32 2, ptr %p
  store atomic i32 3, ptr %p monotonic, align 4
  store i32 4, ptr %local
  %a = load i64, ptr %v
  %b = load i32, ptr @table
  ret void
}

; A copy that is a vector access for CUDA says so; those of words, and of locals, do not.
define void @vectors(ptr %p, ptr %q) {
; CHECK-LABEL: @vectors
; CHECK-NEXT: %local = alloca
; CHECK-NEXT: slti x0, $0, 6"{{.*}}(i32 16)
; CHECK-NEXT: [[Q:%.*]] = ptrtoint ptr %q to i64
; CHECK-NEXT: slti x0, $0, 31"{{.*}}(i64 [[Q]])
; CHECK-NEXT: slti x0, $0, 6"{{.*}}(i32 8)
; CHECK-NEXT: [[P:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: slti x0, $0, 32"{{.*}}(i64 [[P]])
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: slti x0, $0, 6"{{.*}}(i32 16)
; CHECK-NEXT: ptrtoint ptr %q
; CHECK-NEXT: slti x0, $0, 32"
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: ret
  %local = alloca [4 x i32], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 16 %q, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %q, ptr align 16 %local, i64 16, i1 false)
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.forCheckers", i32 1}
