; The address spaces of SPIR become those of NVVM IR, wherever pointers are: in globals and their
; initializers, in structures, arguments, constants and intrinsics. Casts between private and generic
; memory go away.
;
; RUN: %vx_opt -passes=vx-spirv-map-address-spaces %s | FileCheck %s

; CHECK: target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
; CHECK: target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-G1"
target triple = "spir64-unknown-unknown"

; CHECK: %pair = type { ptr addrspace(4), ptr }
%pair = type { ptr addrspace(2), ptr addrspace(4) }

; CHECK: @table = addrspace(4) constant [2 x i32] [i32 1, i32 2]
@table = addrspace(2) constant [2 x i32] [i32 1, i32 2]
; CHECK: @pointers = addrspace(4) constant %pair { ptr addrspace(4) @table, ptr null }
@pointers = addrspace(2) constant %pair { ptr addrspace(2) @table, ptr addrspace(4) null }
; CHECK: @shared = internal addrspace(3) global [4 x i32] undef
@shared = internal addrspace(3) global [4 x i32] undef

; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(1) align 4 %out, ptr addrspace(3) %l, ptr byval(%pair) %p)
; CHECK-NEXT: [[HERE:%.*]] = alloca i32
; CHECK-NEXT: [[LOCAL:%.*]] = addrspacecast ptr addrspace(3) %l to ptr
; CHECK-NEXT: call spir_func void @f(ptr [[HERE]], ptr [[LOCAL]])
; CHECK-NEXT: call void @llvm.memcpy.p1.p4.i64(ptr addrspace(1) %out, ptr addrspace(4) @table, i64 8, i1 false)
; CHECK-NEXT: [[GEP:%.*]] = getelementptr i32, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @table, i64 4), i64 0
; CHECK-NEXT: load i32, ptr addrspace(4) [[GEP]]
; CHECK-NEXT: call spir_func void @f(ptr null, ptr addrspacecast (ptr addrspace(3) @shared to ptr))
; CHECK-NEXT: ret void
define spir_kernel void @k(ptr addrspace(1) align 4 %out, ptr addrspace(3) %l, ptr byval(%pair) %p) {
  %here = alloca i32
  %generic = addrspacecast ptr %here to ptr addrspace(4)
  %local = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  call spir_func void @f(ptr addrspace(4) %generic, ptr addrspace(4) %local)
  call void @llvm.memcpy.p1.p2.i64(ptr addrspace(1) %out, ptr addrspace(2) @table, i64 8, i1 false)
  %q = getelementptr i32, ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @table, i64 4), i64 0
  %v = load i32, ptr addrspace(2) %q
  call spir_func void @f(ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4)),
                         ptr addrspace(4) addrspacecast (ptr addrspace(3) @shared to ptr addrspace(4)))
  ret void
}

; CHECK: declare spir_func void @f(ptr, ptr)
declare spir_func void @f(ptr addrspace(4), ptr addrspace(4))
declare void @llvm.memcpy.p1.p2.i64(ptr addrspace(1), ptr addrspace(2), i64, i1)
