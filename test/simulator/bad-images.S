// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that are not right are refused with a reason, in whatever way they are wrong.
//
// RUN: %as64 %s -o %t
// RUN: %vx_sim %t
// RUN: head -c 100 %t > %t.short
// RUN: not %vx_sim %t.short 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: vx-sim: error: bad ELF image: the file is truncated
// RUN: %python -c "import sys; b = bytearray(open(sys.argv[1], 'rb').read()); b[18] = 62; open(sys.argv[2], 'wb').write(b)" %t %t.machine
// RUN: not %vx_sim %t.machine 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: bad ELF image: the machine is 62, not RISC-V
// RUN: true > %t.empty
// RUN: not %vx_sim %t.empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: bad image: the file is empty
//
// Raw bytes run at 0x80000000, and a .vxbin where it says.
// RUN: llvm-objcopy -O binary %t %t.bin
// RUN: %vx_sim %t.bin
// RUN: %python -c "import struct, sys; b = open(sys.argv[1], 'rb').read(); open(sys.argv[2], 'wb').write(struct.pack('<QQ', 0x80000000, 0x80000000 + len(b) + 64) + b)" %t.bin %t.vxbin
// RUN: %vx_sim %t.vxbin

#include "vortex.inc"
  .globl _start
_start:
  auipc t0, 0
  li t1, 0x80000000
  bne t0, t1, 1f
  vx_tmc zero
1:
  li a0, 1
  exit
