; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-locate-headers %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The barrier becomes one of the line that calls __syncthreads_count.
define void @k() !dbg !3 {
; CHECK: call void @__vx_barrier(), !dbg [[AT:![0-9]+]]
; CHECK: [[AT]] = distinct !DILocation(line: 7, column: 3, scope: {{![0-9]+}})
  call void @__vx_barrier(), !dbg !10
  ret void, !dbg !11
}
declare void @__vx_barrier()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/home/user")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 5, unit: !0, type: !4)
!4 = !DISubroutineType(types: !{})
!5 = !DIFile(filename: "include/__clang_cuda_device_functions.h", directory: "/usr/lib")
!7 = distinct !DISubprogram(name: "__syncthreads_count", file: !5, line: 500, unit: !0, type: !4)
!10 = !DILocation(line: 501, column: 1, scope: !7, inlinedAt: !11)
!11 = distinct !DILocation(line: 7, column: 3, scope: !3)
