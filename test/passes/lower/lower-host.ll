; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes=vx-lower-host %s | FileCheck %s

; CHECK-LABEL: define dso_local ptr @descriptor
; CHECK: call ptr asm "movq %rsp, $0\0A\09andq $$-8388608, $0", "=r,~{flags}"()
; CHECK: load i64, ptr
; CHECK: inttoptr
define ptr @descriptor() "no-jump-tables"="true" {
  %a = call i64 asm "csrr $0, 0x340", "=r"()
  %p = inttoptr i64 %a to ptr
  ret ptr %p
}

; One core with one warp of one lane.
; CHECK-LABEL: @machine
; CHECK: add i64 0, 1
define i64 @machine() {
  %lane = call i64 asm "csrr $0, 0xCC0", "=r"()
  %lanes = call i64 asm "csrr $0, 0xFC0", "=r"()
  %sum = add i64 %lane, %lanes
  ret i64 %sum
}

; CHECK-LABEL: @services
; CHECK-NOT: slti
; CHECK: fence seq_cst
; CHECK: call void %{{[0-9]+}}(i64 0)
; CHECK: call void %{{[0-9]+}}(i64 30209)
; CHECK: call i64 %{{[0-9]+}}()
; CHECK: call i32 asm sideeffect "", "=r,0"(i32 7)
define i32 @services() {
  call void asm sideeffect "slti x0, $0, 2", "r"(i32 3)
  call void asm sideeffect "fence rw, rw", "~{memory}"()
  call void asm sideeffect "ebreak", "~{memory}"()
  call void asm sideeffect "ecall", "{x17},~{memory}"(i64 30209)
  %t = call i64 asm sideeffect "csrr $0, 0xB00", "=r,~{memory}"()
  %v = call i32 asm sideeffect "", "=r,0"(i32 7)
  ret i32 %v
}

; CHECK-LABEL: @rounded
; CHECK: call float asm sideeffect "ldmxcsr ($3)\0A\09vaddss $2, $1, $0\0A\09ldmxcsr ($4)", {{.*}}(float %x, float %y, ptr @__vx_mxcsr.32640, ptr @__vx_mxcsr.8064)
; CHECK: call double asm sideeffect "ldmxcsr ($4)\0A\09vfmadd213sd $3, $2, $0\0A\09ldmxcsr ($5)", {{.*}}ptr @__vx_mxcsr.16256
define double @rounded(float %x, float %y, double %z) {
  %s = call float asm "fadd.s $0, $1, $2, rtz", "=f,f,f"(float %x, float %y)
  %w = fpext float %s to double
  %f = call double asm "fmadd.d $0, $1, $2, $3, rdn", "=f,f,f,f"(double %w, double %z, double %z)
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
