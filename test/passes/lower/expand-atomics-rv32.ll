; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With 32-bit registers, every atomic access to 64 bits holds a lock, inside the loop that waits.
; RUN: %vx_opt -passes=vx-expand-atomics %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"

; CHECK: @__vx_atomic_locks = internal global [256 x i32] zeroinitializer

; CHECK-LABEL: @add(
; CHECK: %[[SHIFTED:.*]] = lshr i32 {{.*}}, 1
; CHECK: and i32 %[[SHIFTED]], 1020
; CHECK: atomic:
; CHECK: %[[BUSY:.*]] = atomicrmw xchg ptr %[[LOCK:.*]], i32 1 acquire
; CHECK: %[[TAKEN:.*]] = icmp eq i32 %[[BUSY]], 0
; CHECK: br i1 %[[TAKEN]], label %atomic.locked, label %atomic.latch
; CHECK: atomic.locked:
; CHECK: %[[OLD:.*]] = load volatile i64, ptr %p, align 8
; CHECK: %[[NEW:.*]] = add i64 %[[OLD]], %v
; CHECK: store volatile i64 %[[NEW]], ptr %p, align 8
; CHECK: atomicrmw xchg ptr %[[LOCK]], i32 0 release
; CHECK: atomic.latch:
; CHECK: %[[R:.*]] = phi i64 [ %[[OLD]], %atomic.locked ]
; CHECK: br i1 %[[TAKEN]], label %{{.*}}, label %atomic
; CHECK: ret i64 %[[R]]
define i64 @add(ptr %p, i64 %v) {
  %old = atomicrmw add ptr %p, i64 %v monotonic, align 8
  ret i64 %old
}

; CHECK-LABEL: @swap(
; CHECK: %[[NOW:.*]] = load volatile i64
; CHECK: %[[EQUAL:.*]] = icmp eq i64 %[[NOW]], %e
; CHECK: select i1 %[[EQUAL]], i64 %d, i64 %[[NOW]]
define i1 @swap(ptr %p, i64 %e, i64 %d) {
  %r = cmpxchg ptr %p, i64 %e, i64 %d monotonic monotonic, align 8
  %done = extractvalue { i64, i1 } %r, 1
  ret i1 %done
}

; CHECK-LABEL: @loadStore(
; CHECK-COUNT-2: atomicrmw xchg ptr {{.*}}, i32 1 acquire
; CHECK-NOT: load atomic
; CHECK-NOT: store atomic
define void @loadStore(ptr %p) {
  %v = load atomic i64, ptr %p monotonic, align 8
  store atomic i64 %v, ptr %p monotonic, align 8
  ret void
}

; Thirty-two bits have instructions.
; CHECK-LABEL: @word(
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 monotonic
define i32 @word(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret i32 %old
}
