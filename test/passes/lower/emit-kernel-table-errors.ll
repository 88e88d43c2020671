; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nodes of !vx.kernels that are not of the form of KernelInfo.h are errors, and the others are read.
; RUN: not %vx_opt -passes=vx-emit-kernel-table %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"
define void @entry() {
  ret void
}
!vx.kernels = !{!0, !1, !2, !3, !4, !5, !6, !7, !8}
!0 = !{!"name", !"short", !"directEntry"}
!1 = !{!"positional", ptr @entry, ptr @entry, i64 0}
!2 = !{!"directEntry", ptr @entry, !"chunkedEntry", ptr @entry}
!3 = !{!"name", !"half", !"directEntry", ptr @entry}
!4 = !{!"name", !"erased", !"directEntry", null, !"chunkedEntry", ptr @entry}
!5 = !{!"name", !"k", !"contextByte", i64 8}
!6 = !{!"name", !"k", !"contextBytes", !"8"}
!7 = !{!"name", !"k", !"mapping", !"sideways"}
!8 = !{!"name", !"k", !"params", !{i64 0}}
; CHECK: error: !vx.kernels: a kernel's node is malformed: a name has no value
; CHECK: error: !vx.kernels: a kernel's node is malformed: 'positional' is not a number
; CHECK: error: !vx.kernels: a kernel's node is malformed: it has no name
; CHECK: error: !vx.kernels: a kernel's node is malformed: kernel 'half' lacks an entry
; CHECK: error: !vx.kernels: a kernel's node is malformed: 'directEntry' is not a function
; CHECK: error: !vx.kernels: a kernel's node is malformed: 'contextByte' is not a fact of a kernel (KernelFields.def)
; CHECK: error: !vx.kernels: a kernel's node is malformed: 'contextBytes' is not a number
; CHECK: error: !vx.kernels: a kernel's node is malformed: 'sideways' is not a mapping (Mappings.def)
; CHECK: error: !vx.kernels: a kernel's node is malformed: 'params' is not a list of offsets and sizes
