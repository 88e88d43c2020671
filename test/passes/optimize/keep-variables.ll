; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: vx-opt --passes=vx-keep-variables %s | FileCheck %s
; RUN: vx-opt --passes=vx-keep-variables,sroa %s | FileCheck --check-prefix=SROA %s
; RUN: sed 's/emissionKind: FullDebug/emissionKind: LineTablesOnly/' %s | vx-opt --passes=vx-keep-variables | FileCheck --check-prefix=LINES %s

; Accesses stay, and a pass takes the value for anything.
define i32 @scalar(i32 %v) !dbg !4 {
; CHECK-LABEL: define i32 @scalar(
; CHECK:         %x = alloca i32
; CHECK-NEXT:    #dbg_declare(ptr %x, ![[X:[0-9]+]], !DIExpression(),
; CHECK-NEXT:    store volatile i32 %v, ptr %x{{.*}}, !vx.plain
; CHECK-NEXT:    %r = load volatile i32, ptr %x{{.*}}, !vx.plain
; CHECK-NEXT:    ret i32 %r
; SROA-LABEL: define i32 @scalar(
; SROA-NEXT:     %x = alloca i32
; SROA-NEXT:     #dbg_declare(ptr %x
; SROA-NEXT:     store volatile i32 %v, ptr %x
; SROA-NEXT:     [[R:%.*]] = load volatile i32, ptr %x
; SROA-NEXT:     ret i32 [[R]]
; LINES-LABEL: define i32 @scalar(
; LINES-NOT:     volatile
; LINES:       ret i32
  %x = alloca i32, align 4
    #dbg_declare(ptr %x, !9, !DIExpression(), !10)
  store i32 %v, ptr %x, align 4, !dbg !10
  %r = load i32, ptr %x, align 4
  ret i32 %r
}

; Parts of a structure, and copies of it as a whole.
define void @structure(ptr %from) !dbg !11 {
; CHECK-LABEL: define void @structure(
; CHECK:         store volatile i32 7, ptr %second
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %from, i64 8, i1 true)
  %x = alloca { i32, i32 }, align 4
    #dbg_declare(ptr %x, !12, !DIExpression(), !13)
  %second = getelementptr inbounds { i32, i32 }, ptr %x, i32 0, i32 1
  store i32 7, ptr %second, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %from, i64 8, i1 false)
  ret void
}

; Whose address others have, or which is indexed at run time, and a local that has no name.
define i32 @memory(i64 %n) !dbg !14 {
; CHECK-LABEL: define i32 @memory(
; CHECK:         store volatile i32 1, ptr %x
; CHECK:         store volatile i32 2, ptr %e
; CHECK:         store i32 3, ptr %unnamed
; CHECK:         load i32, ptr %unnamed
  %x = alloca i32, align 4
  %unnamed = alloca i32, align 4
  %a = alloca [4 x i32], align 4
    #dbg_declare(ptr %x, !15, !DIExpression(), !17)
    #dbg_declare(ptr %a, !16, !DIExpression(), !17)
  store i32 1, ptr %x, align 4
  call void @use(ptr %x)
  %e = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %n
  store i32 2, ptr %e, align 4
  store i32 3, ptr %unnamed, align 4
  %r = load i32, ptr %unnamed, align 4
  ret i32 %r
}

; A parameter in memory: the function uses a variable with its value.
define i64 @parameter(ptr byval({ i64, i64 }) align 8 %p) !dbg !18 {
; CHECK-LABEL: define i64 @parameter(
; CHECK:         %p.kept = alloca { i64, i64 }
; CHECK:         #dbg_declare(ptr %p.kept
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p.kept, ptr align 8 %p, i64 16, i1 true)
; CHECK:         load volatile i64, ptr %p.kept
    #dbg_declare(ptr %p, !19, !DIExpression(), !20)
  %r = load i64, ptr %p, align 8
  ret i64 %r
}

; A pointer is an integer in memory.
define ptr @pointer(ptr %v) !dbg !21 {
; CHECK-LABEL: define ptr @pointer(
; CHECK:         [[N:%.*]] = ptrtoint ptr %v to i64
; CHECK-NEXT:    store volatile i64 [[N]], ptr %x
; CHECK-NEXT:    [[L:%.*]] = load volatile i64, ptr %x
; CHECK-NEXT:    [[P:%.*]] = inttoptr i64 [[L]] to ptr
; CHECK-NEXT:    ret ptr [[P]]
  %x = alloca ptr, align 8
    #dbg_declare(ptr %x, !22, !DIExpression(), !23)
  store ptr %v, ptr %x, align 8
  %r = load ptr, ptr %x, align 8
  ret ptr %r
}

declare void @use(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "scalar", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 2, type: !8)
!10 = !DILocation(line: 2, scope: !4)
!11 = distinct !DISubprogram(name: "structure", scope: !1, file: !1, line: 4, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocalVariable(name: "x", scope: !11, file: !1, line: 5, type: !8)
!13 = !DILocation(line: 5, scope: !11)
!14 = distinct !DISubprogram(name: "memory", scope: !1, file: !1, line: 7, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocalVariable(name: "x", scope: !14, file: !1, line: 8, type: !8)
!16 = !DILocalVariable(name: "a", scope: !14, file: !1, line: 9, type: !8)
!17 = !DILocation(line: 8, scope: !14)
!18 = distinct !DISubprogram(name: "parameter", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!19 = !DILocalVariable(name: "p", arg: 1, scope: !18, file: !1, line: 11, type: !8)
!20 = !DILocation(line: 11, scope: !18)
!21 = distinct !DISubprogram(name: "pointer", scope: !1, file: !1, line: 13, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!22 = !DILocalVariable(name: "x", scope: !21, file: !1, line: 14, type: !8)
!23 = !DILocation(line: 14, scope: !21)
