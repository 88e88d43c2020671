; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is not in canonical form is an error at the boundary's line; vx-print-regions leaves functions in it.
; RUN: not %vx_opt -passes=vx-verify-regions %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %vx_opt -passes=vx-print-regions,vx-verify-regions %S/print-regions.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORM
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; FORM: regions of two_in_a_row
; FORM-NOT: error
; FORM: error: {{.*}}two_returns{{.*}}there is not exactly one return
; FORM: regions of group
; FORM-NOT: error

; CHECK-NOT: good
; CHECK: error: a.cu:5:3: in function before {{.*}}: not in canonical form: a boundary does not stand alone in its block
; CHECK: error: a.cu:5:3: in function after {{.*}}: not in canonical form: a boundary does not stand alone in its block
; CHECK: error: a.cu:5:3: in function joined {{.*}}: not in canonical form: a boundary is not followed by a block of its own
; CHECK: error: a.cu:4:0: in function returns {{.*}}: not in canonical form: there is not exactly one return
; CHECK-NOT: error

define void @good(ptr %p) "vx-kernel" {
  br label %boundary
boundary:
  call void @__vx_barrier()
  br label %next
next:
  ret void
}
define void @before(ptr %p) "vx-kernel" !dbg !4 {
  store i32 1, ptr %p
  br label %boundary
boundary:
  store i32 1, ptr %p
  call void @__vx_barrier(), !dbg !10
  br label %next
next:
  ret void
}
define void @after(ptr %p) "vx-kernel" !dbg !5 {
  br label %boundary
boundary:
  call void @__vx_barrier(), !dbg !11
  store i32 1, ptr %p
  br label %next
next:
  ret void
}
define void @joined(i1 %c) "vx-kernel" !dbg !6 {
  br i1 %c, label %boundary, label %next
boundary:
  call void @__vx_barrier(), !dbg !12
  br label %next
next:
  ret void
}
define void @returns(i1 %c) "vx-kernel" !dbg !7 {
  br label %boundary
boundary:
  call void @__vx_barrier()
  br label %next
next:
  br i1 %c, label %one, label %two
one:
  ret void
two:
  ret void
}
; Without a boundary there is no form to have.
define void @none(i1 %c) "vx-kernel" {
  br i1 %c, label %one, label %two
one:
  ret void
two:
  ret void
}
declare void @__vx_barrier() convergent

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "before", file: !1, line: 4, scopeLine: 4, unit: !0, type: !3)
!5 = distinct !DISubprogram(name: "after", file: !1, line: 4, scopeLine: 4, unit: !0, type: !3)
!6 = distinct !DISubprogram(name: "joined", file: !1, line: 4, scopeLine: 4, unit: !0, type: !3)
!7 = distinct !DISubprogram(name: "returns", file: !1, line: 4, scopeLine: 4, unit: !0, type: !3)
!10 = !DILocation(line: 5, column: 3, scope: !4)
!11 = !DILocation(line: 5, column: 3, scope: !5)
!12 = !DILocation(line: 5, column: 3, scope: !6)
