// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %as64 %s -o %t
// RUN: printf 'abcdefgh' > %t.in
// RUN: %vx_sim %t --arg 0x1234 --in %t.in --out 24:%t.out --arg -1
// RUN: od -A n -t x8 -v %t.out | FileCheck %s
// The block holds a number, two buffers at multiples of 4096 from 0x10000, and a number; itself it
// lies after the last buffer. The program copies: the sum of the words, the input, its own address.
// CHECK: 0000000000022233 6867666564636261
// CHECK: 0000000000012000

#include "vortex.inc"
  .globl _start
_start:
  csrr a0, mscratch
  ld a1, 0(a0)   // 0x1234
  ld a2, 8(a0)   // 0x10000
  ld a3, 16(a0)  // 0x11000
  ld a4, 24(a0)  // -1
  add a5, a1, a2
  add a5, a5, a3
  add a5, a5, a4
  sd a5, 0(a3)
  ld a5, 0(a2)
  sd a5, 8(a3)
  sd a0, 16(a3)
  vx_tmc zero
