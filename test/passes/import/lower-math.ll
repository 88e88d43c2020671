; Operations that RISC-V has no instruction for become calls of device math.
; RUN: %vx_opt -passes=vx-lower-math %s | FileCheck %s
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @intrinsics(
define double @intrinsics(float %x, double %y, i32 %n) {
; CHECK-NEXT: %a = call float @__nv_sinf(float %x)
  %a = call float @llvm.sin.f32(float %x)
; CHECK-NEXT: %b = call double @__nv_pow(double %y, double %y)
  %b = call double @llvm.pow.f64(double %y, double %y)
; CHECK-NEXT: %c = call double @__nv_powi(double %b, i32 %n)
  %c = call double @llvm.powi.f64.i32(double %b, i32 %n)
; CHECK-NEXT: %d = call float @__nv_fmodf(float %a, float %x)
  %d = frem float %a, %x
; CHECK-NEXT: %r = call i64 @__nv_llround(double %y)
  %r = call i64 @llvm.lround.i64.f64(double %y)
; CHECK-NEXT: %e = call float @llvm.fma.f32(float %d, float %d, float %d)
  %e = call float @llvm.fma.f32(float %d, float %d, float %d)
  %f = fpext float %e to double
  %g = fadd double %c, %f
  ret double %g
}

; Those with two results write them to memory.
; CHECK-LABEL: @two_results(
define double @two_results(float %x, double %y) {
; CHECK: [[C:%.*]] = alloca double
; CHECK: call void @__nv_sincos(double %y, ptr [[S:%.*]], ptr
; CHECK: load double, ptr [[S]]
  %a = call { double, double } @llvm.sincos.f64(double %y)
; CHECK: [[F:%.*]] = call float @__nv_frexpf(float %x, ptr [[E:%.*]])
; CHECK: insertvalue { float, i32 } poison, float [[F]], 0
; CHECK: load i32, ptr [[E]]
  %b = call { float, i32 } @llvm.frexp.f32.i32(float %x)
; CHECK: call double @__nv_modf(double %y, ptr
  %c = call { double, double } @llvm.modf.f64(double %y)
  %d = extractvalue { double, double } %a, 0
  %e = extractvalue { double, double } %c, 1
  %f = extractvalue { float, i32 } %b, 1
  %g = sitofp i32 %f to double
  %h = fadd double %d, %e
  %i = fadd double %h, %g
  ret double %i
}

; Arithmetic of 16-bit floats is for vx-expand-halves, except for what is a function.
; CHECK-LABEL: @halves(
define <2 x half> @halves(half %x, <2 x half> %y) {
; CHECK-NEXT: %s = fadd half %x, %x
  %s = fadd half %x, %x
; CHECK-NEXT: [[F:%.*]] = fpext half %s to float
; CHECK-NEXT: [[SIN:%.*]] = call float @__nv_sinf(float [[F]])
; CHECK-NEXT: %t = fptrunc float [[SIN]] to half
  %t = call half @llvm.sin.f16(half %s)
; CHECK: call float @__nv_fmodf(float
; CHECK: fptrunc float {{.*}} to half
; CHECK: call float @__nv_fmodf(float
  %r = frem <2 x half> %y, %y
; CHECK: fmul <2 x half>
  %p = fmul <2 x half> %r, %y
  %q = insertelement <2 x half> %p, half %t, i32 0
  ret <2 x half> %q
}

; CHECK-LABEL: @brain(
define bfloat @brain(bfloat %x, float %y) {
; CHECK-NEXT: %a = fptrunc float %y to bfloat
  %a = fptrunc float %y to bfloat
; CHECK-NEXT: %b = call bfloat @llvm.sqrt.bf16(bfloat %a)
  %b = call bfloat @llvm.sqrt.bf16(bfloat %a)
; CHECK-NEXT: [[F:%.*]] = fpext bfloat %b to float
; CHECK-NEXT: [[COS:%.*]] = call float @__nv_cosf(float [[F]])
; CHECK-NEXT: fptrunc float [[COS]] to bfloat
  %c = call bfloat @llvm.cos.bf16(bfloat %b)
  ret bfloat %c
}

; CHECK-LABEL: @wide(
define double @wide(i128 %x, i128 %y, float %f) {
; CHECK-NEXT: %a = call i128 @__vxm_sdiv128(i128 %x, i128 %y)
  %a = sdiv i128 %x, %y
; CHECK-NEXT: %b = call i128 @__vxm_urem128(i128 %a, i128 %y)
  %b = urem i128 %a, %y
; CHECK-NEXT: %c = call i128 @__vxm_fptosi128f(float %f)
  %c = fptosi float %f to i128
; CHECK-NEXT: %d = mul i128 %b, %c
  %d = mul i128 %b, %c
; CHECK-NEXT: %e = call double @__vxm_uitofp128d(i128 %d)
  %e = uitofp i128 %d to double
  ret double %e
}
