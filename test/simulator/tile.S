// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vx_tile merges four warps of eight lanes into one group; what it looks like in tools and reports.
//
// RUN: %as64 %s -o %t
// RUN: %vx_objdump %t | FileCheck %s --check-prefix=DUMP
// DUMP: vx_tile t0, t1
//
// One group of 32 on every shape that has 32 threads: the exit code counts lanes that are odd.
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode != 16)" %vx_sim %t --set core.num_warps=4,core.num_threads=8
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode != 16)" %vx_sim %t --set core.num_warps=32,core.num_threads=1
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode != 16)" %vx_sim %t --set core.num_warps=1,core.num_threads=32
//
// RUN: not %vx_sim %t --set core.num_warps=4,core.num_threads=8 --stats text | FileCheck %s --check-prefix=LANES
// LANES: lane_occupancy 0.
//
// RUN: not %vx_sim %t --set core.num_warps=2,core.num_threads=8 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: vx-sim: bad vx_tile
// SMALL: tile.S:[[# @LINE + 31]]
// SMALL: instruction vx_tile t0, t1
// SMALL: a group of 32 from thread 0 does not exist: the core has 16 threads
//
// RUN: not %vx_sim %t --set core.num_threads=8,isa.warp=upstream 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: vx-sim: illegal instruction
// OFF: vx_tile is switched off in the configuration (isa.*)
//
// RUN: %as64 %s -o %t -DEARLY_END
// RUN: not %vx_sim --functional %t --set core.num_threads=8,run.quantum=20 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// DEADLOCK: barrier deadlock
// DEADLOCK: instruction vx_tile t0, t1
// DEADLOCK: core 0 warp 1 waits at vx_tile mask 0x80, size 32; core 0 warp 2 waits at vx_tile
//
// RUN: %as64 %s -o %t -DFAULT
// RUN: not %vx_sim %t --set core.num_threads=8 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: illegal memory access: load of 4 byte(s) at 0x8
// FAULT: core 0, warp 1, lane 2, active lanes 0xfffffc00 of a group of 32 from thread 0 of the core

#include "vortex.inc"
  start_all
#if defined(EARLY_END)
  csrr t0, WARP_ID
  bnez t0, 1f
  .rept 100
  nop
  .endr
  vx_tmc zero
1:
#endif
  li t0, 0x80
  li t1, 32
  vx_tile t0, t1
#if defined(FAULT)
  li t0, -1024
  vx_tmc t0
  lw t0, 8(zero)
#endif
  csrr t0, THREAD_ID
  vx_vote_ballot t1, t0
  li a0, 0
1:
  andi t2, t1, 1
  add a0, a0, t2
  srli t1, t1, 1
  bnez t1, 1b
  exit
