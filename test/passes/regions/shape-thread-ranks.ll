; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The linear number of a thread, whatever the block's shape, is that of its warp and its lane:
; `rank < 32` is one value for a warp, and a shuffle under it needs no sets of waiting threads.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REGIONS
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; REGIONS: regions of first_warp:
; REGIONS-NEXT: loops: warps and lanes{{$}}
; REGIONS: regions of half_warp:
; REGIONS-NEXT: loops: warps and lanes, sets of waiting threads
; REGIONS: regions of other_order:
; REGIONS-NEXT: loops: warps and lanes, sets of waiting threads

; LOOPS-LABEL: define void @__vx_entry.serial.first_warp(
; LOOPS: icmp ult i32 %warp{{.*}}, 1
define void @first_warp(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %z = call i32 @__vx_thread_idx_z()
  %dx = call i32 @__vx_block_dim_x()
  %dy = call i32 @__vx_block_dim_y()
  %slices = mul i32 %dy, %z
  %row = add i32 %slices, %y
  %rows = mul i32 %row, %dx
  %rank = add i32 %x, %rows
  %first = icmp ult i32 %rank, 32
  br i1 %first, label %some, label %end
some:
  %at = getelementptr i32, ptr %p, i32 %rank
  %v = load i32, ptr %at
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 1, i32 31)
  store i32 %r, ptr %at
  br label %end
end:
  ret void
}

; Half a warp takes this path.
define void @half_warp(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %z = call i32 @__vx_thread_idx_z()
  %dx = call i32 @__vx_block_dim_x()
  %dy = call i32 @__vx_block_dim_y()
  %slices = mul i32 %dy, %z
  %row = add i32 %slices, %y
  %rows = mul i32 %row, %dx
  %rank = add i32 %x, %rows
  %first = icmp ult i32 %rank, 16
  br i1 %first, label %some, label %end
some:
  %at = getelementptr i32, ptr %p, i32 %rank
  %v = load i32, ptr %at
  %r = call i32 @__vx_shfl_bfly_32(i32 65535, i32 %v, i32 1, i32 31)
  store i32 %r, ptr %at
  br label %end
end:
  ret void
}

; This is not the number that warps are made of.
define void @other_order(ptr %p) "vx-kernel" "vx-lower"="sw" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %y = call i32 @__vx_thread_idx_y()
  %dy = call i32 @__vx_block_dim_y()
  %columns = mul i32 %x, %dy
  %number = add i32 %columns, %y
  %first = icmp ult i32 %number, 32
  br i1 %first, label %some, label %end
some:
  %at = getelementptr i32, ptr %p, i32 %number
  %v = load i32, ptr %at
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 1, i32 31)
  store i32 %r, ptr %at
  br label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_thread_idx_y()
declare i32 @__vx_thread_idx_z()
declare i32 @__vx_block_dim_x()
declare i32 @__vx_block_dim_y()
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
