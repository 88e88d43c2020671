; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The address of a kernel is that of its handle; kernels that lead to a launch are marked.
; RUN: %vx_opt -passes=vx-kernel-handles %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: @address = global ptr @__vx_kernel.child
; CHECK: @__vx_kernel.child = dso_local externally_initialized global [8 x i32] [i32 1263032406, i32 128, i32 0
; CHECK-NOT: @__vx_kernel.parent
@address = global ptr @child

; CHECK: define void @child() [[PLAIN:#[0-9]+]]
define void @child() "vx-kernel" "vx-max-threads"="128" {
  ret void
}
; CHECK: define void @parent(ptr %p) [[LAUNCHES:#[0-9]+]]
define void @parent(ptr %p) "vx-kernel" {
  call void @helper(ptr %p)
  ret void
}
; CHECK: define void @other() [[OTHER:#[0-9]+]]
define void @other() "vx-kernel" {
  ret void
}
define internal void @helper(ptr %p) {
  %b = call ptr @__vx_launch_buffer(i64 64, i64 8)
  ; CHECK: call i32 @__vx_launch_kernel(ptr @__vx_kernel.child
  %e = call i32 @__vx_launch_kernel(ptr @child, ptr %b, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 0, ptr null)
  ret void
}
declare ptr @__vx_launch_buffer(i64, i64)
declare i32 @__vx_launch_kernel(ptr, ptr, i32, i32, i32, i32, i32, i32, i32, ptr)

; CHECK-DAG: attributes [[PLAIN]] = { "vx-kernel" "vx-max-threads"="128" }
; CHECK-DAG: attributes [[LAUNCHES]] = { "vx-kernel" "vx-launches" }
; CHECK-DAG: attributes [[OTHER]] = { "vx-kernel" }
