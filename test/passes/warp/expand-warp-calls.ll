; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call whose target differs between threads becomes compares and direct calls of what has warp functions;
; the others share the call that is left, which says so.
; RUN: %vx_opt -passes=vx-expand-warp-calls %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@table = constant [4 x ptr] [ptr @votes, ptr @plain, ptr @leads, ptr @another]

; CHECK-LABEL: @divergent(
; CHECK: [[F:%.*]] = load ptr
; CHECK: icmp eq ptr [[F]], @votes
; CHECK: call i32 @votes(i32 %t)
; CHECK: icmp eq ptr [[F]], @leads
; CHECK: call i32 @leads(i32 %t)
; CHECK-NOT: icmp
; CHECK: call i32 [[F]](i32 %t), !callees [[REST:!.*]]
; CHECK: ret void
define void @divergent(ptr %out) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %p = getelementptr ptr, ptr @table, i32 %t
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 %t)
  store i32 %r, ptr %out
  ret void
}

; One target for all threads: it stays.
; CHECK-LABEL: @uniform(
; CHECK-NOT: icmp
; CHECK: call i32 %f(i32 3)
define void @uniform(ptr %f, ptr %out) "vx-kernel" {
  %r = call i32 %f(i32 3)
  store i32 %r, ptr %out
  ret void
}

; Nothing of that type has a warp function.
; CHECK-LABEL: @other_type(
; CHECK-NOT: icmp
; CHECK: ret void
define void @other_type() "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %p = getelementptr ptr, ptr @table, i32 %t
  %f = load ptr, ptr %p
  call void %f(float 1.0)
  ret void
}

; CHECK: [[REST]] = !{ptr @plain}
define internal i32 @votes(i32 %x) {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 %x)
  ret i32 %r
}
define internal i32 @plain(i32 %x) {
  ret i32 %x
}
define internal i32 @leads(i32 %x) {
  %r = call i32 @votes(i32 %x)
  ret i32 %r
}
define internal void @another(float %x) {
  ret void
}
declare i32 @__vx_thread_idx_x()
declare i32 @__vx_vote_ballot(i32, i32) convergent
