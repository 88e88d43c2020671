// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain RISC-V code on warps that keep paths: branches, indirect jumps and calls whose lanes
// disagree; lanes that wait for each other. Lane i ends with 10 * i + 1 in its word.
//
// RUN: %as64 %s -o %t -DPLAIN
// RUN: %vx_sim %t --functional --set core.divergence=paths --stats text > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %vx_sim %t --set core.divergence=paths
// RUN: %vx_sim %t --set core.divergence=paths,core.num_threads=32,core.num_warps=1
// CHECK: path_splits {{ *[1-9]}}
// CHECK: path_merges {{ *[1-9]}}
// CHECK: path_switches {{ *[1-9]}}
// CHECK: paths_live {{ *[1-9]}}
// RUN: %as32 %s -o %t.32 -DPLAIN
// RUN: %vx_sim %t.32 --set core.divergence=paths,isa.xlen=32
// RUN: not %vx_sim %t 2>&1 | FileCheck %s --check-prefix=STACK
// STACK: divergent branch without split or pred
//
// RUN: %as64 %s -o %t.split -DSPLIT
// RUN: not %vx_sim %t.split --set core.divergence=paths 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: illegal instruction
// SPLIT: vx_split needs core.divergence = stack; vxcc --vx-isa=paths makes code without it
// RUN: not %vx_sim %t.split --set core.divergence=paths,isa.warp=off 2>&1 | FileCheck %s --check-prefix=WARP
// WARP: core.divergence = paths needs isa.warp = warp

#include "vortex.inc"
  .globl _start
_start:
  li t0, -1
  vx_tmc t0
  csrr s0, THREAD_ID
  csrr s2, NUM_THREADS
#if defined(SPLIT)
  vx_split t0, s0
#endif
  csrr s1, LOCAL_MEM
  slli t0, s0, 2
  add s1, s1, t0
  sw zero, 0(s1)
  // A loop of as many turns as the lane's number.
  li a0, 1
  mv t1, s0
1:
  beqz t1, 2f
  addi a0, a0, 2
  addi t1, t1, -1
  j 1b
2:
  // A call of one of two functions.
  la t2, three
  andi t3, s0, 1
  beqz t3, 3f
  la t2, eight
3:
  jalr ra, t2
  // Lanes wait for the next one, the last of which does not wait: 1 after the address.
  csrr t4, NUM_THREADS
  addi t4, t4, -1
  beq s0, t4, 5f
4:
  lw t5, 4(s1)
  beqz t5, 4b
5:
  li t5, 1
  sw t5, 0(s1)
  // All lanes that have not ended: a vote waits for those that it names.
  li t6, -1
  .insn r 0x0b, 3, 1, s3, t5, t6
  li t0, 1
  sll t0, t0, s2
  addi t0, t0, -1
#if __riscv_xlen == 32
  li t1, 32
  bne s2, t1, 6f
  li t0, -1
6:
#endif
#if __riscv_xlen == 64
  slli s3, s3, 32
  srli s3, s3, 32
#endif
  bne s3, t0, bad
  li t1, 10
  mul t1, t1, s0
  addi t1, t1, 1
  bne a0, t1, bad
  bnez s0, end
  vx_tmc zero
end:
  vx_tmc zero
bad:
  li a0, 1
  exit

// Both add 8 times the lane's number.
three:
  slli t3, s0, 3
  add a0, a0, t3
  ret
eight:
  slli t3, s0, 2
  add a0, a0, t3
  add a0, a0, t3
  ret
