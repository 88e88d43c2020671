// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be assembled is an error at the statement's line, said once although a kernel is
// mapped several times; assembly of the device is an error where there is no device.
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %vxcc -c --target=host -DGOOD %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %vxcc -c --target=vortex,host -DGOOD %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %vxcc -c --vx-xlen=32 -DGOOD %s -o %t.o 2>&1 | FileCheck %s --check-prefix=RV32
// RUN: not %vxcc -c -DCONSTRAINT %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CONSTRAINT
// RUN: %vxcc -c -Rvx-lower -DGOOD %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not %vxcc -c -DPLAIN %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN

__global__ void k(long long *o, int *p) {
#ifdef PLAIN
  // PLAIN: vortex-asm-errors.cu:[[@LINE+1]]:3: error: inline PTX is not understood: directive '.insn'; assembly of the device starts with '.vortex'
  asm volatile(".insn r 0x33, 0, 0, x0, x0, x0");
#elif defined(CONSTRAINT)
  // CONSTRAINT: vortex-asm-errors.cu:[[@LINE+1]]:3: error: operands in memory are not supported in RISC-V assembly; pass the address
  asm(".vortex; lw t0, %0" ::"m"(*p));
#elif defined(GOOD)
  // HOST: vortex-asm-errors.cu:[[@LINE+3]]:3: error: RISC-V assembly ('.vortex') cannot run on the host (--target=host)
  // RV32: vortex-asm-errors.cu:[[@LINE+2]]:3: error: an operand of 64 bits does not fit a register
  // PROFILE: kernel 'k(long long*, int*)': hw variant with instructions of profile 'upstream'
  asm volatile(".vortex; mv t0, t0; .insn r 0x0b, 0, 1, %0, %1, x0" : "=l"(*o) : "r"(*p));
#else
  // CHECK: vortex-asm-errors.cu:[[@LINE+1]]:3: error: unrecognized instruction mnemonic: 'frobnicate
  asm volatile(".vortex; frobnicate %0" ::"r"(*p));
  // CHECK: vortex-asm-errors.cu:[[@LINE+1]]:3: error: immediate must be an integer in the range [0, 7]: '.insn r 0x33, 9, 0, x0, x0, x0'
  asm volatile(".vortex; .insn r 0x33, 9, 0, x0, x0, x0");
#endif
}
