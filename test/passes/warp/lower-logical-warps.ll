; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The mapping thread-per-lane of the sw lowering: votes and shuffles of a logical warp of up to eight
; hardware warps.
; RUN: %vx_opt -passes=vx-lower-logical-warps %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Uniform: each hardware warp stores its votes for each of its lanes, there is one barrier, and a lane
; loads its own ballot, 64 bits.
; CHECK-LABEL: define void @ballot(
; CHECK: %logical.barrier = add
; CHECK: %logical.votes = select
; CHECK: store volatile i32
; CHECK: store volatile i8
; CHECK: .insn r 0x0B, 4
; CHECK-NEXT: add i64
; CHECK-NEXT: inttoptr
; CHECK-NEXT: [[ALL:%[0-9]+]] = load volatile i64
; CHECK-NEXT: and i64 [[ALL]], %logical.votes
; CHECK-NOT: .insn r 0x0B, 4
; CHECK: ret void
define void @ballot(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="uniform" {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  store i32 %r, ptr %p
  ret void
}

; Whether any lane votes: a byte of eight for each hardware warp.
; CHECK-LABEL: define void @any(
; CHECK: [[MASK:%logical.flags]] = lshr i64 72340172838076673,
; CHECK: store volatile i8 0
; CHECK: store volatile i8 1
; CHECK: .insn r 0x0B, 4
; CHECK: [[FLAGS:%[0-9]+]] = load volatile i64
; CHECK: and i64 [[FLAGS]], [[MASK]]
define void @any(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="uniform" {
  %r = call i32 @__vx_vote_any(i32 -1, i32 %v)
  store i32 %r, ptr %p
  ret void
}

; Lanes may have ended: the hardware warps each leave 32 bits, and every lane reads those of all.
; They reconverge before anything else is stored.
; CHECK-LABEL: define void @ends(
; CHECK: store volatile i32
; CHECK: store volatile i8 2
; CHECK: .insn r 0x0B, 4
; CHECK-COUNT-7: load volatile i32
; CHECK: .insn r 0x0B, 4
define void @ends(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="early-exit" {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 %v)
  store i32 %r, ptr %p
  ret void
}

declare i32 @__vx_vote_ballot(i32, i32) convergent
declare i32 @__vx_vote_any(i32, i32) convergent
