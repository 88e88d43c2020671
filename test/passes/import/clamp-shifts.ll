; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Shifts by all bits or more shift all bits out; what is known to be less stays as it is.
; RUN: %vx_opt -passes=vx-clamp-shifts %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @left(
; CHECK-NEXT: [[C:%.*]] = icmp ult i32 %n, 32
; CHECK-NEXT: %r = shl nuw i32 %x, %n
; CHECK-NEXT: [[R:%.*]] = select i1 [[C]], i32 %r, i32 0
; CHECK-NEXT: ret i32 [[R]]
define i32 @left(i32 %x, i32 %n) {
  %r = shl nuw i32 %x, %n
  ret i32 %r
}

; CHECK-LABEL: @right(
; CHECK: [[C:%.*]] = icmp ult i64 %n, 64
; CHECK-NEXT: %r = lshr i64 %x, %n
; CHECK-NEXT: select i1 [[C]], i64 %r, i64 0
define i64 @right(i64 %x, i64 %n) {
  %r = lshr i64 %x, %n
  ret i64 %r
}

; CHECK-LABEL: @signed(
; CHECK: [[C:%.*]] = icmp ult i32 %n, 32
; CHECK-NEXT: [[N:%.*]] = select i1 [[C]], i32 %n, i32 31
; CHECK-NEXT: [[R:%.*]] = ashr i32 %x, [[N]]
; CHECK-NEXT: ret i32 [[R]]
define i32 @signed(i32 %x, i32 %n) {
  %r = ashr i32 %x, %n
  ret i32 %r
}

; CHECK-LABEL: @small(
; CHECK-NEXT: %m = and i32 %n, 31
; CHECK-NEXT: %a = shl i32 %x, %m
; CHECK-NEXT: %b = lshr i32 %a, 7
; CHECK-NEXT: ret i32 %b
define i32 @small(i32 %x, i32 %n) {
  %m = and i32 %n, 31
  %a = shl i32 %x, %m
  %b = lshr i32 %a, 7
  ret i32 %b
}

; CHECK-LABEL: @vector(
; CHECK: [[C:%.*]] = icmp ult <2 x i32> %n, splat (i32 32)
; CHECK: select <2 x i1> [[C]], <2 x i32> %r, <2 x i32> zeroinitializer
define <2 x i32> @vector(<2 x i32> %x, <2 x i32> %n) {
  %r = shl <2 x i32> %x, %n
  ret <2 x i32> %r
}
