; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In Vortex's profile a failed attempt is followed by a wait that depends on the hardware warp and the round, so
; that warps that share one reservation get out of step.
; RUN: %vx_opt -passes=vx-expand-atomics %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @swap(
; CHECK: atomic:
; CHECK-NEXT: %[[ROUND:.*]] = phi i32 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %atomic.wait ]
; CHECK: sc.w.rl
; CHECK: br i1 %{{.*}}, label %atomic.failed, label %
; CHECK: atomic.failed:
; CHECK-NEXT: %[[NEXT]] = add i32 %[[ROUND]], 1
; CHECK: csrr $0, 0xCC1
; CHECK: %[[PRODUCT:.*]] = mul i32 %[[NEXT]],
; CHECK-NEXT: %[[TURNS:.*]] = and i32 %[[PRODUCT]], 15
; CHECK: atomic.wait:
; CHECK-NEXT: %[[LEFT:.*]] = phi i32 [ %[[TURNS]], %atomic.failed ], [ %[[LESS:.*]], %atomic.wait ]
; CHECK-NEXT: %[[LESS]] = sub i32 %[[LEFT]], 1
; CHECK: %[[DONE:.*]] = icmp eq i32 %[[LEFT]], 0
; CHECK-NEXT: br i1 %[[DONE]], label %atomic, label %atomic.wait
define i32 @swap(ptr %p) {
  %r = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic, align 4
  %old = extractvalue { i32, i1 } %r, 0
  ret i32 %old
}

; CHECK-LABEL: @addFloat(
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %atomic.failed
define float @addFloat(ptr %p, float %v) {
  %old = atomicrmw fadd ptr %p, float %v monotonic, align 4
  ret float %old
}

; What has an instruction needs no loop.
; CHECK-LABEL: @add(
; CHECK-NEXT: atomicrmw add
define i32 @add(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret i32 %old
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.isa", i32 1}
