; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: not %vx_opt -passes=vx-lower-functions %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK: error: {{.*}}warp-level synchronization is not supported by this lowering
define void @f() {
  call void @__vx_warp_sync(i32 -1)
  ret void
}
declare void @__vx_warp_sync(i32)
