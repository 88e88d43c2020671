# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What --check-divergence accepts …
# RUN: llvm-mc -triple riscv64 -mattr=+m,+f,+d,+zicond -filetype=obj %s -o %t.o
# RUN: ld.lld -e good -Ttext=0x80000000 %t.o -o %t.good
# RUN: %vx_objdump --check-divergence %t.good | FileCheck %s
# CHECK-NOT: conditional branch without
# CHECK: 12 conditional branches: 8 split, 2 pred, 2 uniform, 0 unguarded; 0 indirect jumps
#
# … and what it rejects.
# RUN: llvm-mc -triple riscv64 -mattr=+m,+f,+d,+zicond -filetype=obj --defsym BAD=1 %s -o %t.o
# RUN: ld.lld -e good -Ttext=0x80000000 %t.o -o %t.bad
# RUN: not %vx_objdump --check-divergence %t.bad > %t.out
# RUN: FileCheck --check-prefix=BAD --implicit-check-not=good %s < %t.out

  .macro vx_split rd, rs
  .insn r 0x0B, 2, 0, \rd, \rs, x0
  .endm
  .macro vx_pred rs, mask
  .insn r 0x0B, 5, 0, x0, \rs, \mask
  .endm
  .macro function name
  .globl \name
  .type \name,@function
\name:
  .endm

  .text
function good
# The register itself.
  vx_split t0, a0
  beqz a0, 1f
1:
# A copy made before, and one through a spill slot.
  mv a2, a0
  vx_split t0, a0
  sd a2, 16(sp)
  addi a3, a3, 4
  ld a4, 16(sp)
  bnez a4, 1f
1:
# Spill slots beyond the immediates of loads and stores.
  mv a2, a0
  lui a5, 1
  add a5, sp, a5
  sd a2, 8(a5)
  vx_split t0, a0
  lui a6, 1
  addi a6, a6, 4
  add a6, a6, sp
  ld a4, 4(a6)
  bnez a4, 1f
1:
  addi a5, sp, 2040
  sd a0, 16(a5)
  vx_split t0, a0
  sd a1, 8(a5)
  addi a6, sp, 2047
  ld a4, 9(a6)
  bnez a4, 1f
1:
# s0 as any other register.
  sd a0, 16(sp)
  vx_split t0, a0
  li s0, 1
  ld a4, 16(sp)
  bnez a4, 1f
1:
# The predicate negated, and compared with a constant.
  vx_split t0, a0
  xori a1, a0, 1
  bnez a1, 1f
1:
  vx_split t0, a0
  li a1, 1
  beq a0, a1, 1f
1:
# A call in between keeps callee-saved registers.
  mv s1, a0
  vx_split t0, a0
  jal ra, good2
  bnez s1, 1f
1:
  ret

function good2
  csrr t1, 0xcc4
2:
  vx_pred a0, t1
  bnez a0, 2b
3:
  .insn r 0x0B, 5, 0, x1, a0, t1
  beqz a0, 3b
# Proven uniform by the compiler.
.Luniform:
  addi a2, a2, 1
  bltu a2, a3, good2
# The same constant on all lanes.
  li a1, 1
  bnez a1, good2
# A far jump, as the linker spells it, is not an indirect jump.
  auipc t1, 0
  jr t1
4:
  ret

  .ifdef BAD
# BAD: <bad_plain+0x4>{{.*}} conditional branch without vx_split, vx_pred or a uniform marker: bnez a0
function bad_plain
  addi a0, a0, 1
  bnez a0, 1f
1:
  ret
# Another block may be entered without passing the split.
# BAD: <bad_middle>{{.*}} conditional branch without
function bad_entry
  vx_split t0, a0
bad_middle:
  beqz a0, bad_middle
  ret
# BAD: <bad_other+0x4>{{.*}} conditional branch on something else than the predicate
function bad_other
  vx_split t0, a0
  beqz a1, 1f
1:
  ret
# BAD: <bad_mixed+0x8>{{.*}} conditional branch on something else
function bad_mixed
  vx_split t0, a0
  and a1, a0, a2
  bnez a1, 1f
1:
  ret
# BAD: <bad_call+0x8>{{.*}} conditional branch on something else
function bad_call
  vx_split t0, a0
  jal ra, good
  bnez a0, 1f
1:
  ret
# BAD: <bad_slot+0x10>{{.*}} conditional branch on something else
function bad_slot
  sd a0, 8(s0)
  vx_split t0, a0
  sd a1, 0(a2)
  ld a3, 8(s0)
  bnez a3, 1f
1:
  ret
# BAD: <bad_large+0x18>{{.*}} conditional branch on something else
function bad_large
  lui a5, 1
  add a5, sp, a5
  sd a0, 8(a5)
  vx_split t0, a0
  sd a1, 8(a5)
  ld a3, 8(a5)
  bnez a3, 1f
1:
  ret
# What another register points to may be an array's.
# BAD: <bad_array+0x18>{{.*}} conditional branch on something else
function bad_array
  lui a5, 1
  add a5, sp, a5
  sd a0, 8(a5)
  vx_split t0, a0
  sd a1, 0(a2)
  ld a3, 8(a5)
  bnez a3, 1f
1:
  ret
# BAD: <bad_frame+0x14>{{.*}} conditional branch on something else
function bad_frame
  addi a5, sp, 2040
  sd a0, 16(a5)
  vx_split t0, a0
  addi sp, sp, -16
  ld a3, 16(a5)
  bnez a3, 1f
1:
  ret
# A branch has one marker: the block after it needs its own.
# BAD: <bad_second+0x8>{{.*}} conditional branch without
function bad_second
  vx_split t0, a0
  bnez a0, 1f
  bnez a0, 1f
1:
  ret
# BAD: <bad_table+0x4>{{.*}} indirect jump that is neither a return nor a call: jr a0
function bad_table
  ld a0, 0(a1)
  jr a0
# BAD: <bad_word>{{.*}} code that cannot be judged: <unknown>
function bad_word
  .word 0x0000707b
  .endif
# BAD: 23 conditional branches: 9 split, 2 pred, 2 uniform, 10 unguarded; 1 indirect jumps

  .section .vx.uniform,"",@progbits
  .quad .Luniform
