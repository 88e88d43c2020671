/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Loops of one kind each, run by all lanes of all warps. The argument block: which loop (0…11),
   iterations, a buffer of 1 MiB. One image, so that all are measured by the same program. */

#define NUM_WARPS 0xFC1
#define LOCAL_MEM_BASE 0xFC3

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
  j local
  j exchange
  j merged
  j stream
  j scatter
  j conflict
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
  j end
local: /* a word of local memory for each lane, read by the neighbour after a barrier */
  csrr t0, LOCAL_MEM_BASE
  csrr t5, NUM_WARPS
  slli t1, a1, 2
  andi t1, t1, 1020
  add s4, t0, t1
  xori t1, t1, 4
  add s5, t0, t1
  li t4, 0
4:
  sw s1, 0(s4)
  .insn r 0x0b, 4, 0, x0, t4, t5 /* bar */
  lw t2, 0(s5)
  add s1, s1, t2
  addi a3, a3, -1
  bnez a3, 4b
  j end
exchange: /* butterflies and votes */
  li t3, 1 | 63 << 6
5:
  .insn r 0x0b, 6, 1, t0, s1, t3 /* shfl_bfly by 1 */
  add s1, s1, t0
  andi t1, s1, 4
  .insn r 0x0b, 1, 1, t1, t1, x0 /* vote_any */
  add s2, s2, t1
  addi a3, a3, -1
  bnez a3, 5b
  j end
merged: /* the same in groups of 32 threads */
  li t0, 128 /* the first warp continues for all */
  li t1, 32
  .insn r 0x5b, 0, 0, x0, t0, t1 /* tile */
  j exchange
stream: /* over the buffer, 1 KiB on with each turn */
  slli t0, a1, 2
  li t1, (1 << 20) - 1
6:
  add t2, a4, t0
  lw t3, 0(t2)
  add s1, s1, t3
  sw s1, 0(t2)
  addi t0, t0, 1024
  and t0, t0, t1
  addi a3, a3, -1
  bnez a3, 6b
  j end
scatter: /* a line of memory for each lane, a row of DRAM for some */
  slli t0, a1, 8
  li t1, (1 << 20) - 1
  li s6, 8256
7:
  and t0, t0, t1
  add t2, a4, t0
  lw t3, 0(t2)
  add s1, s1, t3
  xori t2, t2, 64
  sw s1, 0(t2)
  add t0, t0, s6
  addi a3, a3, -1
  bnez a3, 7b
  j end
conflict: /* words of local memory in few banks, by columns and the same one for all lanes */
  csrr t0, LOCAL_MEM_BASE
  slli t1, a1, 5
  andi t1, t1, 1023
  add s4, t0, t1
  csrr t5, NUM_WARPS
  li t4, 0
8:
  sw s1, 0(s4)
  .insn r 0x0b, 4, 0, x0, t4, t5 /* bar */
  flw fa2, 0(s4)
  flw fa3, 0(t0)
  fmadd.s fa5, fa2, fa6, fa3
  flw fa2, 8(s4)
  flw fa3, 32(t0)
  fmadd.s fa5, fa2, fa6, fa5
  .insn r 0x0b, 4, 0, x0, t4, t5
  addi a3, a3, -1
  bnez a3, 8b
end:
  .insn r 0x0b, 0, 0, x0, x0, x0 /* the warp ends */
