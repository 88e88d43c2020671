; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-lower-host %s | FileCheck %s

; CHECK-LABEL: define dso_local ptr @descriptor
; CHECK: call ptr asm "movq %rsp, $0\0A\09andq $$-8388608, $0", "=r,~{flags}"()
; CHECK: load i64, ptr
; CHECK: inttoptr
define ptr @descriptor() "no-jump-tables"="true" {
  %p = call ptr @__vx_descriptor()
  ret ptr %p
}

; Functions that the device has instructions for; those of the device library stay.
; CHECK-LABEL: @services
; CHECK: fence seq_cst
; CHECK: call void %{{[0-9]+}}(i64 0)
; CHECK: call i64 %{{[0-9]+}}()
; CHECK: call void %{{[0-9]+}}()
; CHECK: call ptr @__vx_malloc(i64 8)
; CHECK: call i32 asm sideeffect "", "=r,0"(i32 7)
; CHECK: sub i32 1, 0
; CHECK: call void %{{[0-9]+}}(i64 30209)
; CHECK-NEXT: unreachable
define i32 @services() {
  call void @__vx_fence_block()
  call void @__vx_breakpoint()
  %t = call i64 @__vx_clock64()
  call void @__vx_nanosleep(i32 3)
  %m = call ptr @__vx_malloc(i64 8)
  %v = call i32 asm sideeffect "", "=r,0"(i32 7)
  %id = call i32 @__vx_core_id()
  %cores = call i32 @__vx_core_count()
  %last = sub i32 %cores, %id
  store volatile i32 %last, ptr %m
  call void @__vx_stop(i64 30209)
  unreachable
}

; CHECK-LABEL: @rounded
; CHECK: call float asm sideeffect "ldmxcsr ($3)\0A\09vaddss $2, $1, $0\0A\09ldmxcsr ($4)", {{.*}}(float %x, float %y, ptr @__vx_mxcsr.32640, ptr @__vx_mxcsr.8064)
; CHECK: call float asm sideeffect "ldmxcsr ($2)\0A\09vsqrtss $1, $1, $0\0A\09ldmxcsr ($3)", "=x,x,r,r,{{.*}}ptr @__vx_mxcsr.24448
; CHECK: call double asm sideeffect "ldmxcsr ($4)\0A\09vfmadd213sd $3, $2, $0\0A\09ldmxcsr ($5)", "=x,0,x,x,r,r,{{.*}}ptr @__vx_mxcsr.16256
define double @rounded(float %x, float %y, double %z) {
  %s = call float @__vx_fadd_f32_rz(float %x, float %y)
  %r = call float @__vx_fsqrt_f32_ru(float %s)
  %w = fpext float %r to double
  %f = call double @__vx_fma_f64_rd(double %w, double %z, double %z)
  ret double %f
}

; Results of the device's instruction: all ones for a division by zero, no overflow.
; CHECK-LABEL: @quotient
; CHECK: [[X:%.*]] = freeze i32 %x
; CHECK: [[Y:%.*]] = freeze i32 %y
; CHECK: [[ZERO:%.*]] = icmp eq i32 [[Y]], 0
; CHECK: [[MINUS:%.*]] = icmp eq i32 [[Y]], -1
; CHECK: [[SAFE:%.*]] = select i1 [[MINUS]], i32 1
; CHECK: [[Q:%.*]] = sdiv i32 [[X]], [[SAFE]]
; CHECK: [[NEG:%.*]] = sub i32 0, [[X]]
; CHECK: [[R:%.*]] = select i1 [[MINUS]], i32 [[NEG]], i32 [[Q]]
; CHECK: select i1 [[ZERO]], i32 -1, i32 [[R]]
define i32 @quotient(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  %c = udiv i32 %q, 3
  ret i32 %c
}

; And of its conversions: clamped to 32 or 64 bits.
; CHECK-LABEL: @integers
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK: call i64 @llvm.fptoui.sat.i64.f64(double %y)
; CHECK: [[B:%.*]] = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK: trunc i32 [[B]] to i8
define i64 @integers(float %x, double %y) {
  %a = fptosi float %x to i32
  %b = fptoui double %y to i64
  %c = fptosi float %x to i8
  %d = zext i32 %a to i64
  %e = zext i8 %c to i64
  %f = add i64 %b, %d
  %g = add i64 %e, %f
  ret i64 %g
}

declare ptr @__vx_descriptor()
declare void @__vx_fence_block()
declare void @__vx_breakpoint()
declare i64 @__vx_clock64()
declare void @__vx_nanosleep(i32)
declare ptr @__vx_malloc(i64)
declare i32 @__vx_core_id()
declare i32 @__vx_core_count()
declare void @__vx_stop(i64) noreturn
declare float @__vx_fadd_f32_rz(float, float)
declare float @__vx_fsqrt_f32_ru(float)
declare double @__vx_fma_f64_rd(double, double, double)

; A hint of the device library does nothing; its value stays what it was.
; CHECK-LABEL: define dso_local i64 @hint(
; CHECK-NEXT: ret i64 %x
define i64 @hint(i64 %x) {
  %r = call i64 asm sideeffect "slti x0, $0, $1", "=r,i,0,~{memory}"(i32 5, i64 %x)
  ret i64 %r
}

; Zeros are ordered by their signs.
; CHECK-LABEL: define dso_local float @least(
; CHECK-NEXT: [[M:%.*]] = call float @llvm.minimumnum.f32(float %x, float %y)
; CHECK-NEXT: [[R:%.*]] = call float @llvm.maximumnum.f32(float [[M]], float %x)
; CHECK-NEXT: ret float [[R]]
define float @least(float %x, float %y) {
  %m = call float @llvm.minnum.f32(float %x, float %y)
  %r = call float @llvm.maxnum.f32(float %m, float %x)
  ret float %r
}
