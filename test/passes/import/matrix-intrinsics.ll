; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; NVIDIA's intrinsics for matrices are as the inline PTX that they stand for.
; RUN: %vx_opt -passes=vx-import-nvvm %s | FileCheck %s
; RUN: sed 's/;WRONG//' %s > %t.ll
; RUN: not %vx_opt -passes=vx-import-nvvm %t.ll 2>&1 | FileCheck %s --check-prefix=WRONG
target triple = "nvptx64-nvidia-cuda"

declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, float, float, float, float)
declare { <2 x half>, <2 x half> } @llvm.nvvm.mma.m16n8k16.row.col.f16.f16(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.bf16(i32, i32, i32, float, float, float, float)
declare { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double, double, double, double)
declare { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.satfinite.s8.u8(i32, i32, i32, i32)
declare { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.u8(i32, i32, i32, i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.mma.xor.popc.m16n8k128.row.col.b1(i32, i32, i32, i32, i32, i32, i32)

; CHECK-LABEL: define {{.*}} @halves(
; CHECK: [[A:%.*]] = bitcast <2 x half> %a to i32
; CHECK: [[B:%.*]] = bitcast <2 x half> %b to i32
; CHECK: [[C:%.*]] = bitcast <2 x half> %c to i32
; CHECK: call { float, float, float, float } @__vx_ptx.mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32(i32 [[A]], i32 [[B]], i32 [[C]], float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00)
define { float, float, float, float } @halves(<2 x half> %a, <2 x half> %b, <2 x half> %c) {
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.f32.f32(<2 x half> %a, <2 x half> %b, <2 x half> %c, float 1.0, float 2.0, float 3.0, float 4.0)
  ret { float, float, float, float } %r
}

; CHECK-LABEL: define {{.*}} @toHalves(
; CHECK: [[R:%.*]] = call { i32, i32 } @__vx_ptx.mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16(i32
; CHECK: bitcast i32 {{%.*}} to <2 x half>
define { <2 x half>, <2 x half> } @toHalves(<2 x half> %a, <2 x half> %b) {
  %r = call { <2 x half>, <2 x half> } @llvm.nvvm.mma.m16n8k16.row.col.f16.f16(<2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %b, <2 x half> %b, <2 x half> %b, <2 x half> %b)
  ret { <2 x half>, <2 x half> } %r
}

; CHECK-LABEL: define {{.*}} @others(
; CHECK: call { float, float, float, float } @__vx_ptx.mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32(i32 %a, i32 %b, i32 1, float
; CHECK: call { double, double } @__vx_ptx.mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64(double 1.000000e+00, double 2.000000e+00, double 3.000000e+00, double 4.000000e+00)
; CHECK: call { i32, i32 } @__vx_ptx.mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32(i32 %a, i32 %b, i32 1, i32 2)
; CHECK: call { i32, i32 } @__vx_ptx.mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32(i32 %a, i32 %b, i32 1, i32 2)
; CHECK: call { i32, i32, i32, i32 } @__vx_ptx.mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc(i32 %a, i32 %b, i32 1, i32 2, i32 3, i32 4, i32 5)
define void @others(i32 %a, i32 %b) {
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.bf16(i32 %a, i32 %b, i32 1, float 1.0, float 2.0, float 3.0, float 4.0)
  %s = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double 1.0, double 2.0, double 3.0, double 4.0)
  %t = call { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.satfinite.s8.u8(i32 %a, i32 %b, i32 1, i32 2)
  %u = call { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.u8(i32 %a, i32 %b, i32 1, i32 2)
  %v = call { i32, i32, i32, i32 } @llvm.nvvm.mma.xor.popc.m16n8k128.row.col.b1(i32 %a, i32 %b, i32 1, i32 2, i32 3, i32 4, i32 5)
  ret void
}

declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.movmatrix.sync.aligned.m8n8.trans.b16(i32)

; CHECK-LABEL: define {{.*}} @memory(
; CHECK-COUNT-4: load i16
; CHECK: load i32
; CHECK: __vx_shfl_idx_32
; CHECK: store i32
; CHECK-NOT: llvm.nvvm
define void @memory(ptr addrspace(3) %p, ptr %q) {
  %r = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %p)
  %s = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr %q)
  %t = call i32 @llvm.nvvm.movmatrix.sync.aligned.m8n8.trans.b16(i32 %s)
  %x = extractvalue { i32, i32 } %r, 1
  %sum = add i32 %t, %x
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %p, i32 %sum)
  ret void
}

declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1), i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.col.s8.p3(ptr addrspace(3))
declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.load.c.row.f32.p0(ptr)
declare { i32, i32, i32, i32, i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.mma.col.row.s8.satfinite(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare { i32, i32 } @llvm.nvvm.wmma.m8n8k128.mma.and.popc.row.col.b1(i32, i32, i32, i32)
declare { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.rn.f64(double, double, double, double)
declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, float, float, float, float)
declare void @llvm.nvvm.wmma.m16n16k16.store.d.col.stride.f32.p3(ptr addrspace(3), float, float, float, float, float, float, float, float, i32)

; Fragments as registers of mma.sync: four of the eight of halves are 0, sixteen bytes in columns make four of
; bytes.
; CHECK-LABEL: define {{.*}} @fragments(
; CHECK-COUNT-4: load i32, ptr {{.*}}, align 4
; CHECK-COUNT-16: load i8, ptr addrspace(3)
; CHECK-COUNT-2: call { i32, i32, i32, i32 } @__vx_ptx.mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32(
; CHECK: call { i32, i32 } @__vx_ptx.mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc(i32 %n, i32 2, i32 3, i32 4)
; CHECK: call { double, double } @__vx_ptx.mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64(double 1.000000e+00
; CHECK-COUNT-8: load float
; CHECK-COUNT-2: call { float, float, float, float } @__vx_ptx.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32(
; CHECK-COUNT-8: store float
; CHECK-NOT: llvm.nvvm
; CHECK: ret void
define void @fragments(ptr addrspace(3) %s, ptr %p, i32 %n) {
  %g = addrspacecast ptr %p to ptr addrspace(1)
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1) %g, i32 %n)
  %h = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %a, 3
  %b = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.col.s8.p3(ptr addrspace(3) %s)
  %w = extractvalue { i32, i32, i32, i32 } %b, 3
  %m = call { i32, i32, i32, i32, i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.mma.col.row.s8.satfinite(i32 %w, i32 %w, i32 %w, i32 %w, i32 %n, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8)
  %bits = call { i32, i32 } @llvm.nvvm.wmma.m8n8k128.mma.and.popc.row.col.b1(i32 %n, i32 2, i32 3, i32 4)
  %d = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.rn.f64(double 1.0, double 2.0, double 3.0, double 4.0)
  %c = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.load.c.row.f32.p0(ptr %p)
  %x = extractvalue { float, float, float, float, float, float, float, float } %c, 7
  %r = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, float %x, float %x, float %x, float %x, float %x, float %x, float %x, float %x)
  %y = extractvalue { float, float, float, float, float, float, float, float } %r, 0
  call void @llvm.nvvm.wmma.m16n16k16.store.d.col.stride.f32.p3(ptr addrspace(3) %s, float %y, float %x, float %x, float %x, float %x, float %x, float %x, float %x, i32 %n)
  ret void
}

; CHECK-LABEL: define {{.*}} @pairs(
; CHECK: call <2 x float> @llvm.fma.v2f32(
; CHECK: fadd <2 x float>
declare <2 x float> @llvm.nvvm.fma.rn.f32x2(<2 x float>, <2 x float>, <2 x float>)
declare <2 x float> @llvm.nvvm.add.rn.ftz.f32x2(<2 x float>, <2 x float>)
define <2 x float> @pairs(<2 x float> %a) {
  %r = call <2 x float> @llvm.nvvm.fma.rn.f32x2(<2 x float> %a, <2 x float> %a, <2 x float> %a)
  %s = call <2 x float> @llvm.nvvm.add.rn.ftz.f32x2(<2 x float> %r, <2 x float> %a)
  ret <2 x float> %s
}

; WRONG-DAG: error: intrinsic 'llvm.nvvm.mma.moon' is not supported by vxcc
; WRONG-DAG: error: PTX instruction 'wmma.load.a.sync.aligned.col.m8n8k32.s4' is not supported by vxcc
; WRONG-DAG: error: PTX instruction 'wmma.mma.sync.aligned.row.col.m8n8k4.rz.f64.f64.f64.f64' is not supported by vxcc
;WRONG declare i32 @llvm.nvvm.wmma.m8n8k32.load.a.col.s4.p0(ptr)
;WRONG declare { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.rz.f64(double, double, double, double)
;WRONG declare i32 @llvm.nvvm.mma.moon(i32)
;WRONG define i32 @wrong(i32 %a) {
;WRONG   %r = call i32 @llvm.nvvm.mma.moon(i32 %a)
;WRONG   %s = call i32 @llvm.nvvm.wmma.m8n8k32.load.a.col.s4.p0(ptr null)
;WRONG   %t = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.rz.f64(double 1.0, double 2.0, double 3.0, double 4.0)
;WRONG   ret i32 %r
;WRONG }
