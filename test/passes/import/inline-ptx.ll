; Inline PTX: special registers, arithmetic, bit fields, memory, several statements.
; RUN: %vx_opt -passes=vx-stage-import %s | FileCheck %s --implicit-check-not=asm
; For the checkers, accesses past the cache of a core are volatile.
; RUN: sed '$a !llvm.module.flags = !{!0}\n!0 = !{i32 7, !"vx.forCheckers", i32 1}' %s > %t.checked.ll
; RUN: %vx_opt -passes=vx-stage-import %t.checked.ll | FileCheck %s --check-prefix=CHECKED
; CHECKED-LABEL: @memory(
; CHECKED: load volatile i32, ptr %{{[0-9]+}}, align 4{{$}}
; CHECKED: load volatile float, ptr %p, align 4, !vx.plain
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @registers(
define ptx_kernel void @registers(ptr %p) {
; CHECK-NEXT: [[LANE:%.*]] = call i32 @__vx_lane_id()
  %a = call i32 asm "mov.u32 $0, %laneid;", "=r"()
; CHECK-NEXT: call i64 @__vx_clock64()
  %b = call i64 asm sideeffect "mov.u64 \09$0, %clock64;", "=l"()
; CHECK: [[BIT:%.*]] = shl i32 1
  %c = call i32 asm "mov.u32 $0, %lanemask_eq;", "=r"()
  store volatile i32 %a, ptr %p
  store volatile i64 %b, ptr %p
  store volatile i32 %c, ptr %p
  ret void
}

; CHECK-LABEL: @places(
define ptx_kernel void @places(ptr %p) {
; CHECK-NEXT: [[SM:%.*]] = call i32 @__vx_core_id()
  %a = call i32 asm "mov.u32 $0, %smid;", "=r"()
; CHECK-NEXT: [[COUNT:%.*]] = call i32 @__vx_core_count()
  %b = call i32 asm "mov.u32 $0, %nsmid;", "=r"()
; CHECK: [[WARPS:%.*]] = lshr i32 {{.*}}, 5
  %c = call i32 asm "mov.u32 $0, %nwarpid;", "=r"()
; CHECK: store volatile i32 [[SM]]
; CHECK: store volatile i32 [[COUNT]]
; CHECK: store volatile i32 [[WARPS]]
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %p
  store volatile i32 %c, ptr %p
  ret void
}

; CHECK-LABEL: @arithmetic(
define i32 @arithmetic(i32 %x, i32 %y) {
; CHECK-NEXT: [[A:%.*]] = call i32 @__vxm_bfe_u32(i32 %x, i32 4, i32 8)
  %a = call i32 asm "bfe.u32 $0, $1, 4, 0x8;", "=r,r"(i32 %x)
; CHECK-NEXT: [[B:%.*]] = call i32 @__vxm_prmt(i32 [[A]], i32 %y, i32 291)
  %b = call i32 asm "prmt.b32 $0, $1, $2, 0x123;", "=r,r,r"(i32 %a, i32 %y)
; CHECK-NEXT: [[P:%.*]] = mul i32 [[B]], %y
; CHECK-NEXT: add i32 [[P]], 5
  %c = call i32 asm "mad.lo.s32 $0, $1, $2, 5;", "=r,r,r"(i32 %b, i32 %y)
; CHECK-NEXT: call i32 @llvm.fshl.i32(
  %d = call i32 asm "shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %c, i32 %x, i32 %y)
; CHECK-NEXT: call i32 @__vxm_vabsdiff4_u_add(
  %e = call i32 asm "vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;", "=r,r,r,r"(i32 %d, i32 %x, i32 %y)
  ret i32 %e
}

; CHECK-LABEL: @fields(
define ptx_kernel void @fields(i32 %x, i32 %y, ptr %p) {
; CHECK-NEXT: [[AT:%.*]] = call i32 @llvm.umin.i32(i32 %x, i32 32)
; CHECK-NEXT: [[AT64:%.*]] = zext i32 [[AT]] to i64
; CHECK: shl i64 {{.*}}, [[AT64]]
  %a = call i32 asm "bmsk.clamp.b32 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %y)
; CHECK: and i32 %y, 31
; CHECK: ashr i64 {{.*}}, 1
  %b = call i32 asm "szext.wrap.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %y)
  store i32 %b, ptr %p
  ret void
}

; A 64-bit sum by a carry chain, with registers of its own, a comment and both outputs.
; CHECK-LABEL: @carry(
define { i32, i32 } @carry(i32 %al, i32 %ah, i32 %bl, i32 %bh) {
; CHECK: [[SUM:%.*]] = add i33
; CHECK: lshr i33 [[SUM]], 32
; CHECK: insertvalue { i32, i32 } poison
; CHECK: insertvalue { i32, i32 }
  %r = call { i32, i32 } asm "{ .reg .u32 t; // low\0A add.cc.u32 t, $2, $4; mov.u32 $0, t; addc.u32 $1, $3, $5; }", "=r,=r,r,r,r,r"(i32 %al, i32 %ah, i32 %bl, i32 %bh)
  ret { i32, i32 } %r
}

; CHECK-LABEL: @memory(
define ptx_kernel void @memory(ptr %p, i64 %q, float %f) {
; CHECK-NEXT: [[A:%.*]] = getelementptr i8, ptr %p, i64 16
; CHECK-NEXT: load i32, ptr [[A]], align 4
  %a = call i32 asm "ld.global.cg.u32 $0, [$1+16];", "=r,l"(ptr %p)
; CHECK-NEXT: load float, ptr %p
; CHECK-NEXT: [[N:%.*]] = getelementptr inbounds float, ptr %p, i64 1
; CHECK-NEXT: load float, ptr [[N]]
  %v = call { float, float } asm "ld.global.nc.L1::no_allocate.v2.f32 {$0, $1}, [$2];", "=f,=f,l"(ptr %p)
; CHECK: [[LOW:%.*]] = trunc i64 %q to i32
; CHECK-NEXT: [[Q:%.*]] = sext i32 [[LOW]] to i64
; CHECK-NEXT: [[BASE:%.*]] = call ptr @__vx_shared_base()
; CHECK-NEXT: [[B:%.*]] = ptrtoint ptr [[BASE]] to i64
; CHECK-NEXT: [[A:%.*]] = add i64 [[B]], [[Q]]
; CHECK-NEXT: [[S:%.*]] = inttoptr i64 [[A]] to ptr addrspace(3)
; CHECK-NEXT: store float %f, ptr addrspace(3) [[S]], align 4
  call void asm sideeffect "st.shared.f32 [$0], $1;", "l,f"(i64 %q, float %f)
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 acq_rel
  %b = call i32 asm sideeffect "atom.acq_rel.gpu.global.add.u32 $0, [$1], 1;", "=r,l"(ptr %p)
; CHECK-NEXT: call void @__vx_fence_device()
  call void asm sideeffect "membar.gl;", "~{memory}"()
; CHECK-NEXT: call void @__vx_barrier()
  call void asm sideeffect "bar.sync 0;", ""()
; An empty statement is a barrier for the compiler only.
  call void asm sideeffect "", "~{memory}"()
  store volatile i32 %a, ptr %p
  store volatile { float, float } %v, ptr %p
  store volatile i32 %b, ptr %p
  ret void
}

; Barriers of the block, and named ones.
; CHECK-LABEL: @barriers(
define ptx_kernel void @barriers(i32 %id, i32 %n, i32 %x, ptr %p) {
; CHECK-NEXT: call void @__vx_barrier()
  call void asm sideeffect "barrier.cta.sync.aligned 0;", ""()
; CHECK-NEXT: call void @__vx_barrier()
  call void asm sideeffect "bar.sync 0, 0;", ""()
; CHECK-NEXT: call i32 @__vx_named_sync(i32 0, i32 96, i32 0)
  call void asm sideeffect "bar.sync 0, 96;", ""()
; CHECK-NEXT: call i32 @__vx_named_sync(i32 15, i32 0, i32 0)
  call void asm sideeffect "barrier.sync 15;", ""()
; CHECK-NEXT: call i32 @__vx_named_sync(i32 %id, i32 %n, i32 0)
  call void asm sideeffect "bar.cta.sync $0, $1;", "r,r"(i32 %id, i32 %n)
; CHECK-NEXT: call void @__vx_named_arrive(i32 %id, i32 64)
  call void asm sideeffect "bar.arrive $0, 64;", "r"(i32 %id)
; CHECK-NEXT: call void @__vx_named_arrive(i32 3, i32 %n)
  call void asm sideeffect "barrier.cta.arrive.aligned 3, $0;", "r"(i32 %n)
; CHECK: [[P:%.*]] = icmp ult i32 %x, 7
; CHECK: [[Z:%.*]] = zext i1 [[P]] to i32
; CHECK: call i32 @__vx_barrier_count(i32 [[Z]])
  %a = call i32 asm sideeffect "{ .reg .pred p; setp.lt.u32 p, $1, 7; bar.red.popc.u32 $0, 0, p; }", "=r,r"(i32 %x)
; CHECK: [[N:%.*]] = xor i1 {{%.*}}, true
; CHECK: [[Z:%.*]] = zext i1 [[N]] to i32
; CHECK: [[S:%.*]] = call i32 @__vx_named_sync(i32 %id, i32 %n, i32 [[Z]])
; CHECK: icmp eq i32 [[S]], 0
  %b = call i32 asm sideeffect "{ .reg .pred p, q; setp.lt.u32 p, $1, 7; barrier.red.and.pred q, $2, $3, p; selp.u32 $0, 1, 0, q; }", "=r,r,r,r"(i32 %x, i32 %id, i32 %n)
; CHECK: [[S:%.*]] = call i32 @__vx_named_sync(i32 2, i32 0, i32 {{%.*}})
; CHECK: icmp ne i32 [[S]], 0
  %c = call i32 asm sideeffect "{ .reg .pred p, q; setp.lt.u32 p, $1, 7; barrier.cta.red.or.aligned.pred q, 2, !p; selp.u32 $0, 1, 0, q; }", "=r,r"(i32 %x)
  store volatile i32 %a, ptr %p
  store volatile i32 %b, ptr %p
  store volatile i32 %c, ptr %p
  ret void
}

; CHECK-LABEL: @conversions(
define float @conversions(double %d, i32 %i) {
; CHECK-NEXT: [[A:%.*]] = call float @__nv_double2float_rz(double %d)
  %a = call float asm "cvt.rz.f32.f64 $0, $1;", "=f,d"(double %d)
; CHECK-NEXT: [[B:%.*]] = call i32 @__nv_float2int_ru(float [[A]])
  %b = call i32 asm "cvt.rpi.s32.f32 $0, $1;", "=r,f"(float %a)
; CHECK-NEXT: [[C:%.*]] = sitofp i32 [[B]] to float
  %c = call float asm "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %b)
; CHECK-NEXT: [[D:%.*]] = call float @llvm.fma.f32(float [[C]], float [[C]], float 1.500000e+00)
  %e = call float asm "fma.rn.f32 $0, $1, $1, 0f3FC00000;", "=f,f"(float %c)
  ret float %e
}

; Two halves in a register, and asynchronous copies, which are done at once.
; CHECK-LABEL: @packed(
define i32 @packed(i32 %x, i32 %y, ptr %p, i64 %q) {
; CHECK: [[X:%.*]] = bitcast i32 %x to <2 x half>
; CHECK: [[Y:%.*]] = bitcast i32 %y to <2 x half>
; CHECK: [[S:%.*]] = fadd <2 x half> [[X]], [[Y]]
; CHECK: bitcast <2 x half> [[S]] to i32
  %a = call i32 asm "add.f16x2 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %y)
; CHECK: call void @llvm.memcpy.inline.p3.p0.i64(ptr addrspace(3) align 16 {{.*}}, ptr align 16 %p, i64 16, i1 false)
  call void asm sideeffect "cp.async.cg.shared.global.L2::128B [$0], [$1], 16;", "l,l"(i64 %q, ptr %p)
  call void asm sideeffect "cp.async.commit_group;\0A", ""()
  call void asm sideeffect "cp.async.wait_group $0;\0A", "n"(i32 0)
  ret i32 %a
}

define ptx_kernel void @keep(ptr %p) {
  %a = call i32 @arithmetic(i32 1, i32 2)
  %b = call { i32, i32 } @carry(i32 1, i32 2, i32 3, i32 4)
  %c = call float @conversions(double 1.0, i32 1)
  %d = call i32 @packed(i32 %a, i32 2, ptr %p, i64 0)
  store i32 %d, ptr %p
  ret void
}
