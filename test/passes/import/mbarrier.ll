; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers in shared memory, as inline PTX and as intrinsics. A look whether a phase is complete
; lets other threads continue first; what waits for copies has nothing to do.
; RUN: %vx_opt -passes=vx-import-nvvm %s | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @arrivals(
define ptx_kernel void @arrivals(i32 %at, ptr %p) {
; CHECK: [[P:%.*]] = inttoptr i64 {{%.*}} to ptr addrspace(3)
; CHECK-NEXT: [[B:%.*]] = addrspacecast ptr addrspace(3) [[P]] to ptr
; CHECK: call void @__vx_mbarrier_init(ptr [[B]], i32 64)
  call void asm sideeffect "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r"(i32 %at, i32 64)
; CHECK: [[S:%.*]] = call i64 @__vx_mbarrier_arrive(ptr {{%.*}}, i32 1, i32 0)
  %s = call i64 asm sideeffect "mbarrier.arrive.release.cta.shared::cta.b64 $0, [$1];", "=l,r"(i32 %at)
; CHECK: call i64 @__vx_mbarrier_arrive(ptr {{%.*}}, i32 3, i32 3)
  call void asm sideeffect "mbarrier.arrive_drop.shared.b64 _, [$0], 3;", "r"(i32 %at)
; CHECK: call void @__vx_mbarrier_expect(ptr [[E:%.*]], i32 128)
; CHECK-NEXT: call i64 @__vx_mbarrier_arrive(ptr [[E]], i32 1, i32 0)
  call void asm sideeffect "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 128;", "r"(i32 %at)
; CHECK: call void @__vx_mbarrier_complete(ptr {{%.*}}, i32 16)
  call void asm sideeffect "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [$0], 16;", "r"(i32 %at)
; CHECK: call i32 @__vx_mbarrier_pending(i64 [[S]])
  %n = call i32 asm "mbarrier.pending_count.b64 $0, $1;", "=r,l"(i64 %s)
  store i32 %n, ptr %p
; CHECK-NOT: call
; CHECK: ret void
  call void asm sideeffect "mbarrier.inval.shared.b64 [$0];", "r"(i32 %at)
  call void asm sideeffect "cp.async.mbarrier.arrive.shared.b64 [$0];", "r"(i32 %at)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @waits(
define ptx_kernel void @waits(i32 %at, i64 %s, ptr %p) {
; CHECK: [[PARITY:%.*]] = trunc i64 {{%.*}} to i32
; CHECK: call void @__vx_thread_wait()
; CHECK-NEXT: call i32 @__vx_mbarrier_test(ptr {{%.*}}, i32 [[PARITY]])
  %a = call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,l"(i32 %at, i64 %s)
; CHECK: call void @__vx_thread_wait()
; CHECK-NEXT: call i32 @__vx_mbarrier_test(ptr {{%.*}}, i32 1)
  %b = call i32 asm sideeffect "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], 1, 100; selp.b32 $0, 1, 0, p; }", "=r,r"(i32 %at)
  %c = add i32 %a, %b
  store i32 %c, ptr %p
  ret void
}

; The size of a copy is a constant operand; there are no constant and local spaces.
; CHECK-LABEL: define ptx_kernel void @sizes(
define ptx_kernel void @sizes(i32 %to, ptr %from, ptr %p) {
; CHECK: call void @llvm.memcpy.inline.p3.p0.i64({{.*}}, i64 16, i1 false)
; CHECK-NOT: memset
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n"(i32 %to, ptr %from, i32 16, i32 16)
; CHECK: store i32 0, ptr %p
  %l = call i32 asm "{ .reg .pred p; isspacep.local p, $1; selp.u32 $0, 1, 0, p; }", "=r,l"(ptr %from)
  store i32 %l, ptr %p
; CHECK: store i1 false, ptr %p
  %c = call i1 @llvm.nvvm.isspacep.const(ptr %from)
  store i1 %c, ptr %p
  ret void
}

; A copy of bytes that a phase waits for.
; CHECK-LABEL: define ptx_kernel void @bulk(
define ptx_kernel void @bulk(i32 %to, ptr %from, i32 %at) {
; CHECK: call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 16 {{%.*}}, ptr align 16 %from, i64 256, i1 false)
; CHECK: call void @__vx_mbarrier_complete(ptr {{%.*}}, i32 256)
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,l,r,r"(i32 %to, ptr %from, i32 256, i32 %at)
; CHECK: call void @llvm.memcpy.p0.p3.i64(ptr align 16 %from, ptr addrspace(3) align 16 {{%.*}}, i64 256, i1 false)
  call void asm sideeffect "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;", "l,r,r"(ptr %from, i32 %to, i32 256)
  call void asm sideeffect "cp.async.bulk.commit_group;", ""()
  call void asm sideeffect "cp.async.bulk.wait_group.read 0;", ""()
  ret void
}

; CHECK-LABEL: define ptx_kernel void @intrinsics(
define ptx_kernel void @intrinsics(ptr %p) {
; CHECK: call void @__vx_mbarrier_init(ptr addrspacecast (ptr addrspace(3) @barrier to ptr), i32 8)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @barrier, i32 8)
; CHECK: [[S:%.*]] = call i64 @__vx_mbarrier_arrive({{.*}}, i32 1, i32 0)
  %s = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @barrier)
; CHECK: call i64 @__vx_mbarrier_arrive({{.*}}, i32 2, i32 2)
  %d = call i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete.shared(ptr addrspace(3) @barrier, i32 2)
; CHECK: call void @__vx_thread_wait()
; CHECK: call i32 @__vx_mbarrier_test(
  %t = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @barrier, i64 %s)
  store i1 %t, ptr %p
  ret void
}

@barrier = internal addrspace(3) global i64 undef, align 8
declare i1 @llvm.nvvm.isspacep.const(ptr)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete.shared(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
