; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel with warp functions regroups its threads, where the launch asks for it, before anything
; else. The numbers of threads are those of the hardware warps, read at one place before.
; RUN: %vx_opt -passes=vx-place-tiles,vx-map-kernels %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @__vx_entry.direct.votes(
; CHECK-NEXT: entry:
; CHECK: getelementptr inbounds{{.*}} i8, ptr %desc, i64 116
; CHECK-NEXT: [[GROUPS:%.*]] = load i32
; CHECK: call i64 asm sideeffect "csrr $0, 0xCC1"
; CHECK: br i1 {{%.*}}, label %slot.work, label %done
; CHECK: slot.work:
; CHECK: call i64 asm sideeffect "csrr $0, 0xCC0"
; CHECK: getelementptr inbounds{{.*}} i8, ptr %desc, i64 112
; CHECK-NEXT: [[OPERANDS:%.*]] = load i32
; CHECK-NEXT: [[ANY:%.*]] = icmp ne i32 [[OPERANDS]], 0
; CHECK-NEXT: br i1 [[ANY]], label %regroup, label %groups
; CHECK: regroup:
; CHECK-NEXT: [[MASK:%.*]] = lshr i32 [[OPERANDS]], 8
; CHECK-NEXT: [[SIZE:%.*]] = and i32 [[OPERANDS]], 255
; CHECK: call void asm sideeffect ".insn r 0x5B, 0, 0, x0, $0, $1", "r,r,~{memory}"
; CHECK-NEXT: br label %groups
; CHECK: groups:
; Groups wait at the barrier.
; CHECK: [[COUNT:%.*]] = zext i32 [[GROUPS]] to i64
; CHECK-NEXT: call void asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 {{%.*}}, i64 [[COUNT]])
; CHECK: ret void
define void @votes(ptr %p) #0 {
  %v = load i32, ptr %p
  %a = call i32 @__vx_vote_any(i32 -1, i32 %v)
  call void @__vx_barrier()
  store i32 %a, ptr %p
  ret void
}

; Shuffles within segments of 8 lanes need 8; what a function does that is called counts.
define void @segments(ptr %p) #0 {
  %v = load i32, ptr %p
  %a = call i32 @__vx_shfl_down_32(i32 -1, i32 %v, i32 1, i32 6175)
  %b = call i32 @pairs(i32 %a)
  store i32 %b, ptr %p
  ret void
}
define internal i32 @pairs(i32 %v) noinline {
  %a = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 1, i32 31)
  ret i32 %a
}

; A group of threads that spans several warps takes no regrouping.
; CHECK-LABEL: define void @__vx_entry.direct.groups(
; CHECK-NOT: 0x5B
; CHECK: ret void
define void @groups(ptr %p) #0 {
  call void @__vx_group_sync(i32 64)
  ret void
}

; The kernel table: … groups of 32, of 8, none; regrouping is possible; not exact.
; CHECK: !{!"name", !"votes", {{.*}}!"groupThreads", i64 32, {{.*}}!"regroups", i64 1, !"params"
; CHECK: !{!"name", !"segments", {{.*}}!"groupThreads", i64 8, !"regroups", i64 1, !"params"
; CHECK: !{!"name", !"groups", {{.*}}!"mapping", !"hw", !"uses-barrier", i64 1, !"params"
attributes #0 = { "vx-kernel" }
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare void @__vx_barrier() #1
declare void @__vx_group_sync(i32) #1
attributes #1 = { convergent }
