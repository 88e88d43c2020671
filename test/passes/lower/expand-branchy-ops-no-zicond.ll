; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without Zicond, integer selects and what is made of them take masks.
; RUN: %vx_opt -passes=vx-expand-branchy-ops %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; An arm without a value is the other one: freezing it would not make it one value in code.
; CHECK-LABEL: @undefined_arm(
; CHECK-NEXT: ret i32 %x
define i32 @undefined_arm(i1 %c, i32 %x) {
  %r = select i1 %c, i32 %x, i32 undef
  ret i32 %r
}

; CHECK-LABEL: @select_int(
; CHECK-DAG: [[X:%.*]] = freeze i32 %x
; CHECK-DAG: [[Y:%.*]] = freeze i32 %y
; CHECK-DAG: [[C:%.*]] = freeze i1 %c
; CHECK: [[MASK:%.*]] = sext i1 [[C]] to i32
; CHECK: [[D:%.*]] = xor i32 [[X]], [[Y]]
; CHECK: [[A:%.*]] = and i32 [[D]], [[MASK]]
; CHECK: xor i32 [[A]], [[Y]]
; CHECK-NOT: select
define i32 @select_int(i1 %c, i32 %x, i32 %y) {
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}

; CHECK-LABEL: @select_pointer(
; CHECK: ptrtoint ptr %x to i64
; CHECK: inttoptr i64 {{.*}} to ptr
; CHECK-NOT: select
define ptr @select_pointer(i1 %c, ptr %x, ptr %y) {
  %r = select i1 %c, ptr %x, ptr %y
  ret ptr %r
}

; CHECK-LABEL: @smax(
; CHECK: icmp sgt i32
; CHECK-NOT: llvm.smax
; CHECK: xor
; CHECK: ret
define i32 @smax(i32 %x, i32 %y) {
  %r = call i32 @llvm.smax.i32(i32 %x, i32 %y)
  ret i32 %r
}

; CHECK-LABEL: @abs(
; CHECK: [[S:%.*]] = ashr i32 %x, 31
; CHECK: [[F:%.*]] = xor i32 %x, [[S]]
; CHECK: sub i32 [[F]], [[S]]
define i32 @abs(i32 %x) {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %r
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.zicond", i32 0}
