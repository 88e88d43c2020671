; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers that no kernel can hold are errors with the user's line.
; RUN: not %vx_opt -passes=vx-inline-boundaries %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-DAG: error: a.cu:20:3: {{.*}}a recursive function with a barrier is not supported
; CHECK-DAG: error: a.cu:{{3[0-9]}}:3: {{.*}}a recursive function with a barrier is not supported
; CHECK-DAG: error: a.cu:40:3: {{.*}}a function with a barrier cannot be called through a pointer

define void @kernel(i32 %n) "vx-kernel" {
  call void @direct(i32 %n)
  call void @first(i32 %n)
  ret void
}
define internal void @direct(i32 %n) !dbg !4 {
  call void @__vx_barrier(), !dbg !10
  call void @direct(i32 %n), !dbg !11
  ret void
}
define internal void @first(i32 %n) !dbg !5 {
  call void @__vx_barrier(), !dbg !12
  call void @second(i32 %n), !dbg !13
  ret void
}
define internal void @second(i32 %n) !dbg !6 {
  call void @first(i32 %n), !dbg !14
  ret void
}
@pointer = global ptr @escapes
define internal void @escapes() !dbg !7 {
  call void @__vx_barrier(), !dbg !15
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
!5 = distinct !DISubprogram(name: "first", file: !1, line: 29, unit: !0, type: !3)
!6 = distinct !DISubprogram(name: "second", file: !1, line: 34, unit: !0, type: !3)
!7 = distinct !DISubprogram(name: "escapes", file: !1, line: 39, unit: !0, type: !3)
!10 = !DILocation(line: 19, column: 3, scope: !4)
!11 = !DILocation(line: 20, column: 3, scope: !4)
!12 = !DILocation(line: 30, column: 3, scope: !5)
!13 = !DILocation(line: 31, column: 3, scope: !5)
!14 = !DILocation(line: 35, column: 3, scope: !6)
!15 = !DILocation(line: 40, column: 3, scope: !7)
