; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

define void @groups(ptr %barrier) "vx-kernel" {
  call void @__vx_group_sync(i32 64)
  call void @__vx_thread_wait()
  %d = call i32 @__vx_mbarrier_test(ptr %barrier, i32 0)
  store i32 %d, ptr %barrier
  ret void
}

declare void @__vx_group_sync(i32) #1
declare i32 @__vx_mbarrier_test(ptr, i32)
declare void @__vx_thread_wait() #1
attributes #1 = { convergent }
