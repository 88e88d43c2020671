; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Dynamic shared memory is one more argument of the kernels that use it.
;
; RUN: split-file %s %t
; RUN: %vx_opt -passes=vx-spirv-add-dynamic-memory %t/good.ll | FileCheck %s --implicit-check-not=@bytes --implicit-check-not=@words
; RUN: not %vx_opt -passes=vx-spirv-add-dynamic-memory %t/bad.ll 2>&1 | FileCheck --check-prefix=BAD %s

;--- good.ll
@bytes = external addrspace(3) global [0 x i8]
@words = external addrspace(3) global [0 x i32]

; All dynamic memory of a launch is the same.
; CHECK-LABEL: define spir_kernel void @both(ptr addrspace(1) %out, ptr addrspace(3) %dynamic)
; CHECK: load i8, ptr addrspace(3) %dynamic
; CHECK: load i32, ptr addrspace(3) %dynamic
define spir_kernel void @both(ptr addrspace(1) %out) {
  %b = load i8, ptr addrspace(3) @bytes
  store i8 %b, ptr addrspace(1) %out
  %w = load i32, ptr addrspace(3) @words
  store i32 %w, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define spir_kernel void @none(ptr addrspace(1) %out)
define spir_kernel void @none(ptr addrspace(1) %out) {
  ret void
}

;--- bad.ll
@bytes = external addrspace(3) global [0 x i8]
@address = addrspace(1) global ptr addrspace(3) @bytes

; BAD-DAG: error: the address of dynamic shared memory ('bytes') is not a constant in SPIR-V
; BAD-DAG: error: {{.*}}dynamic shared memory is an argument of the kernel in SPIR-V
define spir_func i8 @f() {
  %b = load i8, ptr addrspace(3) @bytes
  ret i8 %b
}
