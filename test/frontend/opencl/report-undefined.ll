; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; vx-opencl-report-undefined names what the kernels need and nothing defines, each use once.
;
; RUN: not %vx_opt -passes=vx-opencl-report-undefined %s 2>&1 | FileCheck --implicit-check-not=error: %s

@counter = external addrspace(1) global i32
@table = internal addrspace(1) global [1 x ptr addrspace(1)] [ptr addrspace(1) @counter]

; CHECK-DAG: error: {{.*}}function 'called(int)' is neither in this program nor in OpenCL C's library; {{.*}} (in 'helper')
define i32 @helper(i32 %x) {
  %y = call i32 @_Z6calledi(i32 %x)
  ret i32 %y
}

; CHECK-DAG: error: {{.*}}variable 'counter' is not defined in this program; {{.*}} (in 'k')
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %y = call i32 @helper(i32 1)
  %c = load i32, ptr addrspace(1) @counter
  %t = load ptr addrspace(1), ptr addrspace(1) @table
  %n = call i32 @vprintf(ptr null, ptr null)
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call float @__nv_sinf(float 0.0)
  ret void
}

define void @apart() {
  call void @missing()
  ret void
}

declare i32 @_Z6calledi(i32)
declare void @missing()
declare i32 @vprintf(ptr, ptr)
declare float @__nv_sinf(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
