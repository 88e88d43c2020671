; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; NaN is 0, or the smallest number where a type has 64 bits.
; RUN: %vx_opt -passes=vx-define-conversions %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @int_of_float(
; CHECK-NEXT: %r = fptosi float %x to i32
; CHECK-NEXT: [[C:%.*]] = fcmp ord float %x, %x
; CHECK-NEXT: [[R:%.*]] = select i1 [[C]], i32 %r, i32 0
; CHECK-NEXT: ret i32 [[R]]
define i32 @int_of_float(float %x) {
  %r = fptosi float %x to i32
  ret i32 %r
}

; CHECK-LABEL: @unsigned_of_double(
; CHECK: fcmp ord double %x, %x
; CHECK-NEXT: select i1 {{%.*}}, i32 %r, i32 -2147483648
define i32 @unsigned_of_double(double %x) {
  %r = fptoui double %x to i32
  ret i32 %r
}

; CHECK-LABEL: @long_of_half(
; CHECK: select i1 {{%.*}}, i64 %r, i64 -9223372036854775808
define i64 @long_of_half(half %x) {
  %r = fptosi half %x to i64
  ret i64 %r
}

; CHECK-LABEL: @vector(
; CHECK: select <2 x i1> {{%.*}}, <2 x i8> %r, <2 x i8> zeroinitializer
define <2 x i8> @vector(<2 x float> %x) {
  %r = fptoui <2 x float> %x to <2 x i8>
  ret <2 x i8> %r
}
