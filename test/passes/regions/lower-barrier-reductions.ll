; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A reduction over the block is an atomic add into one of three words around one barrier.
; RUN: %vx_opt -passes=vx-lower-barrier-reductions %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The next word is cleared before the barrier, this one is read after it.
; CHECK-LABEL: @count(
; CHECK: %word = alloca i32
; CHECK: store i32 0, ptr %word
; CHECK: [[NUMBER:%.*]] = load i32, ptr %word
; CHECK: [[WRAP:%.*]] = icmp eq i32 [[NUMBER]], 2
; CHECK: [[PLUS:%.*]] = add i32 [[NUMBER]], 1
; CHECK: [[NEXT:%.*]] = select i1 [[WRAP]], i32 0, i32 [[PLUS]]
; CHECK: store i32 [[NEXT]], ptr %word
; CHECK: [[TAIL:%.*]] = call ptr @__vx_shared_tail()
; CHECK: [[COUNTS:%.*]] = getelementptr inbounds {{.*}}i8, ptr [[TAIL]], i64 16
; CHECK: [[WORD:%.*]] = getelementptr i32, ptr [[COUNTS]], i32 [[NUMBER]]
; CHECK: [[CLEARED:%.*]] = getelementptr i32, ptr [[COUNTS]], i32 [[NEXT]]
; CHECK: store volatile i32 0, ptr [[CLEARED]]
; CHECK: [[SET:%.*]] = icmp ne i32 %v, 0
; CHECK: [[ONE:%.*]] = zext i1 [[SET]] to i32
; CHECK: atomicrmw add ptr [[WORD]], i32 [[ONE]] monotonic
; CHECK: call void @__vx_barrier() [[CONVERGENT:#[0-9]+]]
; CHECK: [[TOTAL:%.*]] = load volatile i32, ptr [[WORD]]
; CHECK: ret i32 [[TOTAL]]
define i32 @count(i32 %v) "vx-kernel" {
  %r = call i32 @__vx_barrier_count(i32 %v)
  ret i32 %r
}

; and: no thread has a zero.
; CHECK-LABEL: @and(
; CHECK: icmp eq i32 %v, 0
; CHECK: atomicrmw add
; CHECK: [[TOTAL:%.*]] = load volatile i32
; CHECK: [[NONE:%.*]] = icmp eq i32 [[TOTAL]], 0
; CHECK: zext i1 [[NONE]] to i32
define i32 @and(i32 %v) "vx-kernel" {
  %r = call i32 @__vx_barrier_and(i32 %v)
  ret i32 %r
}

; CHECK-LABEL: @or(
; CHECK: icmp ne i32 %v, 0
; CHECK: [[TOTAL:%.*]] = load volatile i32
; CHECK: [[SOME:%.*]] = icmp ne i32 [[TOTAL]], 0
; CHECK: zext i1 [[SOME]] to i32
define i32 @or(i32 %v) "vx-kernel" {
  %r = call i32 @__vx_barrier_or(i32 %v)
  ret i32 %r
}

; Two in a row use different words.
; CHECK-LABEL: @two(
; CHECK-COUNT-1: alloca
; CHECK-COUNT-2: load i32, ptr %word
; CHECK-NOT: load i32, ptr %word
define void @two(i32 %v) "vx-kernel" {
  %r = call i32 @__vx_barrier_or(i32 %v)
  %s = call i32 @__vx_barrier_count(i32 %r)
  ret void
}

; CHECK-LABEL: @plain(
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: ret void
define void @plain() "vx-kernel" {
  call void @__vx_barrier()
  ret void
}

; CHECK: attributes [[CONVERGENT]] = { convergent }
declare void @__vx_barrier() convergent
declare i32 @__vx_barrier_count(i32) convergent
declare i32 @__vx_barrier_and(i32) convergent
declare i32 @__vx_barrier_or(i32) convergent
