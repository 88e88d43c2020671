; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-separate-variables %s | FileCheck %s
; RUN: sed 's/"vx.forCheckers", i32 1/"vx.forCheckers", i32 0/' %s | %vx_opt -passes=vx-separate-variables | FileCheck --check-prefix=OFF %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Each variable has a section of its own, with padding on both sides; as much as its alignment asks for.
; CHECK:      @__vx_padding.before.table = internal constant [16 x i8] zeroinitializer, section ".rodata.vx.table", align
; CHECK-NEXT: @table = constant [3 x i32] [i32 1, i32 2, i32 3], section ".rodata.vx.table", align
; CHECK-NEXT: @__vx_padding.behind.table = internal constant [16 x i8] zeroinitializer, section ".rodata.vx.table", align 1
@table = unnamed_addr constant [3 x i32] [i32 1, i32 2, i32 3]
; CHECK-NEXT: @__vx_padding.before.wide = internal global [64 x i8] zeroinitializer, section ".bss.vx.wide", align 64
; CHECK-NEXT: @wide = global [4 x i64] zeroinitializer, section ".bss.vx.wide", align 64
; CHECK-NEXT: @__vx_padding.behind.wide = internal global [16 x i8] zeroinitializer, section ".bss.vx.wide", align 1
@wide = global [4 x i64] zeroinitializer, align 64
; CHECK-NEXT: @__vx_padding.before.local = internal global [16 x i8] c"\CC{{.*}}", section ".data.vx.local", align 4
; CHECK-NEXT: @local = internal global i32 7, section ".data.vx.local", align 4
; CHECK-NEXT: @__vx_padding.behind.local = internal global [16 x i8] c"\CC{{.*}}", section ".data.vx.local", align 1
@local = internal global i32 7

; What is not the program's, or has a place, stays.
; CHECK-NEXT: @.str = private constant [3 x i8] c"ab\00"
; CHECK-NEXT: @placed = global i32 1, section ".mine"
; CHECK-NEXT: @__vx_own = global i32 1
; CHECK-NEXT: @other = external global i32
; CHECK-NEXT: @pointers = constant [1 x ptr] [ptr @local]
@.str = private constant [3 x i8] c"ab\00"
@placed = global i32 1, section ".mine"
@__vx_own = global i32 1
@other = external global i32
@pointers = constant [1 x ptr] [ptr @local]

; OFF-NOT: padding
; OFF-NOT: .vx.

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.forCheckers", i32 1}
