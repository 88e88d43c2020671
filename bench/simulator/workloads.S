/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Loops of one kind each, run by all lanes of all warps. The argument block: which loop (0…5),
   iterations, a buffer of 1 MiB. One image, so that all are measured by the same program. */

#define NUM_WARPS 0xFC1

  .globl _start
_start:
  csrr t0, NUM_WARPS
  la t1, 1f
  .insn r 0x0b, 1, 0, x0, t0, t1 /* wspawn */
1:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0 /* all lanes */
  csrr a0, mscratch
  csrr a1, mhartid
  ld a2, 0(a0)
  ld a3, 8(a0)
  ld a4, 16(a0)
  li s0, 0x9e3779b1
  mv s1, a1
  li s2, 12345
  fcvt.s.w fa0, a1
  li t0, 3
  fcvt.s.w fa1, t0
  fdiv.s fa1, fa0, fa1
  fmv.s fa2, fa1
  fcvt.d.s fa3, fa1
  fmv.d fa4, fa3
  fcvt.s.w fa7, t0               /* fa6 = 1/3, fa7 = 3, so that values stay in range;
                                    fs0 and fs1 the same as doubles */
  li t0, 1
  fcvt.s.w fa6, t0
  fdiv.s fa6, fa6, fa7
  fcvt.d.s fs0, fa6
  fcvt.d.s fs1, fa7
  slli s3, a1, 2
  add s3, s3, a4
  la t0, loops
  slli t1, a2, 2
  add t0, t0, t1
  jr t0
loops:
  j integer
  j memory
  j single
  j double
  j divergent
  j atomic
integer:
  add s1, s1, s0
  slli s4, s1, 3
  xor s2, s2, s4
  mul s4, s2, s0
  srli s4, s4, 5
  addi a3, a3, -1
  bnez a3, integer
  j end
memory: /* unit stride over lanes */
  lw t0, 0(s3)
  lw t1, 2040(s3)
  add t0, t0, t1
  sw t0, 0(s3)
  addi a3, a3, -1
  bnez a3, memory
  j end
single:
  fmadd.s fa2, fa2, fa6, fa1
  fadd.s fa5, fa2, fa0
  fmul.s fa5, fa5, fa6
  fdiv.s fa1, fa5, fa7
  addi a3, a3, -1
  bnez a3, single
  j end
double:
  fmadd.d fa4, fa4, fs0, fa3
  fadd.d fa5, fa4, fs1
  fmul.d fa5, fa5, fs0
  fsqrt.d fa5, fa5
  fdiv.d fa3, fa5, fs1
  addi a3, a3, -1
  bnez a3, double
  j end
divergent:
  mul s1, s1, s0
  addi s1, s1, 7
  srli t0, s1, 9
  andi t0, t0, 1
  .insn r 0x0b, 2, 0, t1, t0, x0 /* split */
  beqz t0, 2f
  xor s2, s2, s1
  add s2, s2, s0
  j 3f
2:
  sub s2, s2, s1
3:
  .insn r 0x0b, 3, 0, x0, t1, x0 /* join */
  addi a3, a3, -1
  bnez a3, divergent
  j end
atomic: /* all lanes on one word, and each on its own */
  amoadd.w t0, s0, (a4)
  amoadd.w t0, s0, (s3)
  addi a3, a3, -1
  bnez a3, atomic
end:
  .insn r 0x0b, 0, 0, x0, x0, x0 /* the warp ends */
