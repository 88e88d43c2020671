; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One instruction for each vote and shuffle, profile `warp`. The comments name the instruction;
; funct7 of a shuffle with a constant is the offset.
; RUN: %vx_opt -passes=vx-lower-warp %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A full mask is register x0.
define i32 @votes_of_all(i1 %p) {
; CHECK-LABEL: @votes_of_all
; CHECK: [[P:%.*]] = zext i1 %p to i32
  %z = zext i1 %p to i32
; CHECK: call i64 asm sideeffect ".insn r 0x0B, 0, 1, $0, $1, x0", "=r,r"(i32 [[P]]) [[EXCHANGE:#[0-9]+]]
  %a = call i32 @__vx_vote_all(i32 -1, i32 %z)
; CHECK: asm sideeffect ".insn r 0x0B, 1, 1, $0, $1, x0"
  %b = call i32 @__vx_vote_any(i32 -1, i32 %z)
; CHECK: asm sideeffect ".insn r 0x0B, 2, 1, $0, $1, x0"
  %c = call i32 @__vx_vote_uni(i32 -1, i32 %z)
; CHECK: asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0"
  %d = call i32 @__vx_vote_ballot(i32 -1, i32 %z)
  %e = add i32 %a, %b
  %f = add i32 %c, %d
  %g = add i32 %e, %f
  ret i32 %g
}

; A predicate that is not a truth value becomes one.
define i32 @vote_of_some(i32 %m, i32 %v) {
; CHECK-LABEL: @vote_of_some
; CHECK: [[T:%.*]] = icmp ne i32 %v, 0
; CHECK: [[P:%.*]] = zext i1 [[T]] to i32
; CHECK: [[R:%.*]] = call i64 asm sideeffect ".insn r 0x0B, 1, 1, $0, $1, $2", "=r,r,r"(i32 [[P]], i32 %m)
; CHECK: trunc nuw nsw i64 [[R]] to i32
  %a = call i32 @__vx_vote_any(i32 %m, i32 %v)
  ret i32 %a
}

; The lanes that are here are the members, as long as no branch comes between.
define i32 @active(i32 %v) {
; CHECK-LABEL: @active
; CHECK-NOT: asm
; CHECK: asm sideeffect ".insn r 0x0B, 1, 1, $0, $1, x0"
; CHECK-NOT: asm
  %m = call i32 @__vx_activemask()
  %a = call i32 @__vx_vote_any(i32 %m, i32 %v)
  ret i32 %a
}
define i32 @active_mask() {
; CHECK-LABEL: @active_mask
; CHECK: asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0", "=r,r"(i32 1)
  %m = call i32 @__vx_activemask()
  ret i32 %m
}

; Constant offsets are part of the instruction; the clamp word is segment mask << 6 | clamp.
define i32 @shuffles(i32 %m, i32 %v) {
; CHECK-LABEL: @shuffles
; CHECK: call i32 asm sideeffect ".insn r 0x2B, 0, 3, $0, $1, x0", "=r,r"(i32 %v)
  %a = call i32 @__vx_shfl_up_32(i32 %m, i32 %v, i32 3, i32 0)
; CHECK: asm sideeffect ".insn r 0x2B, 1, 4, $0, $1, $2", "=r,r,r"(i32 {{%.*}}, i32 31)
  %b = call i32 @__vx_shfl_down_32(i32 -1, i32 %a, i32 4, i32 31)
; Width 8: segment mask 24, clamp 31.
; CHECK: asm sideeffect ".insn r 0x2B, 2, 1, $0, $1, $2", "=r,r,r"(i32 {{%.*}}, i32 1567)
  %c = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %b, i32 1, i32 6175)
; CHECK: asm sideeffect ".insn r 0x2B, 3, 0, $0, $1, $2"
  %d = call i32 @__vx_shfl_idx_32(i32 -1, i32 %c, i32 32, i32 31)
  ret i32 %d
}

; A variable lane is put together with the clamp word.
define i32 @shuffle_lane(i32 %v, i32 %lane) {
; CHECK-LABEL: @shuffle_lane
; CHECK: [[L:%.*]] = and i32 %lane, 31
; CHECK: [[C:%.*]] = or i32 1984, [[L]]
; CHECK: asm sideeffect ".insn r 0x0B, 7, 1, $0, $1, $2", "=r,r,r"(i32 %v, i32 [[C]])
  %a = call i32 @__vx_shfl_idx_32(i32 -1, i32 %v, i32 %lane, i32 31)
  ret i32 %a
}

; 64 bits in one.
define i64 @shuffle_64(i64 %v) {
; CHECK-LABEL: @shuffle_64
; CHECK: call i64 asm sideeffect ".insn r 0x2B, 2, 16, $0, $1, $2", "=r,r,r"(i64 %v, i32 31)
; CHECK-NEXT: ret
  %a = call i64 @__vx_shfl_bfly_64(i32 -1, i64 %v, i32 16, i32 31)
  ret i64 %a
}

; No instruction, but memory is not reordered.
define void @warp_sync(i32 %m) {
; CHECK-LABEL: @warp_sync
; CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT: ret
  call void @__vx_warp_sync(i32 %m)
  ret void
}

; CHECK: attributes [[EXCHANGE]] = { convergent nounwind willreturn memory(inaccessiblemem: readwrite) }
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_vote_uni(i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_activemask()
declare void @__vx_warp_sync(i32)
declare i32 @__vx_shfl_up_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_down_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare i32 @__vx_shfl_idx_32(i32, i32, i32, i32)
declare i64 @__vx_shfl_bfly_64(i32, i64, i32, i32)
