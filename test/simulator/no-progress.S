// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs in which nothing can happen any more are found; those that only take long are not.
//
// RUN: %as64 %s -o %t.endless -DENDLESS
// RUN: not %vx_sim %t.endless --functional 2>&1 | FileCheck %s
// RUN: not %vx_sim %t.endless 2>&1 | FileCheck %s
// RUN: not %vx_sim %t.endless --set num_cores=2,run.host_threads=2 2>&1 | FileCheck %s
// CHECK: vx-sim: no forward progress
// CHECK: pc {{.*}} at {{.*}}no-progress.S:[[# @LINE + 40]]
// CHECK: lanes 0x1 repeat a loop that reads 0x{{.*}}; no thread that can run writes there
// RUN: not %vx_sim %t.endless --functional --set run.find_spins=false,run.max_instructions=5000000 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: run limit reached
//
// Each of two warps waits for what the other one writes after its loop.
// RUN: %as64 %s -o %t.circle -DCIRCLE
// RUN: not %vx_sim %t.circle --functional 2>&1 | FileCheck %s --check-prefix=CIRCLE
// RUN: not %vx_sim %t.circle 2>&1 | FileCheck %s --check-prefix=CIRCLE
// CIRCLE: no forward progress
// CIRCLE: waits for the store at {{.*}}no-progress.S:[[# @LINE + 48]]
// CIRCLE: the threads that are to write there spin as well
// CIRCLE: (2 warps spin)
//
// A store that ends the wait comes late; counting takes long; so does a time.
// RUN: %as64 %s -o %t.late -DLATE
// RUN: %vx_sim %t.late --functional && %vx_sim %t.late
// RUN: %as64 %s -o %t.count -DCOUNT
// RUN: %vx_sim %t.count --functional && %vx_sim %t.count
// RUN: %as64 %s -o %t.time -DTIME
// RUN: %vx_sim %t.time --functional && %vx_sim %t.time

#include "vortex.inc"
  .data
  .balign 8
word:
  .dword 0
other:
  .dword 0
  .text
  .globl _start
  .type _start, @function
_start:
  la s0, word
  la s1, other
  li s2, 1 << 20
#if defined(ENDLESS)
  fence
1:
  // An amount that stays the same is not a change.
  amoswap.w t0, zero, (s0)
  beqz t0, 1b
#elif defined(CIRCLE)
  li t0, 2
  la t1, 1f
  vx_wspawn t0, t1
1:
  la s0, word
  la s1, other
  csrr t0, WARP_ID
  beqz t0, 2f
  mv t1, s0
  mv s0, s1
  mv s1, t1
2:
  lw t0, 0(s0)
  beqz t0, 2b
  li t0, 1
  sw t0, 0(s1)
#elif defined(LATE)
  li t0, 2
  la t1, 1f
  vx_wspawn t0, t1
1:
  la s0, word
  li s2, 1 << 20
  csrr t0, WARP_ID
  beqz t0, 3f
2:
  lw t0, 0(s0)
  beqz t0, 2b
  vx_tmc zero
3:
  addi s2, s2, -1
  bnez s2, 3b
  sw s0, 0(s0)
#elif defined(COUNT)
1:
  lw t0, 0(s0)
  addi s2, s2, -1
  bnez s2, 1b
#elif defined(TIME)
  csrr s3, mcycle
  slli s2, s2, 2
1:
  lw t0, 0(s0)
  csrr t0, mcycle
  sub t0, t0, s3
  bltu t0, s2, 1b
#endif
  vx_tmc zero
  .size _start, . - _start
