// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment in which the public riscv-tests (user-level suites) run on vx-sim: bare metal,
// no machine-mode set-up, one lane of one warp. A test ends with the exit system call, code 0 when
// it passed, else the number of the case that failed.

#ifndef VX_TEST_RISCV_TEST_H
#define VX_TEST_RISCV_TEST_H

#define TESTNUM gp

#define RVTEST_RV64U .macro init; .endm
#define RVTEST_RV32U .macro init; .endm
#define RVTEST_RV64UF .macro init; csrwi fcsr, 0; .endm
#define RVTEST_RV32UF .macro init; csrwi fcsr, 0; .endm

#define VX_EXIT_SYSCALL 93

#define RVTEST_CODE_BEGIN                                                                          \
  .section .text.init, "ax";                                                                       \
  .globl _start;                                                                                   \
  _start:                                                                                          \
  .irp reg, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19,  \
      x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30, x31;                                  \
  li \reg, 0;                                                                                      \
  .endr;                                                                                           \
  init

#define RVTEST_CODE_END unimp

#define RVTEST_PASS                                                                                \
  fence;                                                                                           \
  li a0, 0;                                                                                        \
  li a7, VX_EXIT_SYSCALL;                                                                          \
  ecall

#define RVTEST_FAIL                                                                                \
  fence;                                                                                           \
  mv a0, TESTNUM;                                                                                  \
  li a7, VX_EXIT_SYSCALL;                                                                          \
  ecall

#define EXTRA_DATA
#define RVTEST_DATA_BEGIN                                                                          \
  EXTRA_DATA                                                                                       \
  .align 4;                                                                                        \
  .global begin_signature;                                                                         \
  begin_signature:
#define RVTEST_DATA_END                                                                            \
  .align 4;                                                                                        \
  .global end_signature;                                                                           \
  end_signature:

#endif // VX_TEST_RISCV_TEST_H
