// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps pass values on through local memory, two barriers a round.
//
// RUN: %as64 %s -o %t
// RUN: %vx_sim %t --arg 5 --out 128:%t.out --set core.num_warps=4,core.num_threads=4
// RUN: %python -c "import struct, sys; sys.exit(struct.unpack('<16Q', open(sys.argv[1], 'rb').read()) != tuple((i + 20) %% 16 for i in range(16)))" %t.out

#include "vortex.inc"
  start_all
  ld a3, 0(a0)           // rounds
  ld a4, 8(a0)           // out
  csrr a5, LOCAL_MEM
  slli s1, a1, 3
  add s1, s1, a5         // my slot
  csrr t0, NUM_THREADS
  add t1, a1, t0
  remu t1, t1, a2
  slli s2, t1, 3
  add s2, s2, a5         // the next warp's slot
  csrr s3, NUM_WARPS
  li s4, 1
  mv s0, a1
rounds:
  sd s0, 0(s1)
  vx_bar zero, s3
  ld s0, 0(s2)
  vx_bar s4, s3
  addi a3, a3, -1
  bnez a3, rounds
  slli s1, a1, 3
  add s1, s1, a4
  sd s0, 0(s1)
  vx_tmc zero
