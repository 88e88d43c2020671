; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Profile `upstream` on 32-bit registers: no member masks, no constant offsets, shuffles of 64 bits
; as two.
; RUN: %vx_opt -passes=vx-lower-warp %s | FileCheck %s
target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
target triple = "riscv32-unknown-elf"

define i32 @any(i32 %m, i1 %p) {
; CHECK-LABEL: @any
; CHECK: [[Z:%.*]] = zext i1 %p
; CHECK: [[B:%.*]] = call i32 asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0", "=r,r"(i32 [[Z]])
; CHECK: [[M:%.*]] = and i32 [[B]], %m
; CHECK: icmp ne i32 [[M]], 0
  %z = zext i1 %p to i32
  %a = call i32 @__vx_vote_any(i32 %m, i32 %z)
  ret i32 %a
}
; All: no member is against.
define i32 @all(i32 %m, i1 %p) {
; CHECK-LABEL: @all
; CHECK: [[Z:%.*]] = zext i1 %p
; CHECK: [[N:%.*]] = xor i32 [[Z]], 1
; CHECK: [[B:%.*]] = call i32 asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0", "=r,r"(i32 [[N]])
; CHECK: [[M:%.*]] = and i32 [[B]], %m
; CHECK: icmp eq i32 [[M]], 0
  %z = zext i1 %p to i32
  %a = call i32 @__vx_vote_all(i32 %m, i32 %z)
  ret i32 %a
}
define i32 @all_of_the_warp(i1 %p) {
; CHECK-LABEL: @all_of_the_warp
; CHECK: asm sideeffect ".insn r 0x0B, 0, 1, $0, $1, x0"
  %z = zext i1 %p to i32
  %a = call i32 @__vx_vote_all(i32 -1, i32 %z)
  ret i32 %a
}
define i64 @shuffle_64(i64 %v) {
; CHECK-LABEL: @shuffle_64
; CHECK: [[LO:%.*]] = trunc i64 %v to i32
; CHECK: asm sideeffect ".insn r 0x0B, 6, 1, $0, $1, $2", "=r,r,r"(i32 [[LO]], i32 2000)
; CHECK: asm sideeffect ".insn r 0x0B, 6, 1, $0, $1, $2", "=r,r,r"(i32 {{%.*}}, i32 2000)
  %a = call i64 @__vx_shfl_bfly_64(i32 -1, i64 %v, i32 16, i32 31)
  ret i64 %a
}
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_vote_any(i32, i32)
declare i64 @__vx_shfl_bfly_64(i32, i64, i32, i32)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.isa", i32 1}
