# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Code, sections and symbols of an ELF file, and the same code as a vxbin and as raw bytes.
# RUN: llvm-mc -triple riscv64 -mattr=+m,+f,+d,+zicond -filetype=obj %s -o %t.o
# RUN: ld.lld -e _Z6kerneli -Ttext=0x80000000 %t.o -o %t.elf
# RUN: %vx_objdump -h -t -d %t.elf | FileCheck %s
# RUN: llvm-objcopy -O binary -j .text %t.elf %t.bin
# RUN: %vx_objdump --raw %t.bin | FileCheck --check-prefix=FLAT %s
# RUN: %python -c "import struct,sys; d=open(sys.argv[1],'rb').read(); open(sys.argv[2],'wb').write(struct.pack('<QQ',0x80000000,0x80000000+len(d))+d)" %t.bin %t.vxbin
# RUN: %vx_objdump %t.vxbin | FileCheck --check-prefix=FLAT %s
# RUN: %vx_objdump --mangled -t %t.elf | FileCheck --check-prefix=MANGLED %s

# CHECK: file format elf64-littleriscv
# CHECK: 0000000080000000 {{0*}}2c .text  code
# CHECK: .note.test{{.*}}not loaded
# CHECK: 0000000080000000 g F .text {{0*}}24 kernel(int)
# MANGLED: _Z6kerneli
# CHECK: Disassembly of section .text:
# CHECK: 0000000080000000 <kernel(int)>:
# FLAT: Disassembly of section .text:
  .globl _Z6kerneli
  .type _Z6kerneli,@function
_Z6kerneli:
  andi a1, a0, 1
# CHECK-NEXT: 80000000: 00157593 andi a1, a0, 1
# FLAT:       80000000: 00157593 andi a1, a0, 1
  .insn r 0x0B, 2, 0, t0, a1, x0
# CHECK-NEXT: vx_split t0, a1
# FLAT-NEXT: vx_split t0, a1
  beqz a1, .L1
# CHECK-NEXT: beqz a1, 0x80000010 <kernel(int)+0x10>
# FLAT-NEXT: beqz a1, 0x80000010
  czero.eqz a0, a0, a1
# CHECK-NEXT: czero.eqz a0, a0, a1
.L1:
  .insn r 0x0B, 3, 0, x0, t0, x0
# CHECK-NEXT: vx_join t0
  .insn r 0x5B, 0, 0, x0, a0, a1
# CHECK-NEXT: vx_tile a0, a1
  .insn i 0x2B, 1, t0, t1, 0x85
# CHECK-NEXT: vx_shfl_down t0, t1, 4, t0
  jal ra, callee
# CHECK-NEXT: jal 0x80000024 <callee>
  ret
# CHECK-NEXT: ret
  .size _Z6kerneli,.-_Z6kerneli
  .type callee,@function
callee:
# CHECK: 0000000080000024 <callee>:
  fadd.d fa0, fa0, fa1
# CHECK-NEXT: fadd.d fa0, fa0, fa1
  .word 0x0000707b
# CHECK-NEXT: <unknown>
# FLAT: <unknown>
  .size callee,.-callee
  .section .note.test,"",@progbits
  .byte 1
