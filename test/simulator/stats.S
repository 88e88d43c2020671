// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %as64 %s -o %t
// RUN: %vx_sim --functional %t --stats text | FileCheck %s --check-prefix=TEXT
// RUN: %vx_sim --functional %t --stats json:%t.json
// RUN: %python -c "import json, sys; s = json.load(open(sys.argv[1])); sys.exit((s['cycles'], s['warp_instructions'], s['thread_instructions'], s['cores'][0]['stores']) != (8, 8, 50, 1))" %t.json
// TEXT: cycles  8
// TEXT: warp_instructions  8
// TEXT: thread_instructions  50
// TEXT: core0.stores  1
// TEXT-NOT: core0.atomics

#include "vortex.inc"
  .globl _start
_start:
  li t0, -1
  vx_tmc t0
  csrr t1, mhartid
  slli t1, t1, 3
  csrr t0, LOCAL_MEM
  add t0, t0, t1
  sd t1, 0(t0)
  vx_tmc zero
