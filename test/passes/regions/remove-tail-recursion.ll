; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What has a boundary and ends with a call of itself becomes a loop, with its locals in memory or not.
; RUN: %vx_opt -passes=vx-remove-tail-recursion %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @halve(
; CHECK: tailrecurse:
; CHECK-NEXT: phi i32
; CHECK: call void @__vx_barrier()
; CHECK-NOT: call i32 @halve
; CHECK: br label %tailrecurse
define internal i32 @halve(i32 %n) {
entry:
  %local = alloca i32
  %result = alloca i32
  store i32 %n, ptr %local
  %m = load i32, ptr %local
  %zero = icmp eq i32 %m, 0
  br i1 %zero, label %end, label %more
more:
  call void @__vx_barrier()
  %half = lshr i32 %m, 1
  %r = call i32 @halve(i32 %half)
  store i32 %r, ptr %result
  br label %return
end:
  store i32 7, ptr %result
  br label %return
return:
  %value = load i32, ptr %result
  ret i32 %value
}

; In the middle it stays.
; CHECK-LABEL: @middle(
; CHECK: call void @middle(
; CHECK: call void @__vx_barrier()
define internal void @middle(i32 %n) {
  %half = lshr i32 %n, 1
  call void @middle(i32 %half)
  call void @__vx_barrier()
  ret void
}

; Without boundaries, too.
; CHECK-LABEL: @plain(
; CHECK: call void @plain(
define internal void @plain(i32 %n) {
  %half = lshr i32 %n, 1
  call void @plain(i32 %half)
  ret void
}

define void @kernel(i32 %n) "vx-kernel" {
  %r = call i32 @halve(i32 %n)
  call void @middle(i32 %r)
  call void @plain(i32 %r)
  ret void
}
declare void @__vx_barrier() convergent
