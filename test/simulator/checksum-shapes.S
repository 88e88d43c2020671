// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread hashes its items; the result must not depend on the shape of the machine.
//
// RUN: %as64 %s -o %t
// RUN: %vx_sim %t --arg 500 --out 4000:%t.1 --set core.num_warps=1,core.num_threads=1
// RUN: %vx_sim %t --arg 500 --out 4000:%t.2 --set core.num_warps=4,core.num_threads=8
// RUN: %vx_sim %t --arg 500 --out 4000:%t.3 --set core.num_warps=2,core.num_threads=32
// RUN: %vx_sim --functional %t --arg 500 --out 4000:%t.4 --set num_cores=3,core.num_warps=16,core.num_threads=5
// RUN: cmp %t.1 %t.2
// RUN: cmp %t.1 %t.3
// RUN: cmp %t.1 %t.4
// RUN: %python -c "import struct, sys; w = struct.unpack('<500Q', open(sys.argv[1], 'rb').read()); sys.exit(w != tuple((i * 0x9e3779b1 + sum(j * j for j in range(i %% 7))) %% 2**64 for i in range(500)))" %t.1

#include "vortex.inc"
  start_all
  ld a3, 0(a0)          // items
  ld a4, 8(a0)          // out
  li a7, -1             // lanes of the warp, for pred
  csrr a7, 0xCC4
  // Lanes whose first item is out of range end at once: the loop guards itself with pred.
items:
  sltu t0, a1, a3
  vx_pred t0, zero      // no lane left: the warp ends
  li t1, 0x9e3779b1
  mul t1, t1, a1
  li t2, 7
  remu t2, a1, t2       // a lane-dependent trip count
  li t3, 0
  csrr t6, 0xCC4        // to restore after the inner loop
inner:
  sltu t4, t3, t2
  vx_split t5, t4
  beqz t4, 2f
  mul s0, t3, t3
  add t1, t1, s0
2:
  vx_join t5
  addi t3, t3, 1
  slti t4, t3, 7
  bnez t4, inner
  slli s1, a1, 3
  add s1, s1, a4
  sd t1, 0(s1)
  add a1, a1, a2
  j items
