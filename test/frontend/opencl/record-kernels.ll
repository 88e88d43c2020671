; vx-opencl-record-kernels describes kernels, and nothing else, as text in the image.
;
; RUN: %vx_opt -passes=vx-opencl-record-kernels %s | FileCheck %s
; RUN: %vx_opt -passes=vx-opencl-record-kernels %s | grep -o 'argument' | count 6

; CHECK: @__vx_opencl_kernels = addrspace(1) constant
; CHECK-SAME: c"globals\0912\0A
; CHECK-SAME: kernel\09k\0A
; CHECK-SAME: group\0964\092\091\0A
; CHECK-SAME: subgroup\098\0A
; CHECK-SAME: vectype\09ulong8\0A
; CHECK-SAME: argument\09global\09none\09restrict,const\09float4*\09a\098\09pointer\0A
; CHECK-SAME: argument\09local\09none\09none\09float*\09tmp\090\09local\0A
; CHECK-SAME: argument\09private\09none\09none\09S\09s\0932\09value\0A
; CHECK-SAME: argument\09private\09none\09none\09float3\09v\0916\09value\0A
; CHECK-SAME: argument\09global\09read_only\09none\09image2d_t\09im\098\09image\0A
; CHECK-SAME: argument\09private\09none\09none\09sampler_t\09smp\098\09sampler\0A
; CHECK-SAME: kernel\09plain\0A\00"

target triple = "nvptx64-nvidia-cuda"

@counter = addrspace(1) global i32 0
@pair = internal addrspace(1) global [2 x i32] zeroinitializer
@table = addrspace(4) constant [2 x i32] zeroinitializer

%struct.S = type { i32, <4 x float> }

define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(3) %tmp, ptr byval(%struct.S) align 16 %s,
                          <3 x float> %v, ptr addrspace(1) %im, ptr addrspace(4) %smp)
    !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2
    !kernel_arg_type_qual !3 !kernel_arg_name !4 !reqd_work_group_size !5 !intel_reqd_sub_group_size !6 !vec_type_hint !7 {
  ret void
}

define ptx_kernel void @plain() {
  ret void
}

define void @helper(ptr addrspace(1) %a) {
  ret void
}

!0 = !{i32 1, i32 3, i32 0, i32 0, i32 1, i32 0}
!1 = !{!"none", !"none", !"none", !"none", !"read_only", !"none"}
!2 = !{!"float4*", !"float*", !"S", !"float3", !"image2d_t", !"sampler_t"}
!3 = !{!"restrict const", !"", !"", !"", !"", !""}
!4 = !{!"a", !"tmp", !"s", !"v", !"im", !"smp"}
!5 = !{i32 64, i32 2, i32 1}
!6 = !{i32 8}
!7 = !{<8 x i64> poison, i32 0}
