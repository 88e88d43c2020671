; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic operations of a single thread are plain ones; others stay.
; RUN: %vx_opt -passes=vx-lower-own-atomics %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @own(
; CHECK: [[V:%.*]] = load i32, ptr %p
; CHECK: [[SUM:%.*]] = add i32 [[V]], %x
; CHECK: store i32 [[SUM]], ptr %p
; CHECK: load i32, ptr %p
; CHECK: icmp eq i32
; CHECK: store i32
define i32 @own(ptr %p, i32 %x) {
  %v = atomicrmw add ptr %p, i32 %x syncscope("singlethread") monotonic
  %w = cmpxchg ptr %p, i32 %v, i32 %x syncscope("singlethread") monotonic monotonic
  %r = extractvalue { i32, i1 } %w, 0
  ret i32 %r
}

; CHECK-LABEL: @others(
; CHECK: atomicrmw add ptr %p, i32 %x monotonic
define i32 @others(ptr %p, i32 %x) {
  %v = atomicrmw add ptr %p, i32 %x monotonic
  ret i32 %v
}
