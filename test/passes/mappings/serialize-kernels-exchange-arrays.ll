; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Shuffles leave their values in the same array over lanes where no region reads the one's and leaves
; the other's: a chain takes two arrays in rotation. The bytes of a block besides its threads'
; are 32 lanes of
;    16 (the value that crosses)  + 8 (two arrays), rounded up to 16: 32
;    16                           + 16 (two arrays of 64 bits) + 4: 48
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @__vx_entry.serial.chain(
; CHECK: region0.lanes.i:
; CHECK: [[FIRST:%.*]] = mul i64 512, %
; CHECK: getelementptr inbounds i8, ptr %context, i64 [[FIRST]]
; CHECK: region1.lanes.i:
; CHECK: mul i64 512, %
; CHECK: mul i64 640, %
; CHECK: region2.lanes.i:
; CHECK: mul i64 640, %
; CHECK: mul i64 512, %
; CHECK: region3.lanes.i:
; CHECK: mul i64 512, %
; CHECK: mul i64 640, %
; CHECK: !{!"name", !"chain", !"directEntry", ptr @__vx_entry.serial.chain, !"chunkedEntry", ptr @__vx_entry.serial.chain, !"mapping", !"block-per-lane", !"mapping", !"warps-per-lane", !"contextFixedBytes", i64 1024,
define void @chain(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %a = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 16, i32 31)
  %va = add i32 %v, %a
  %b = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %va, i32 8, i32 31)
  %vb = add i32 %va, %b
  %c = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %vb, i32 4, i32 31)
  %vc = add i32 %vb, %c
  %d = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %vc, i32 2, i32 31)
  %vd = add i32 %vc, %d
  %e = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %vd, i32 1, i32 31)
  %ve = add i32 %vd, %e
  store i32 %ve, ptr %at
  ret void
}

; Elements of 64 bits have arrays of their own.
; CHECK: !{!"name", !"sizes", !"directEntry", ptr @__vx_entry.serial.sizes, !"chunkedEntry", ptr @__vx_entry.serial.sizes, !"mapping", !"block-per-lane", !"mapping", !"warps-per-lane", !"contextFixedBytes", i64 1536,
define void @sizes(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i64, ptr %p, i32 %t
  %v = load i64, ptr %at
  %a = call i64 @__vx_shfl_bfly_64(i32 -1, i64 %v, i32 16, i32 31)
  %va = add i64 %v, %a
  %b = call i64 @__vx_shfl_bfly_64(i32 -1, i64 %va, i32 8, i32 31)
  %vb = add i64 %va, %b
  %n = trunc i64 %vb to i32
  %c = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %n, i32 4, i32 31)
  store i32 %c, ptr %at
  ret void
}

; A loop comes back to a shuffle that it has read: what separates the two keeps them in one array.
; CHECK: !{!"name", !"again", !"directEntry", ptr @__vx_entry.serial.again, !"chunkedEntry", ptr @__vx_entry.serial.again, !"mapping", !"block-per-lane", !"mapping", !"warps-per-lane", !"contextFixedBytes", i64 1024,
define void @again(ptr %p, i32 %n) "vx-kernel" "vx-lower"="sw" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %v, %entry ], [ %y, %loop ]
  %o = call i32 @__vx_shfl_down_32(i32 -1, i32 %x, i32 1, i32 31)
  %y = add i32 %x, %o
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  store i32 %y, ptr %at
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32) convergent
declare i64 @__vx_shfl_bfly_64(i32, i64, i32, i32) convergent
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32) convergent
