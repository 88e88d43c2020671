// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trap is reported with place, instruction and source line; the tool ends with 125.
//
// RUN: %as64 %s -o %t -DNULL_LOAD
// RUN: not %vx_sim %t 2>&1 | FileCheck %s --check-prefix=NULL
// NULL: vx-sim: illegal memory access: load of 4 byte(s) at 0x0
// NULL: pc 0x80000000 in _start+0x0 at {{.*}}traps.S:[[# @LINE + 33]]
// NULL: instruction lw a0, 0(zero)
// NULL: core 0, warp 0, lane 0, active lanes 0x1
//
// RUN: %as64 %s -o %t -DDIVERGE
// RUN: not %vx_sim %t 2>&1 | FileCheck %s --check-prefix=DIVERGE
// DIVERGE: divergent branch without split or pred
// DIVERGE: instruction bne t0, zero
// DIVERGE: active lanes 0xff
// DIVERGE: taken by lanes 0xfe of 0xff
//
// RUN: %as64 %s -o %t -DDEADLOCK
// RUN: not %vx_sim %t 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// DEADLOCK: barrier deadlock
// DEADLOCK: core 0 warp 0 waits at barrier 0 for 2 warps
//
// RUN: %as64 %s -o %t -DSTACK
// RUN: not %vx_sim %t 2>&1 | FileCheck %s --check-prefix=STACK
// STACK: stack overflow: store of 8 byte(s)
// STACK: at {{.*}}traps.S:
//
// RUN: %as64 %s -o %t -DENDLESS
// RUN: not %vx_sim %t --set run.max_instructions=10000 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: run limit reached
//
// RUN: %as64 %s -o %t -DILLEGAL
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode != 125)" %vx_sim %t

#include "vortex.inc"
  .globl _start
  .type _start, @function
_start:
#if defined(NULL_LOAD)
  lw a0, 0(zero)
#elif defined(DIVERGE)
  li t0, -1
  vx_tmc t0
  csrr t0, THREAD_ID
  bnez t0, 1f
1:
#elif defined(DEADLOCK)
  li t0, 2
  vx_bar zero, t0
#elif defined(STACK)
  li sp, 0x1FFFF0000
1:
  addi sp, sp, -256
  sd ra, 0(sp)
  jal ra, 1b
#elif defined(ENDLESS)
1:
  j 1b
#elif defined(ILLEGAL)
  nop
  .insn r 0x0b, 7, 5, x0, x0, x0
#endif
  vx_tmc zero
  .size _start, . - _start
