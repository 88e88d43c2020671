; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Profile `paths`: votes with a member mask wait for its lanes; shuffles and warpsyncs have one in front.
; RUN: %vx_opt -passes=vx-lower-warp %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Not all lanes may be here: a full mask is one, too.
define i32 @vote_of_all(i32 %v) {
; CHECK-LABEL: @vote_of_all
; CHECK: asm sideeffect ".insn r 0x0B, 1, 1, $0, $1, $2", "=r,r,r"(i32 {{.*}}, i32 -1)
; CHECK-NOT: asm
; CHECK: ret
  %a = call i32 @__vx_vote_any(i32 -1, i32 %v)
  ret i32 %a
}

; One wait for the shuffles of a mask; the vote after them need not be awaited, but waits itself.
define i32 @shuffles(i32 %m, i32 %v) {
; CHECK-LABEL: @shuffles
; CHECK: asm sideeffect ".insn r 0x0B, 0, 1, $0, $1, $2", "=r,r,r"(i32 1, i32 %m)
; CHECK: asm sideeffect ".insn r 0x2B
; CHECK-NOT: 0x0B
; CHECK: asm sideeffect ".insn r 0x2B
; CHECK: asm sideeffect ".insn r 0x0B, 0, 1, $0, $1, $2", "=r,r,r"(i32 1, i32 7)
; CHECK: asm sideeffect ".insn r 0x2B
; CHECK: ret
  %a = call i32 @__vx_shfl_bfly_32(i32 %m, i32 %v, i32 1, i32 31)
  %b = call i32 @__vx_shfl_bfly_32(i32 %m, i32 %a, i32 2, i32 31)
  %c = call i32 @__vx_shfl_bfly_32(i32 7, i32 %b, i32 4, i32 31)
  ret i32 %c
}

; The lanes that are here, in this block, need not be awaited.
define i32 @active(i32 %v) {
; CHECK-LABEL: @active
; CHECK: asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0", "=r,r"(i32 1)
; CHECK: asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0", "=r,r"(i32 {{.*}})
; CHECK-NOT: asm
; CHECK: ret
  %m = call i32 @__vx_activemask()
  %a = call i32 @__vx_vote_ballot(i32 %m, i32 %v)
  %b = add i32 %a, %m
  ret i32 %b
}

define void @sync(i32 %m) {
; CHECK-LABEL: @sync
; CHECK: asm sideeffect "", "~{memory}"()
; CHECK: asm sideeffect ".insn r 0x0B, 0, 1, $0, $1, $2", "=r,r,r"(i32 1, i32 %m)
  call void @__vx_warp_sync(i32 %m)
  ret void
}

declare i32 @__vx_vote_any(i32, i32)
declare i32 @__vx_vote_ballot(i32, i32)
declare i32 @__vx_shfl_bfly_32(i32, i32, i32, i32)
declare i32 @__vx_activemask()
declare void @__vx_warp_sync(i32)

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.paths", i32 1}
