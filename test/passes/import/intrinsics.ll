; One example of each kind of row of NVVMIntrinsics.def.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s --implicit-check-not=llvm.nvvm
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global i32 undef

; CHECK-LABEL: @coordinates(
define ptx_kernel void @coordinates(ptr %p) {
; CHECK: call i32 @__vx_thread_idx_y()
  %a = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; CHECK: call i32 @__vx_grid_dim_x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK: store volatile i32 32
  %c = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  store volatile i32 %c, ptr %p
; CHECK: [[LANE:%.*]] = call i32 @__vx_lane_id()
; CHECK-NEXT: [[BIT:%.*]] = shl i32 1, [[LANE]]
; CHECK-NEXT: sub i32 [[BIT]], 1
  %d = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
; CHECK: [[T:%.*]] = call i64 @__vx_clock64()
; CHECK-NEXT: trunc i64 [[T]] to i32
  %e = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  store volatile i32 %d, ptr %p
  store volatile i32 %e, ptr %p
  ret void
}

; CHECK-LABEL: @synchronization(
define ptx_kernel void @synchronization(ptr %p, i1 %q) {
; CHECK-NEXT: call void @__vx_barrier() #[[CONVERGENT:[0-9]+]]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: [[Z:%.*]] = zext i1 %q to i32
; CHECK-NEXT: %n = call i32 @__vx_barrier_count(i32 [[Z]]) #[[CONVERGENT]]
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %q)
; CHECK: [[AND:%.*]] = call i32 @__vx_barrier_and(i32 {{%.*}}) #[[CONVERGENT]]
; CHECK-NEXT: %all = icmp ne i32 [[AND]], 0
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %q)
; CHECK: call i32 @__vx_named_sync(i32 1, i32 0, i32 0) #[[CONVERGENT]]
  call void @llvm.nvvm.barrier.cta.sync.all(i32 1)
; CHECK-NEXT: call i32 @__vx_named_sync(i32 2, i32 96, i32 0) #[[CONVERGENT]]
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 96)
; CHECK-NEXT: call void @__vx_named_arrive(i32 3, i32 64) #[[CONVERGENT]]
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 64)
; CHECK: call i32 @__vx_named_sync(i32 4, i32 64, i32 {{%.*}}) #[[CONVERGENT]]
  %named = call i32 @llvm.nvvm.barrier.cta.red.popc.count(i32 4, i32 64, i1 %q)
; CHECK-NEXT: call void @__vx_fence_device()
  call void @llvm.nvvm.membar.gl()
; CHECK-NEXT: call void @__vx_warp_sync(i32 -1)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 %n, ptr %p
  store i1 %all, ptr %p
; CHECK: call void @__vx_trap()
  call void @llvm.trap()
  unreachable
}

; CHECK-LABEL: @integers(
define ptx_kernel void @integers(ptr %p, i32 %x, i32 %y) {
; CHECK: sext i32 %x to i64
; CHECK: mul i64
; CHECK: lshr i64 {{.*}}, 32
  %a = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 %y)
; CHECK: %b = call i32 @__vxm_prmt(i32 %x, i32 %y, i32 %a)
  %b = call i32 @llvm.nvvm.prmt(i32 %x, i32 %y, i32 %a)
; CHECK: call i32 @llvm.umin.i32(i32 %b, i32 32)
  %c = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %x, i32 %y, i32 %b)
; CHECK: atomicrmw uinc_wrap ptr %p, i32 %c monotonic
  %d = call i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr %p, i32 %c)
; CHECK: cmpxchg ptr %p, i32 %c, i32 %d monotonic monotonic
  %e = call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr %p, i32 %c, i32 %d)
  store i32 %e, ptr %p
  ret void
}

; `.ftz` is dropped, `.sat` is applied afterwards, other rounding modes are library functions.
; CHECK-LABEL: @floats(
define ptx_kernel void @floats(ptr %p, float %x, float %y) {
; CHECK: [[SUM:%.*]] = fadd float %x, %y
; CHECK-NEXT: [[LOW:%.*]] = call float @llvm.maxnum.f32(float [[SUM]], float 0.000000e+00)
; CHECK-NEXT: %a = call float @llvm.minnum.f32(float [[LOW]], float 1.000000e+00)
  %a = call float @llvm.nvvm.add.rn.ftz.sat.f(float %x, float %y)
; CHECK-NEXT: %b = call float @__nv_fmul_rz(float %a, float %y)
  %b = call float @llvm.nvvm.mul.rz.f(float %a, float %y)
; CHECK-NEXT: %c = fdiv float 1.000000e+00, %b
  %c = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
; CHECK-NEXT: %d = call float @llvm.fabs.f32(float %c)
  %d = call float @llvm.nvvm.fabs.ftz.f32(float %c)
; CHECK-NEXT: %e = call float @llvm.maxnum.f32(float %d, float %x)
  %e = call float @llvm.nvvm.fmax.f(float %d, float %x)
; CHECK-NEXT: %i = call i32 @__nv_float2int_rd(float %e)
  %i = call i32 @llvm.nvvm.f2i.rm(float %e)
  store i32 %i, ptr %p
  ret void
}

; CHECK-LABEL: @magnitudes(
define ptx_kernel void @magnitudes(ptr %p, float %x, <2 x half> %y) {
; CHECK: [[M:%.*]] = call float @llvm.minnum.f32(float %{{.*}}, float
; CHECK: [[S:%.*]] = call float @llvm.copysign.f32(float [[M]]
; CHECK: [[NAN:%.*]] = fcmp uno float [[M]], [[M]]
; CHECK: select i1 [[NAN]], float [[M]], float [[S]]
  %a = call float @llvm.nvvm.fmin.ftz.xorsign.abs.f(float %x, float 2.0)
; CHECK: call <2 x half> @llvm.maximum.v2f16(
  %b = call <2 x half> @llvm.nvvm.fmax.nan.xorsign.abs.f16x2(<2 x half> %y, <2 x half> %y)
  store volatile float %a, ptr %p
  store volatile <2 x half> %b, ptr %p
  ret void
}

; Intrinsics without effect here, and shared memory of the cluster.
; CHECK-LABEL: @cluster(
define ptx_kernel void @cluster(ptr %p) {
; CHECK-NOT: nvvm
; CHECK: [[O:%.*]] = call ptr @__vx_cluster_map(ptr {{.*}}, i32 1)
; CHECK: [[S:%.*]] = addrspacecast ptr [[O]] to ptr addrspace(3)
; CHECK: store volatile i32 5, ptr addrspace(3) [[S]]
; CHECK: [[G:%.*]] = call ptr @__vx_cluster_map(ptr %p, i32 1)
; CHECK: store volatile i32 6, ptr [[G]]
  call void @llvm.nvvm.griddepcontrol.wait()
  call void @llvm.nvvm.griddepcontrol.launch.dependents()
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 64)
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 24)
  %s = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @shared, i32 1)
  store volatile i32 5, ptr addrspace(7) %s
  %g = call ptr @llvm.nvvm.mapa(ptr %p, i32 1)
  store volatile i32 6, ptr %g
  ret void
}

; CHECK-LABEL: @spaces(
define ptx_kernel void @spaces(ptr %p) {
; CHECK: call ptr @__vx_shared_base()
; CHECK: call ptr @__vx_descriptor()
; CHECK: icmp ult i64
  %s = call i1 @llvm.nvvm.isspacep.shared(ptr %p)
  store i1 %s, ptr %p
  ret void
}

; CHECK: attributes #[[CONVERGENT]] = { convergent }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.count(i32, i32, i1)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.trap()
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
declare i32 @llvm.nvvm.fshl.clamp.i32(i32, i32, i32)
declare i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr, i32, i32)
declare float @llvm.nvvm.add.rn.ftz.sat.f(float, float)
declare float @llvm.nvvm.mul.rz.f(float, float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.fabs.ftz.f32(float)
declare float @llvm.nvvm.fmax.f(float, float)
declare i32 @llvm.nvvm.f2i.rm(float)
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare float @llvm.nvvm.fmin.ftz.xorsign.abs.f(float, float)
declare <2 x half> @llvm.nvvm.fmax.nan.xorsign.abs.f16x2(<2 x half>, <2 x half>)
declare void @llvm.nvvm.griddepcontrol.wait()
declare void @llvm.nvvm.griddepcontrol.launch.dependents()
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare ptr @llvm.nvvm.mapa(ptr, i32)
