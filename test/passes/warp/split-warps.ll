; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Mapping split-warps: what few lanes exchange stays inside a hardware warp where that has so many.
; RUN: %vx_opt -passes=vx-split-warps %s | FileCheck %s
; RUN: %vx_opt -passes=vx-split-warps,vx-lower-logical-warps,vx-lower-warp %s | FileCheck %s --check-prefix=CODE
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A butterfly over eight lanes: an instruction, or an exchange with its barrier.
; CHECK-LABEL: define void @eight(
; CHECK: %warp.lanes = trunc i64
; CHECK: %is.inside = icmp uge i32 %warp.lanes, 8
; CHECK-NEXT: br i1 %is.inside, label %[[INSIDE:[0-9a-z.]+]], label %[[ACROSS:[0-9a-z.]+]]
; CHECK: [[INSIDE]]:
; CHECK-NEXT: [[A:%[0-9a-z]+]] = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 4, i32 31) [[MARK:#[0-9]+]]
; CHECK: [[ACROSS]]:
; CHECK-NEXT: [[B:%[0-9a-z]+]] = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 4, i32 31){{$}}
; CHECK: phi i32 [ [[A]], %[[INSIDE]] ], [ [[B]], %[[ACROSS]] ]
; CODE-LABEL: define void @eight(
; CODE: br i1 %is.inside
; CODE: .insn
; CODE-NOT: store volatile
; CODE: br label
; CODE: store volatile i32
; CODE: .insn r 0x0B, 4
; CODE: load volatile i32
define void @eight(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="uniform" "vx-split-warps" {
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 4, i32 31)
  store i32 %r, ptr %p
  ret void
}

; Four lanes there are always.
; CHECK-LABEL: define void @four(
; CHECK-NOT: br
; CHECK: call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 2, i32 31) [[MARK]]
; CHECK-NOT: br
; CHECK: ret void
define void @four(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="uniform" "vx-split-warps" {
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 2, i32 31)
  store i32 %r, ptr %p
  ret void
}

; The member mask and the ballot of a tile are of the warp's 32 lanes; inside a hardware warp they are of
; its own.
; CHECK-LABEL: define void @tile(
; CHECK: [[FIRST:%warp.first[0-9]*]] = and i32 %tile,
; CHECK-NEXT: [[MASK:%[0-9]+]] = lshr i32 %mask, [[FIRST]]
; CHECK-NEXT: [[VOTES:%[0-9a-z]+]] = call i32 @__vx_vote_ballot(i32 [[MASK]], i32 %v) [[MARK]]
; CHECK-NEXT: shl i32 [[VOTES]], [[FIRST]]
; CHECK: call i32 @__vx_vote_ballot(i32 %mask, i32 %v){{$}}
define void @tile(ptr %desc, ptr %p, i32 %v, i32 %lane) "vx-entry" "vx-logical-warp"="uniform" "vx-split-warps" {
  %tile = and i32 %lane, 24
  %mask = shl i32 255, %tile
  %r = call i32 @__vx_vote_ballot(i32 %mask, i32 %v)
  store i32 %r, ptr %p
  ret void
}

; The whole warp: nothing to decide. Its votes are collected by vote instructions.
; CHECK-LABEL: define void @whole(
; CHECK-NOT: br
; CHECK: ret void
; CODE-LABEL: define void @whole(
; CODE: .insn
; CODE: store volatile i8
; CODE: .insn r 0x0B, 4
; CODE: load volatile i64
define void @whole(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="uniform" "vx-split-warps" {
  %r = call i32 @__vx_vote_any(i32 -1, i32 %v)
  store i32 %r, ptr %p
  ret void
}

; Entries of thread-per-lane are for devices without warp instructions.
; CHECK-LABEL: define void @software(
; CHECK-NOT: br
; CHECK: call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 4, i32 31){{$}}
define void @software(ptr %desc, ptr %p, i32 %v) "vx-entry" "vx-logical-warp"="uniform" {
  %r = call i32 @__vx_shfl_bfly_32(i32 -1, i32 %v, i32 4, i32 31)
  store i32 %r, ptr %p
  ret void
}

; CHECK: attributes [[MARK]] = {{.*}}"vx-inside-warp"

declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_vote_any(i32, i32)
