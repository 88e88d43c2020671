; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Numbers beyond the type become its nearest one; NaN is 0, or the smallest number where a type has
; 64 bits.
; RUN: %vx_opt -passes=vx-define-conversions %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @int_of_float(
; CHECK-NEXT: %r = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK-NEXT: ret i32 %r
define i32 @int_of_float(float %x) {
  %r = fptosi float %x to i32
  ret i32 %r
}

; CHECK-LABEL: @unsigned_of_double(
; CHECK-NEXT: [[I:%.*]] = call i32 @llvm.fptoui.sat.i32.f64(double %x)
; CHECK-NEXT: [[C:%.*]] = fcmp ord double %x, %x
; CHECK-NEXT: %r = select i1 [[C]], i32 [[I]], i32 -2147483648
; CHECK-NEXT: ret i32 %r
define i32 @unsigned_of_double(double %x) {
  %r = fptoui double %x to i32
  ret i32 %r
}

; CHECK-LABEL: @long_of_half(
; CHECK: call i64 @llvm.fptosi.sat.i64.f16(half %x)
; CHECK: select i1 {{%.*}}, i64 {{%.*}}, i64 -9223372036854775808
define i64 @long_of_half(half %x) {
  %r = fptosi half %x to i64
  ret i64 %r
}

; CHECK-LABEL: @char_of_double(
; CHECK: [[W:%.*]] = select i1 {{%.*}}, i32 {{%.*}}, i32 -2147483648
; CHECK-NEXT: %r = trunc i32 [[W]] to i8
define i8 @char_of_double(double %x) {
  %r = fptosi double %x to i8
  ret i8 %r
}

; CHECK-LABEL: @vector(
; CHECK: [[W:%.*]] = call <2 x i32> @llvm.fptoui.sat.v2i32.v2f32(<2 x float> %x)
; CHECK-NEXT: %r = trunc <2 x i32> [[W]] to <2 x i8>
define <2 x i8> @vector(<2 x float> %x) {
  %r = fptoui <2 x float> %x to <2 x i8>
  ret <2 x i8> %r
}
