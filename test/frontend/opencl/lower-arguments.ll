; vx-opencl-lower-arguments gives kernels CUDA's kind of arguments, and inlines what leads to the
; implicit ones.
;
; RUN: %vx_opt -passes=vx-opencl-lower-arguments %s | FileCheck %s
; RUN: %vx_opt -passes=vx-opencl-lower-arguments %s | FileCheck --check-prefix=CALLED %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @__vx_opencl_local = external addrspace(3) global [0 x i8]
; CHECK-DAG: @group.values = internal addrspace(3) global [1024 x i64] poison

declare i64 @__vx_opencl_global_offset(i32)
declare i32 @__vx_opencl_work_dim()
declare i32 @__vx_opencl_sub_group_size()
declare ptr addrspace(3) @__vx_opencl_group_values()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare ptr addrspace(1) @_Z17__vx_opencl_image14ocl_image2d_ro(ptr addrspace(1))
declare i32 @_Z19__vx_opencl_sampler11ocl_sampler(ptr addrspace(4))
declare ptr addrspace(4) @__translate_sampler_initializer(i32)

define i64 @offset_of_x() {
  %x = call i64 @__vx_opencl_global_offset(i32 0)
  ret i64 %x
}

; CHECK: define ptx_kernel void @k(i64 %l, ptr addrspace(1) align 4 %out, i64 %offset.x, i64 %offset.y, i64 %offset.z, i32 %work.dim) #[[ATTRS:[0-9]+]]
; CHECK: %[[L:.*]] = getelementptr inbounds i8, ptr addrspace(3) @__vx_opencl_local, i64 %l
; CHECK-NOT: call i64 @offset_of_x
; CHECK: select i1 true, i64 %offset.x
; CHECK: store i32 %work.dim
; CHECK: store i32 8, ptr addrspace(1) %out
; CHECK: store i32 2, ptr addrspace(1) %out
; CHECK: store float 0.000000e+00, ptr addrspace(3) %[[L]]
; CHECK: store i64 1, ptr addrspace(3) @group.values
define ptx_kernel void @k(ptr addrspace(3) align 4 %l, ptr addrspace(1) align 4 %out)
    !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %x = call i64 @offset_of_x()
  store i64 %x, ptr addrspace(1) %out
  %d = call i32 @__vx_opencl_work_dim()
  store i32 %d, ptr addrspace(1) %out
  %s = call i32 @__vx_opencl_sub_group_size()
  store i32 %s, ptr addrspace(1) %out
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  store i32 %n, ptr addrspace(1) %out
  store float 0.0, ptr addrspace(3) %l
  %v = call ptr addrspace(3) @__vx_opencl_group_values()
  store i64 1, ptr addrspace(3) %v
  ret void
}

; Without a required size, a sub-group has 32 work-items and the size of the group is what it is.
; CHECK: define ptx_kernel void @plain(
; CHECK: store i32 32
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define ptx_kernel void @plain(ptr addrspace(1) %out) {
  %s = call i32 @__vx_opencl_sub_group_size()
  store i32 %s, ptr addrspace(1) %out
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  store i32 %n, ptr addrspace(1) %out
  ret void
}

; CHECK: define ptx_kernel void @images(ptr addrspace(1) %im, ptr addrspace(4) %s, ptr addrspace(1) %out,
; CHECK: load i64, ptr addrspace(1) %im
; CHECK: %[[BITS:.*]] = ptrtoint ptr addrspace(4) %s to i64
; CHECK: trunc i64 %[[BITS]] to i32
; CHECK: store ptr addrspace(4) inttoptr (i64 18 to ptr addrspace(4)), ptr addrspace(1) %out
define ptx_kernel void @images(ptr addrspace(1) %im, ptr addrspace(4) %s, ptr addrspace(1) %out) {
  %i = call ptr addrspace(1) @_Z17__vx_opencl_image14ocl_image2d_ro(ptr addrspace(1) %im)
  %w = load i64, ptr addrspace(1) %i
  %b = call i32 @_Z19__vx_opencl_sampler11ocl_sampler(ptr addrspace(4) %s)
  store i32 %b, ptr addrspace(1) %out
  %c = call ptr addrspace(4) @__translate_sampler_initializer(i32 18)
  store ptr addrspace(4) %c, ptr addrspace(1) %out
  store i64 %w, ptr addrspace(1) %out
  ret void
}

; A kernel that others call is a kernel and a function.
; CALLED: define internal void @inner.called(ptr addrspace(3) %l)
; CHECK: define ptx_kernel void @inner(i64 %l, i64 %offset.x, i64 %offset.y, i64 %offset.z, i32 %work.dim)
define ptx_kernel void @inner(ptr addrspace(3) %l) {
  store i32 1, ptr addrspace(3) %l
  ret void
}
; CHECK: define ptx_kernel void @outer(i64 %l,
; CHECK: %[[L:.*]] = getelementptr inbounds i8, ptr addrspace(3) @__vx_opencl_local, i64 %l
; CHECK: call void @inner.called(ptr addrspace(3) %[[L]])
define ptx_kernel void @outer(ptr addrspace(3) %l) {
  call ptx_kernel void @inner(ptr addrspace(3) %l)
  ret void
}
; CHECK: attributes #[[ATTRS]] = { "nvvm.reqntid"="64,2,1" }
!0 = !{i32 64, i32 2, i32 1}
!1 = !{i32 8}
