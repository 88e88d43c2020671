; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With 32-bit registers, arithmetic on 64 bits becomes calls; what shifts can do stays.
; RUN: %vx_opt -passes=vx-lower-wide %s | FileCheck %s --check-prefixes=CHECK,RV64
; RUN: sed 's/i32 64}/i32 32}/' %s | %vx_opt -passes=vx-lower-wide | FileCheck %s --check-prefixes=CHECK,RV32
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.xlen", i32 64}

; CHECK-LABEL: @divide64(
; RV64-NEXT: udiv i64 %x, %y
; RV64-NEXT: srem i64
; RV32-NEXT: call i64 @__vx_udiv64(i64 %x, i64 %y)
; RV32-NEXT: call i64 @__vx_srem64(i64 %q, i64 %y)
; CHECK-NEXT: udiv i64 %r, 8
define i64 @divide64(i64 %x, i64 %y) {
  %q = udiv i64 %x, %y
  %r = srem i64 %q, %y
  %s = udiv i64 %r, 8
  ret i64 %s
}

; CHECK-LABEL: @elements(
; RV64-NEXT: udiv <2 x i64>
; RV32-COUNT-2: call i64 @__vx_udiv64(
; RV32-NOT: udiv
define <2 x i64> @elements(<2 x i64> %x, <2 x i64> %y) {
  %q = udiv <2 x i64> %x, %y
  ret <2 x i64> %q
}

; CHECK-LABEL: @convert(
; RV64-NEXT: sitofp i64 %x to float
; RV64-NEXT: fptoui float {{.*}} to i64
; RV32-NEXT: %[[F:.*]] = call float @__vx_sitof32(i64 %x)
; RV32-NEXT: %[[D:.*]] = fpext float %[[F]] to double
; RV32-NEXT: call i64 @__vx_f64toui(double %[[D]])
; CHECK: fptosi float {{.*}} to i32
define i32 @convert(i64 %x) {
  %f = sitofp i64 %x to float
  %u = fptoui float %f to i64
  %i = fptosi float %f to i32
  %t = trunc i64 %u to i32
  %r = add i32 %t, %i
  ret i32 %r
}

; CHECK-LABEL: @saturate(
; RV64-NEXT: call i64 @llvm.fptosi.sat.i64.f64(double %x)
; RV32-NEXT: call i64 @__vx_f64tosi(double %x)
; RV32: call double @llvm.rint.f64(double %x)
define i64 @saturate(double %x) {
  %i = call i64 @llvm.fptosi.sat.i64.f64(double %x)
  %j = call i64 @llvm.llrint.i64.f64(double %x)
  %r = add i64 %i, %j
  ret i64 %r
}
