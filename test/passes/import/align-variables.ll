; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-align-variables %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: @bytes = internal addrspace(3) global [64 x i8] undef, align 16
; CHECK: @five = addrspace(1) global [5 x i8] zeroinitializer, align 4
; CHECK: @floats = addrspace(1) global [3 x float] zeroinitializer, align 8
; CHECK: @wide = addrspace(1) global [3 x float] zeroinitializer, align 128
; CHECK: @dynamic = external addrspace(3) global [0 x i8], align 16
; CHECK: @elsewhere = external addrspace(1) global [64 x i8], align 1
; CHECK: @packed = addrspace(1) global <{ i8, i32 }> zeroinitializer, align 1
; CHECK: @placed = addrspace(1) global [64 x i8] zeroinitializer, section "mine", align 1
@bytes = internal addrspace(3) global [64 x i8] undef, align 1
@five = addrspace(1) global [5 x i8] zeroinitializer, align 1
@floats = addrspace(1) global [3 x float] zeroinitializer, align 4
@wide = addrspace(1) global [3 x float] zeroinitializer, align 128
@dynamic = external addrspace(3) global [0 x i8], align 1
@elsewhere = external addrspace(1) global [64 x i8], align 1
@packed = addrspace(1) global <{ i8, i32 }> zeroinitializer, align 1
@placed = addrspace(1) global [64 x i8] zeroinitializer, section "mine", align 1

; CHECK-LABEL: @locals
; CHECK: %bytes = alloca [40 x i8], align 16
; CHECK: %word = alloca i32, align 4
define void @locals() {
  %bytes = alloca [40 x i8], align 1
  %word = alloca i32, align 4
  ret void
}
