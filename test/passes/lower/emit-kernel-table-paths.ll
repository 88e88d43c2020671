; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel for warps that keep paths says so (bit 9 of its flags).
; RUN: %vx_opt -passes=vx-emit-kernel-table %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"
define void @direct() {
  ret void
}
!vx.kernels = !{!0}
!0 = !{!"name", !"k", !"directEntry", ptr @direct, !"chunkedEntry", ptr @direct, !"mapping", !"hw", !"uses-barrier", i64 1}
; CHECK: .long 513
!llvm.module.flags = !{!1}
!1 = !{i32 1, !"vx.paths", i32 1}
