# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Files whose tables of sections, symbols or relocations make no sense: a message and status 2, and
# the next file is shown all the same.
# RUN: llvm-mc -triple riscv64 -filetype=obj %s -o %t.o
# RUN: %vx_objdump -t %t.o | FileCheck --check-prefix=GOOD %s
# GOOD: start
#
# 2: symbols, 3: strings, 4: relocations
# RUN: %python %S/Inputs/corrupt.py %t.o %t.1 2 entsize 58
# RUN: not %vx_objdump %t.1 %t.o 2>&1 | FileCheck --check-prefixes=SIZE,NEXT %s
# SIZE: vx-objdump: {{.*}}.1: {{.*}}invalid sh_entsize: expected 24, but got 58
# NEXT: <start>:
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.2 2 offset 0x100000000003570
# RUN: not %vx_objdump %t.2 2>&1 | FileCheck --check-prefix=OFFSET %s
# OFFSET: sh_offset (0x100000000003570)
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.3 2 entry+0:4 0xffffff
# RUN: not %vx_objdump -t %t.3 2>&1 | FileCheck --check-prefix=NAME %s
# NAME: vx-objdump: {{.*}}.3: {{.*}}st_name
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.4 2 entry+6:2 0x1234
# RUN: not %vx_objdump -t %t.4 2>&1 | FileCheck --check-prefix=SECTION %s
# SECTION: vx-objdump: {{.*}}.4: invalid section index: 4660
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.5 4 info 99
# RUN: not %vx_objdump -l -d %t.5 2>&1 | FileCheck --check-prefix=TARGET %s
# TARGET: vx-objdump: {{.*}}.5: invalid section index: 99
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.6 4 entry+12:4 500
# RUN: not %vx_objdump -l -d %t.6 2>&1 | FileCheck --check-prefix=SYMBOL %s
# SYMBOL: vx-objdump: {{.*}}.6: a relocation names symbol 500 of
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.7 2 link 0
# RUN: not %vx_objdump %t.7 2>&1 | FileCheck --check-prefix=STRINGS %s
# STRINGS: vx-objdump: {{.*}}.7:
#
# RUN: %python %S/Inputs/corrupt.py %t.o %t.8 7 flags 0x800
# RUN: not %vx_objdump -d -l %t.8 2>&1 | FileCheck --check-prefix=COMPRESSED %s
# COMPRESSED: vx-objdump: {{.*}}.8: a compressed section of 32 bytes says that it has 68719476736

.globl start
start:
  call other
  ret

.section packed,"",@note
.word 1, 0 # zlib
.quad 0x1000000000, 1
.quad 0
