// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XLEN 32: registers wrap at 32 bits, addresses too, stacks and local memory have their own place.
//
// RUN: %as32 %s -o %t
// RUN: %vx_sim %t --set core.num_warps=2,core.num_threads=8

#include "vortex.inc"
  start_all
  li t0, 0x7fffffff
  addi t0, t0, 1
  bgez t0, fail
  srli t1, t0, 31
  li t2, 1
  bne t1, t2, fail
  csrr t0, LOCAL_MEM
  li t1, 0xFFFF0000
  bne t0, t1, fail
  slli t1, a1, 2
  add t0, t0, t1
  sw a1, 0(t0)
  lw t2, 0(t0)
  sub t2, t2, a1
  bnez t2, fail
  li sp, 0xFFFF0000
  slli t1, a1, 13
  sub sp, sp, t1
  sw a1, -4(sp)
  fcvt.d.w fa0, a1
  fsd fa0, -16(sp)
  fld fa1, -16(sp)
  fcvt.w.d t2, fa1
  sub t2, t2, a1
  bnez t2, fail
  vx_tmc zero
fail:
  li a0, 1
  exit
