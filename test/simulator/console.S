// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes stored to the console port appear on stdout, line by line, also without a final newline.
//
// RUN: %as64 %s -o %t
// RUN: %vx_sim %t | FileCheck %s
// CHECK: hello
// CHECK-NEXT: world

#include "vortex.inc"
  .globl _start
_start:
  la a0, text
  li a1, 0x40
1:
  lbu a2, 0(a0)
  beqz a2, 2f
  sb a2, 0(a1)
  addi a0, a0, 1
  j 1b
2:
  vx_tmc zero
text:
  .asciz "hello\nworld"
