; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Pointers without a space become generic ones; a kernel's are global, allocas private. What functions
; take by value is a copy of the caller's.
;
; RUN: %vx_opt -passes=vx-spirv-export-pointers %s | FileCheck %s

%pair = type { i32, ptr }

; CHECK: @counter = addrspace(1) global i32 0
@counter = global i32 0
; CHECK: @shared = internal addrspace(3) global [4 x i32] undef
@shared = internal addrspace(3) global [4 x i32] undef

; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(1) %out, ptr byval(%pair) align 8 %p, ptr addrspace(3) %l)
; CHECK-DAG: [[OUT:%.*]] = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
; CHECK-DAG: [[P:%.*]] = addrspacecast ptr %p to ptr addrspace(4)
; CHECK-DAG: [[COPY:%.*]] = alloca %pair, align 8
; CHECK-DAG: [[LOCAL:%.*]] = alloca i32
; CHECK-DAG: addrspacecast ptr [[LOCAL]] to ptr addrspace(4)
; CHECK: call void @llvm.memcpy.p0.p4.i64(ptr align 8 [[COPY]], ptr addrspace(4) align 8 [[P]], i64 16, i1 false)
; CHECK: call spir_func i32 @sum(ptr align 8 [[COPY]])
; CHECK: store i32 {{%.*}}, ptr addrspace(4) [[OUT]]
; CHECK: addrspacecast ptr addrspace(1) @counter to ptr addrspace(4)
define void @k(ptr %out, ptr byval(%pair) align 8 %p, ptr addrspace(3) %l) "vx-kernel" {
  %here = alloca i32
  store i32 1, ptr %here
  %s = call i32 @sum(ptr byval(%pair) align 8 %p)
  store i32 %s, ptr %out
  %old = atomicrmw add ptr @counter, i32 1 seq_cst
  ret void
}

; CHECK-LABEL: define internal spir_func i32 @sum(ptr {{.*}}%p)
; CHECK-NOT: byval
; CHECK: addrspacecast ptr %p to ptr addrspace(4)
; CHECK: load ptr addrspace(4), ptr addrspace(4)
define internal i32 @sum(ptr byval(%pair) align 8 %p) {
  %first = load i32, ptr %p
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %pointer = load ptr, ptr %q
  %second = load i32, ptr %pointer
  %s = add i32 %first, %second
  ret i32 %s
}
