; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is left of the contract becomes loads, CSR reads and machine instructions.
; RUN: %vx_opt -passes=vx-lower-functions %s | FileCheck %s
; RUN: sed 's/^;HOST //' %s | %vx_opt -passes=vx-lower-functions | FileCheck %s --check-prefix=HOST

; In code of the host CPU, what would be an instruction stays for vx-lower-host.
; HOST-NOT: asm
; HOST-LABEL: @machine(
; HOST: call void @__vx_fence_device()
; HOST: call i64 @__vx_clock64()
; HOST: call void @__vx_breakpoint()
; HOST: call void @__vx_nanosleep(i32 100)
; HOST-LABEL: @rounded(
; HOST: call float @__vx_fadd_f32_rz(
; HOST: call void @__vx_stop(i64 30209)
; HOST-NOT: asm
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; An entry has the descriptor as its argument: blockDim.y is at 96, gridDim.x at 80.
; CHECK-LABEL: @entry(
; CHECK: [[Y:%.*]] = getelementptr inbounds {{.*}}i8, ptr %desc, i64 96
; CHECK: load i32, ptr [[Y]], {{.*}}!invariant.load
; CHECK: [[X:%.*]] = getelementptr inbounds {{.*}}i8, ptr %desc, i64 80
; CHECK: load i32, ptr [[X]], {{.*}}!invariant.load
define i32 @entry(ptr %desc) "vx-entry" {
  %y = call i32 @__vx_block_dim_y()
  %x = call i32 @__vx_grid_dim_x()
  %r = add i32 %x, %y
  ret i32 %r
}

; Bit 0 of the flags, at 224: a cooperative launch.
; CHECK-LABEL: @grid(
; CHECK: [[F:%.*]] = getelementptr inbounds {{.*}}i8, ptr %desc, i64 224
; CHECK: [[V:%.*]] = load i32, ptr [[F]], {{.*}}!invariant.load
; CHECK: and i32 [[V]], 1
define i32 @grid(ptr %desc) "vx-entry" {
  %v = call i32 @__vx_grid_valid()
  ret i32 %v
}

; The product of the dimensions of a block, in any order, is a field, at 32.
; CHECK-LABEL: @sizes(
; CHECK: %xy = mul i32
; CHECK-NOT: mul
; CHECK: [[N:%.*]] = getelementptr inbounds {{.*}}i8, ptr %desc, i64 32
; CHECK: [[XYZ:%.*]] = load i32, ptr [[N]], {{.*}}!invariant.load
; CHECK: [[M:%.*]] = getelementptr inbounds {{.*}}i8, ptr %desc, i64 32
; CHECK: [[YZX:%.*]] = load i32, ptr [[M]], {{.*}}!invariant.load
; CHECK: %xyg = mul i32
; CHECK-NOT: mul
; CHECK: sub i32 [[XYZ]], [[YZX]]
define i32 @sizes(ptr %desc) "vx-entry" {
  %x = call i32 @__vx_block_dim_x()
  %y = call i32 @__vx_block_dim_y()
  %z = call i32 @__vx_block_dim_z()
  %xy = mul i32 %x, %y
  %xyz = mul i32 %xy, %z
  %zx = mul i32 %z, %x
  %yzx = mul i32 %y, %zx
  %gx = call i32 @__vx_grid_dim_x()
  %xyg = mul i32 %xy, %gx
  %s = sub i32 %xyz, %yzx
  %r = add i32 %s, %xyg
  ret i32 %r
}

; Any other function finds the descriptor in mscratch and its coordinates in the control block.
; CHECK-LABEL: @function(
; CHECK: [[TP:%.*]] = call ptr @llvm.thread.pointer.p0()
; CHECK: [[TZ:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[TP]], i64 24
; CHECK: load i32, ptr [[TZ]]
; CHECK: [[BX:%.*]] = getelementptr inbounds {{.*}}i8, ptr %{{.*}}, i64 28
; CHECK: load i32, ptr [[BX]]
; CHECK: call i64 asm "csrr $0, 0x340", "=r"()
; CHECK: [[DX:%.*]] = getelementptr inbounds {{.*}}i8, ptr %{{.*}}, i64 92
; CHECK: load i32, ptr [[DX]], {{.*}}!invariant.load
define i32 @function() {
  %z = call i32 @__vx_thread_idx_z()
  %b = call i32 @__vx_block_idx_x()
  %d = call i32 @__vx_block_dim_x()
  %s = add i32 %z, %b
  %r = add i32 %s, %d
  ret i32 %r
}

; Lane and warp from the linear number x + dimX * (y + dimY * z).
; CHECK-LABEL: @lane(
; CHECK: and i32 %{{.*}}, 31
; CHECK: lshr i32 %{{.*}}, 5
define i32 @lane() {
  %l = call i32 @__vx_lane_id()
  %w = call i32 @__vx_warp_id()
  %r = add i32 %l, %w
  ret i32 %r
}

; CHECK-LABEL: @machine(
; CHECK: call void asm sideeffect "fence rw, rw", "~{memory}"()
; CHECK: [[A:%.*]] = call i64 asm sideeffect "csrr $0, 0xB00", "=r,~{memory}"()
; CHECK: [[B:%.*]] = call i64 asm sideeffect "csrr $0, 0xB00", "=r,~{memory}"()
; CHECK: call void asm sideeffect "ebreak", "~{memory}"()
; CHECK: sub i64 [[B]], [[A]]
define i64 @machine() {
  call void @__vx_fence_device()
  %a = call i64 @__vx_clock64()
  %b = call i64 @__vx_clock64()
  call void @__vx_breakpoint()
  call void @__vx_nanosleep(i32 100)
  %r = sub i64 %b, %a
  ret i64 %r
}
; CHECK-NOT: call void @__vx_nanosleep

; CHECK-LABEL: @cores(
; CHECK: [[CORE:%.*]] = call i64 asm "csrr $0, 0xCC2", "=r"()
; CHECK: trunc i64 [[CORE]] to i32
; CHECK: call i64 asm "csrr $0, 0xFC2", "=r"()
define i32 @cores() {
  %a = call i32 @__vx_core_id()
  %b = call i32 @__vx_core_count()
  %r = sub i32 %b, %a
  ret i32 %r
}

; The mode is in the instruction.
; CHECK-LABEL: @rounded(
; CHECK: call float asm "fadd.s $0, $1, $2, rtz", "=f,f,f"(float %x, float %x)
; CHECK: call float asm "fsqrt.s $0, $1, rup", "=f,f"(float %
; CHECK: call double asm "fmadd.d $0, $1, $2, $3, rdn", "=f,f,f,f"(double %y, double %y, double %y)
; CHECK: call void asm sideeffect "ecall", "{x17},~{memory}"(i64 30209)
; CHECK-NEXT: unreachable
define void @rounded(float %x, double %y, ptr %p) {
  %s = call float @__vx_fadd_f32_rz(float %x, float %x)
  %r = call float @__vx_fsqrt_f32_ru(float %s)
  %f = call double @__vx_fma_f64_rd(double %y, double %y, double %y)
  store float %r, ptr %p
  store double %f, ptr %p
  call void @__vx_stop(i64 30209)
  unreachable
}

; CHECK-LABEL: @shared(
; CHECK: [[AT:%.*]] = getelementptr inbounds {{.*}}i8, ptr %{{.*}}, i64 8
; CHECK: [[BASE:%.*]] = load i64, ptr [[AT]]
; CHECK: inttoptr i64 [[BASE]] to ptr
define ptr @shared() {
  %r = call ptr @__vx_shared_base()
  ret ptr %r
}

; Services of the device library stay calls.
; CHECK-LABEL: @services(
; CHECK: call ptr @__vx_malloc(i64 8)
define ptr @services() {
  %r = call ptr @__vx_malloc(i64 8)
  ret ptr %r
}

declare i32 @__vx_grid_valid()
declare i32 @__vx_block_dim_x()
declare i32 @__vx_block_dim_z()
declare i32 @__vx_block_dim_y()
declare i32 @__vx_grid_dim_x()
declare i32 @__vx_thread_idx_z()
declare i32 @__vx_block_idx_x()
declare i32 @__vx_lane_id()
declare i32 @__vx_warp_id()
declare void @__vx_fence_device()
declare i64 @__vx_clock64()
declare i32 @__vx_core_id()
declare i32 @__vx_core_count()
declare void @__vx_breakpoint()
declare void @__vx_nanosleep(i32)
declare ptr @__vx_shared_base()
declare ptr @__vx_malloc(i64)
declare float @__vx_fadd_f32_rz(float, float)
declare float @__vx_fsqrt_f32_ru(float)
declare double @__vx_fma_f64_rd(double, double, double)
declare void @__vx_stop(i64) noreturn
;HOST !llvm.module.flags = !{!0}
;HOST !0 = !{i32 7, !"vx.host", i32 1}
