; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-release-locals %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; What was kept and turns out to be a local may be optimized; what the source calls volatile may not.
define void @f(ptr %p) {
; CHECK-LABEL: @f
; CHECK: store i32 1, ptr %second, align 4{{$}}
; CHECK-NEXT: store volatile i32 2, ptr %second
; CHECK-NEXT: store volatile i32 3, ptr %p, align 4, !vx.plain
  %local = alloca [2 x i32]
  %second = getelementptr i32, ptr %local, i64 1
  store volatile i32 1, ptr %second, !vx.plain !0
  store volatile i32 2, ptr %second
  store volatile i32 3, ptr %p, !vx.plain !0
  ret void
}
!0 = !{}
