; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-keep-accesses %s | FileCheck %s
; RUN: sed 's/"vx.check", i32 1/"vx.check", i32 0/' %s | %vx_opt -passes=vx-keep-accesses | FileCheck --check-prefix=OFF %s
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

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.check", i32 1}
