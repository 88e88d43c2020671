; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The sw lowering: the CUDA warps of a block may be spread over hardware threads, where the launch
; descriptor says so.
; RUN: %vx_opt -passes=vx-stage-decide,vx-stage-serialize,simplifycfg %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@words = internal addrspace(3) global [32 x i32] undef

; Each hardware thread runs every step-th warp, from its own on; its contexts have room for those
; warps only. Between two barrier regions the hardware warps of the block wait for each other, if they are several, and again
; before the next block takes over the shared memory.
; CHECK-LABEL: define void @__vx_entry.serial.parts(
; CHECK: %first = add i32
; CHECK: icmp ult i32 %first,
; CHECK: barrier.region0.warps
; CHECK: %warp.place{{.*}} = phi i32 [ 0,
; CHECK: %warp{{.*}} = phi i32 [ %first, {{.*}} ], [ %{{[0-9]+}}, %region1.done
; CHECK: barrier.region0.done
; CHECK: icmp ugt i32 [[JOIN:%[0-9]+]], 1
; CHECK: [[PLACE:%place.*]] = add nuw i32 {{.*}}, %lane
; CHECK: zext i32 [[PLACE]] to i64
; CHECK: barrier{{[0-9.]*[a-z]?}}:
; CHECK: asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1"
; CHECK: body.end:
; CHECK: icmp ugt i32 [[JOIN]], 1
; CHECK: asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1"
define void @parts(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load volatile i32, ptr %at
  %w = lshr i32 %t, 5
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  %word = getelementptr i32, ptr addrspace(3) @words, i32 %w
  store i32 %b, ptr addrspace(3) %word
  call void @__vx_barrier()
  %first = load i32, ptr addrspace(3) @words
  %sum = add i32 %first, %v
  store i32 %sum, ptr %at
  ret void
}

; Where warps may be at different barriers, the hardware threads agree on the part that follows.
; CHECK-LABEL: define void @__vx_entry.serial.apart(
; CHECK: phase.warps
; CHECK: agree{{.*}}:
; CHECK: atomicrmw umin ptr
; CHECK: .insn r 0x0B, 4
; CHECK: load volatile i32
define void @apart(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load volatile i32, ptr %at
  %b = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  %c = icmp ult i32 %t, 40
  br i1 %c, label %some, label %end
some:
  call void @__vx_barrier()
  store i32 %b, ptr %at
  br label %end
end:
  ret void
}

; One with barriers only is mapped as in hw instead.
; CHECK-LABEL: define void @__vx_entry.serial.plain(
; CHECK-NOT: .insn r 0x0B, 4
define void @plain(ptr %p) "vx-kernel" "vx-lower"="sw" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  call void @__vx_barrier()
  store i32 %v, ptr %p
  ret void
}

; CHECK: !{!"name", !"parts"

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
