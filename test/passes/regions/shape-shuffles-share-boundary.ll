; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Shuffles of values that are known before the first of them share its boundary. One whose value
; depends on another has its own, and so has one of other lanes.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; REGIONS: regions of shuffles:
; REGIONS: region 0 -> 1
; REGIONS: region 1 after shfl_bfly_32 -> 2
; REGIONS: region 2 after shfl_bfly_32 -> 3
; REGIONS: region 3 after shfl_down_32 -> end
; Both values are stored by the first loop, each in an array of its own, and read by the second.
; LOOPS-LABEL: define void @__vx_entry.serial.shuffles(
; LOOPS: region0.lane.i:
; LOOPS: store i32 %v.r0.i, ptr
; LOOPS: store i32 %product.r0.i, ptr
; LOOPS: region1.lane.i:
; LOOPS: %a.r1.i = select
; LOOPS: %b.r1.i = select
; LOOPS: region2.lane.i:
define void @shuffles(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 1, i32 31)
  %product = mul i32 %v, 5
  %b = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %product, i32 2, i32 31)
  %sum = add i32 %a, %b
  %c = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %sum, i32 4, i32 31)
  %d = call i32 @__vx_shfl_down_32(i32 65535, i32 %v, i32 1, i32 31)
  %all = add i32 %c, %d
  store i32 %all, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32)
