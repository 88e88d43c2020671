; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; vx-opencl-lower-memory-of answers from what a pointer is made of: a number that is selected and
; joined as the pointer is. Only the address is known of one that is read from memory.
;
; RUN: %vx_opt -passes=vx-opencl-lower-memory-of %s | FileCheck %s

declare i32 @__vx_opencl_memory_of(ptr)

; CHECK-LABEL: define ptx_kernel void @known(
; CHECK: store i32 1, ptr addrspace(1) %out
; CHECK: store i32 3, ptr addrspace(1) %out
; CHECK: store i32 5, ptr addrspace(1) %out
; CHECK: store i32 5, ptr addrspace(1) %out
define ptx_kernel void @known(ptr addrspace(1) %out, ptr addrspace(3) %local, ptr byval(i64) %whole) {
  %variable = alloca i32
  store volatile i32 0, ptr %variable
  %g = addrspacecast ptr addrspace(1) %out to ptr
  %next = getelementptr i32, ptr %g, i64 1
  %1 = call i32 @__vx_opencl_memory_of(ptr %next)
  store i32 %1, ptr addrspace(1) %out
  %l = addrspacecast ptr addrspace(3) %local to ptr
  %2 = call i32 @__vx_opencl_memory_of(ptr %l)
  store i32 %2, ptr addrspace(1) %out
  %same = bitcast ptr %variable to ptr
  %3 = call i32 @__vx_opencl_memory_of(ptr %same)
  store i32 %3, ptr addrspace(1) %out
  %4 = call i32 @__vx_opencl_memory_of(ptr %whole)
  store i32 %4, ptr addrspace(1) %out
  ret void
}

; A pointer that goes around in a loop, and is a variable of the kernel until SROA.
; CHECK-LABEL: define ptx_kernel void @joined(
; CHECK: loop:
; CHECK: %[[NUMBER:.*]] = phi i32 [ 1, %entry ], [ %{{.*}}, %loop ]
; CHECK: %[[OTHER:.*]] = select i1 %is, i32 3, i32 %[[NUMBER]]
; CHECK: %new = select i1 %is, ptr %l
; CHECK: store i32 %[[OTHER]], ptr addrspace(1) %out
define ptx_kernel void @joined(ptr addrspace(1) %out, ptr addrspace(3) %local, i32 %n) {
entry:
  %p = alloca ptr
  %g = addrspacecast ptr addrspace(1) %out to ptr
  store ptr %g, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %l = addrspacecast ptr addrspace(3) %local to ptr
  %old = load ptr, ptr %p
  %is = icmp eq i32 %i, 7
  %new = select i1 %is, ptr %l, ptr %old
  store ptr %new, ptr %p
  %m = call i32 @__vx_opencl_memory_of(ptr %new)
  store i32 %m, ptr addrspace(1) %out
  %more = add i32 %i, 1
  %end = icmp eq i32 %more, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @read(
; CHECK: %p = load ptr
; CHECK: %[[IS:.*]] = call i1 @llvm.nvvm.isspacep.shared(ptr %p)
; CHECK: select i1 %[[IS]], i32 3, i32 1
define ptx_kernel void @read(ptr addrspace(1) %out, ptr addrspace(1) %pointers) {
  %p = load ptr, ptr addrspace(1) %pointers
  %m = call i32 @__vx_opencl_memory_of(ptr %p)
  store i32 %m, ptr addrspace(1) %out
  ret void
}
