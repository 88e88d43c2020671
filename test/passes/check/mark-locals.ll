; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-mark-locals %s | FileCheck %s
; RUN: sed 's/"vx.forCheckers", i32 1/"vx.forCheckers", i32 0/' %s | %vx_opt -passes=vx-mark-locals | FileCheck --check-prefix=OFF %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; An array gets room on both sides; other locals stay as they are.
; CHECK: [[RECORD:@.*]] = private constant { i32, [2 x i8] } { i32 40, [2 x i8] c"a\00" }, align 4
define i32 @f(i64 %i) {
; CHECK-LABEL: @f
; CHECK-NEXT: %a.padded = alloca [72 x i8], align 16
; CHECK-NEXT: %scalar = alloca i32
; CHECK-NEXT: %a = getelementptr inbounds i8, ptr %a.padded, i64 16
; CHECK-NEXT: [[A:%.*]] = ptrtoint ptr %a to i64
; CHECK-NEXT: slti x0, $0, 26"{{.*}}(i64 ptrtoint (ptr [[RECORD]] to i64))
; CHECK-NEXT: slti x0, $0, 23"{{.*}}(i64 [[A]])
; CHECK-NEXT: getelementptr i32, ptr %a, i64 %i
; CHECK: slti x0, $0, 24"{{.*}}(i64 [[A]])
; CHECK-NEXT: ret i32
; OFF: alloca [10 x i32]
; OFF-NOT: slti
  %a = alloca [10 x i32]
  %scalar = alloca i32
  call void @llvm.lifetime.start.p0(ptr %a)
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  call void @llvm.lifetime.end.p0(ptr %a)
  ret i32 %v
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.forCheckers", i32 1}
