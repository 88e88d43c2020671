; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loads and stores of vectors with a mask are branches, and so are made before divergence is guarded.
; RUN: %vx_opt -passes=vx-stage-guard %s | FileCheck %s
; CHECK-NOT: llvm.masked
; CHECK: # vx.split
; CHECK: load float
; CHECK: # vx.join
; CHECK: # vx.split
; CHECK: store float
; CHECK: # vx.join
target triple = "riscv64-unknown-unknown-elf"
declare i32 @__vx_thread_idx_x()

define void @k(ptr %p, ptr %q) #0 {
  %t = call i32 @__vx_thread_idx_x()
  %one = insertelement <2 x i32> poison, i32 %t, i32 0
  %both = insertelement <2 x i32> %one, i32 3, i32 1
  %mask = icmp ult <2 x i32> %both, <i32 7, i32 8>
  %v = call <2 x float> @llvm.masked.load(ptr %p, <2 x i1> %mask, <2 x float> zeroinitializer)
  call void @llvm.masked.store(<2 x float> %v, ptr %q, <2 x i1> %mask)
  ret void
}
attributes #0 = { "vx-kernel" }
