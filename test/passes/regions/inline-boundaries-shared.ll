; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel has each function once where lanes meet in recursive functions that it calls at many places, or where
; inlining would make far more of them.
; RUN: %vx_opt -passes=vx-inline-boundaries %s -o %t.shared.ll
; RUN: FileCheck %s < %t.shared.ll
; RUN: FileCheck %s --check-prefix=ONCE < %t.shared.ll
; RUN: %python -c "print('declare void @__vx_barrier() convergent\ndefine internal void @f0() {\n  call void @__vx_barrier()\n  ret void\n}'); [print(f'define internal void @f{n}() {{\n  call void @f{n - 1}()\n  call void @f{n - 1}()\n  ret void\n}}') for n in range(1, 41)]; print('define void @doubling() \"vx-kernel\" {\n  call void @f40()\n  ret void\n}')" > %t.ll
; RUN: %vx_opt -passes=vx-inline-boundaries %t.ll | FileCheck %s --check-prefix=DOUBLING
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The stack has a frame of each of 41 functions: a number of 4 bytes, aligned. Nothing can overflow it.
; DOUBLING-LABEL: define void @doubling(
; DOUBLING: alloca [336 x i8], align 8
; DOUBLING-NOT: frames.full
; DOUBLING: call void @__vx_barrier()
; DOUBLING-NOT: call void @{{f|__vx}}
; DOUBLING: ret void

; CHECK-LABEL: define void @three(
; CHECK-SAME: [[MARKED:#[0-9]+]] !dbg [[KERNEL:![0-9]+]]
; CHECK-DAG: mul i32 %{{.*}}, 7, !dbg [[IN_NEST:![0-9]+]]
; CHECK-DAG: store volatile i32 {{.*}}!dbg [[IN_KERNEL:![0-9]+]]
; CHECK-LABEL: define internal i32 @nest(
; ONCE-LABEL: define void @three(
; ONCE: mul i32
; ONCE-NOT: mul i32
; ONCE-LABEL: define internal i32 @nest(
define void @three(i32 %n, ptr %out) "vx-kernel" !dbg !4 {
  %a = call i32 @nest(i32 %n), !dbg !10
  %b = call i32 @nest(i32 %a), !dbg !10
  %c = call i32 @nest(i32 %b), !dbg !10
  store volatile i32 %c, ptr %out, !dbg !10
  ret void, !dbg !10
}
define internal i32 @nest(i32 %n) !dbg !5 {
  %v = call i32 @__vx_vote_ballot(i32 -1, i32 %n), !dbg !11
  %m = mul i32 %v, 7, !dbg !11
  %zero = icmp eq i32 %m, 0, !dbg !11
  br i1 %zero, label %end, label %more, !dbg !11
more:
  %r = call i32 @nest(i32 %m), !dbg !11
  ret i32 %r, !dbg !11
end:
  ret i32 1, !dbg !11
}

; CHECK: attributes [[MARKED]] = { "vx-kernel" "vx-recursive-exchange" }
; CHECK-DAG: [[KERNEL]] = distinct !DISubprogram(name: "three"
; CHECK-DAG: [[NEST:![0-9]+]] = distinct !DISubprogram(name: "nest"
; CHECK-DAG: [[IN_NEST]] = !DILocation(line: 20, column: 3, scope: [[NEST]], inlinedAt: [[AT:![0-9]+]])
; CHECK-DAG: [[AT]] = distinct !DILocation(line: 9, scope: [[KERNEL]])
; CHECK-DAG: [[IN_KERNEL]] = !DILocation(line: 10, column: 3, scope: [[KERNEL]])
declare i32 @__vx_vote_ballot(i32, i32) convergent

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "three", file: !1, line: 9, unit: !0, type: !3)
!5 = distinct !DISubprogram(name: "nest", file: !1, line: 19, unit: !0, type: !3)
!10 = !DILocation(line: 10, column: 3, scope: !4)
!11 = !DILocation(line: 20, column: 3, scope: !5)
