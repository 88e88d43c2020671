; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers that no kernel can hold are errors with the user's line.
; RUN: not %vx_opt -passes=vx-inline-boundaries %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: error: a.cu:19:3: a local array without a constant size in a recursive function with a barrier is not supported

define void @kernel(i32 %n) "vx-kernel" {
  call void @direct(i32 %n)
  ret void
}
define internal void @direct(i32 %n) !dbg !4 {
  %local = alloca i32, i32 %n, !dbg !10
  call void @__vx_barrier(), !dbg !11
  call void @direct(i32 %n), !dbg !11
  store i32 1, ptr %local
  ret void
}
declare void @__vx_barrier() convergent

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "direct", file: !1, line: 10, unit: !0, type: !3)
!10 = !DILocation(line: 19, column: 3, scope: !4)
!11 = !DILocation(line: 20, column: 3, scope: !4)
