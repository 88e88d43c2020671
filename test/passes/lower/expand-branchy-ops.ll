; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations that code generation would turn into branches become straight-line code.
; RUN: %vx_opt -passes=vx-expand-branchy-ops %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; With Zicond an integer select is two instructions: it stays.
; CHECK-LABEL: @select_int(
; CHECK-NEXT: select i1 %c, i32 %x, i32 %y
define i32 @select_int(i1 %c, i32 %x, i32 %y) {
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}

; A float is selected as its bits.
; CHECK-LABEL: @select_float(
; CHECK-DAG: [[X:%.*]] = bitcast float %x to i32
; CHECK-DAG: [[Y:%.*]] = bitcast float %y to i32
; CHECK: [[B:%.*]] = select i1 %c, i32 [[X]], i32 [[Y]]
; CHECK: %r = bitcast i32 [[B]] to float
; CHECK: ret float %r
define float @select_float(i1 %c, float %x, float %y) {
  %r = select i1 %c, float %x, float %y
  ret float %r
}

; Truth values are and/or; the arm that is not chosen may be poison.
; CHECK-LABEL: @select_truth(
; CHECK-DAG: [[X:%.*]] = freeze i1 {{%.*}}
; CHECK-DAG: [[A:%.*]] = and i1 %c, [[X]]
; CHECK-DAG: [[Y:%.*]] = freeze i1 {{%.*}}
; CHECK-DAG: [[B:%.*]] = and i1 {{%.*}}, [[Y]]
; CHECK: or i1 [[A]], [[B]]
; CHECK-NOT: select
; CHECK: ret
define <1 x i1> @select_truth(i1 %c, <1 x i1> %x, <1 x i1> %y) {
  %r = select i1 %c, <1 x i1> %x, <1 x i1> %y
  ret <1 x i1> %r
}

; Vectors and structures go element by element.
; CHECK-LABEL: @select_pair(
; CHECK: [[A:%.*]] = select i1 %c, i32 {{%.*}}, i32 {{%.*}}
; CHECK-NEXT: [[FIRST:%.*]] = insertvalue { i32, float } poison, i32 [[A]], 0
; CHECK: [[B:%.*]] = select i1 %c, i32 {{%.*}}, i32 {{%.*}}
; CHECK-NEXT: [[F:%.*]] = bitcast i32 [[B]] to float
; CHECK-NEXT: %r = insertvalue { i32, float } [[FIRST]], float [[F]], 1
; CHECK-NEXT: ret
define {i32, float} @select_pair(i1 %c, {i32, float} %x, {i32, float} %y) {
  %r = select i1 %c, {i32, float} %x, {i32, float} %y
  ret {i32, float} %r
}

; floor: to the nearest integer by adding and subtracting 2^23, then down by one if that went up; the
; sign of zero is x's, and what is large already is itself.
; CHECK-LABEL: @floor(
; CHECK: [[MAG:%.*]] = call float @llvm.fabs.f32(float %x)
; CHECK: [[UP:%.*]] = fadd float [[MAG]], 0x4160000000000000
; CHECK: [[NEAR:%.*]] = fsub float [[UP]], 0x4160000000000000
; CHECK: [[S:%.*]] = call float @llvm.copysign.f32(float [[NEAR]], float %x)
; CHECK: fcmp ogt float [[S]], %x
; CHECK: fcmp olt float [[MAG]], 0x4160000000000000
; CHECK-NOT: llvm.floor
; CHECK: ret float
define float @floor(float %x) {
  %r = call float @llvm.floor.f32(float %x)
  ret float %r
}

; Fast-math flags must not undo that.
; CHECK-LABEL: @rint_fast(
; CHECK: fadd double {{%.*}}, 0x4330000000000000
; CHECK: fsub double {{%.*}}, 0x4330000000000000
define double @rint_fast(double %x) {
  %r = call fast double @llvm.rint.f64(double %x)
  ret double %r
}

; minimum hands a NaN through, minnum does not.
; CHECK-LABEL: @minimum(
; CHECK: [[M:%.*]] = call float @llvm.minnum.f32(float %x, float %y)
; CHECK: [[NAN:%.*]] = fadd float %x, %y
; CHECK: fcmp uno float %x, %y
; CHECK-NOT: llvm.minimum.f32
; CHECK: ret float
define float @minimum(float %x, float %y) {
  %r = call float @llvm.minimum.f32(float %x, float %y)
  ret float %r
}

; ctlz(0) = 32: count in a number that is not zero, then add what is missing.
; CHECK-LABEL: @ctlz(
; CHECK: [[Z:%.*]] = icmp eq i32 %x, 0
; CHECK: [[ONE:%.*]] = zext i1 [[Z]] to i32
; CHECK: [[SAFE:%.*]] = or i32 %x, [[ONE]]
; CHECK: [[N:%.*]] = call i32 @llvm.ctlz.i32(i32 [[SAFE]], i1 true)
; CHECK: [[ALL:%.*]] = sext i1 [[Z]] to i32
; CHECK: [[FIX:%.*]] = and i32 [[ALL]], 1
; CHECK: add i32 [[N]], [[FIX]]
define i32 @ctlz(i32 %x) {
  %r = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  ret i32 %r
}

; CHECK-LABEL: @cttz(
; CHECK: call i64 @llvm.cttz.i64(i64 {{%.*}}, i1 true)
; CHECK: and i64 {{%.*}}, 64
define i64 @cttz(i64 %x) {
  %r = call i64 @llvm.cttz.i64(i64 %x, i1 false)
  ret i64 %r
}

; One that is not asked about zero stays.
; CHECK-LABEL: @ctlz_not_zero(
; CHECK-NEXT: call i32 @llvm.ctlz.i32(i32 %x, i1 true)
; CHECK-NEXT: ret
define i32 @ctlz_not_zero(i32 %x) {
  %r = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
  ret i32 %r
}

; A truth value as a number: the bits of 1.0, or none.
; CHECK-LABEL: @truth(
; CHECK: [[M:%.*]] = sext i1 %c to i32
; CHECK: [[B:%.*]] = and i32 [[M]], 1065353216
; CHECK: bitcast i32 [[B]] to float
define float @truth(i1 %c) {
  %r = uitofp i1 %c to float
  ret float %r
}

; sext makes it -1, as a signed number; as an unsigned 8-bit one it is 255.
; CHECK-LABEL: @signed_truth(
; CHECK: and i32 {{%.*}}, -1082130432
; CHECK: and i32 {{%.*}}, 1132396544
define float @signed_truth(i1 %c) {
  %w = sext i1 %c to i8
  %s = sitofp i8 %w to float
  %u = uitofp i8 %w to float
  %r = fadd float %s, %u
  ret float %r
}
