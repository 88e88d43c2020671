; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A value that is set before the first of three boundaries and read after the last: kept once, and not
; written again on the way. Two values that never live at once have one place.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=WARPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; REGIONS: regions of across:
; REGIONS: loops: threads{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after barrier -> 2{{$}}
; REGIONS-NEXT: region 2 after barrier -> 3{{$}}
; REGIONS-NEXT: region 3 after barrier -> 4{{$}}
; REGIONS-NEXT: region 4 after barrier -> end
; REGIONS-NEXT: %long: array over threads at 0, i32, into 1 2 3 4{{$}}
; REGIONS-NEXT: %first: array over threads at 4, i32, into 2{{$}}
; REGIONS-NEXT: %second: array over threads at 4, i32, into 4{{$}}
; REGIONS-NEXT: context: 16 bytes a thread, 0 bytes a lane
; LOOPS-LABEL: define void @__vx_entry.serial.across(
; LOOPS: region0.thread.i:
; LOOPS: store i32 %long.r0.i, ptr %{{.*}}
; LOOPS: region1.thread.i:
; LOOPS: store i32 %first.r1.i, ptr %{{.*}}
; LOOPS-NOT: store
; LOOPS: region2.thread.i:
; LOOPS: store i32 %{{.*}}, ptr %at{{.*}}.r2.i
; LOOPS-NOT: store
; LOOPS: region3.thread.i:
; LOOPS: store i32 %second.r3.i, ptr
; LOOPS-NOT: store
; LOOPS: region4.thread.i:
; LOOPS: %sum.r4.i = add i32
; WARPS: define void @across.warps
define void @across(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %long = load i32, ptr %at
  %f = xor i32 %t, 33
  %from = getelementptr i32, ptr %p, i32 %f
  call void @__vx_barrier()
  %first = load i32, ptr %from
  call void @__vx_barrier()
  store i32 %first, ptr %at
  call void @__vx_barrier()
  %second = load i32, ptr %from
  call void @__vx_barrier()
  %sum = add i32 %second, %long
  store i32 %sum, ptr %at
  ret void
}
; REGIONS: regions of levels:
; REGIONS: loops: warps and lanes{{$}}
; REGIONS-NEXT: region 0 -> 1{{$}}
; REGIONS-NEXT: region 1 after shfl_down_32 -> 2{{$}}
; REGIONS-NEXT: region 2 after shfl_idx_32 -> 3{{$}}
; REGIONS-NEXT: region 3 after barrier -> 4{{$}}
; REGIONS-NEXT: region 4 after shfl_idx_32 -> end
; REGIONS-NEXT: %long: array over threads at 0, i32, into 1 2 3{{$}}
; REGIONS-NEXT: %prod: array over lanes at 0, i32, into 2{{$}}
; REGIONS-NEXT: context: 16 bytes a thread, 16 bytes a lane
; LOOPS-LABEL: define void @__vx_entry.serial.levels(
; LOOPS: barrier.region0.warps.i:
; LOOPS: barrier.region3.warps.i:
; WARPS: define void @levels.warps
; Across synchronizations of the warp only, arrays are over its lanes; across the barrier, over the block.
define void @levels(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %long = load i32, ptr %at
  %next = call i32 @__vx_shfl_down_32(i32 -1, i32 %long, i32 1, i32 31)
  %prod = mul i32 %next, %long
  %last = call i32 @__vx_shfl_idx_32(i32 -1, i32 %prod, i32 3, i32 31)
  %sum = add i32 %prod, %last
  store i32 %sum, ptr %at
  call void @__vx_barrier()
  %again = call i32 @__vx_shfl_idx_32(i32 -1, i32 %long, i32 5, i32 31)
  store i32 %again, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32) convergent
declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32) convergent
