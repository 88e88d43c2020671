// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that follow Vortex's conventions, as ELF and as .vxbin: hardware threads read arguments from the
// stack of another, have thread-local storage after the image, and leave counters and the exit code below
// the memory for programs.
//
// RUN: %as64 %s -Wl,-T,%S/Inputs/link.ld -Wl,--defsym=__tbss_size=16 -o %t.elf
// RUN: %python %S/../Inputs/make-vxbin.py %t.elf %t.vxbin
// RUN: %python %S/Inputs/exit-code.py 10 %vx_sim --out 8 %t.elf
// RUN: %python %S/Inputs/exit-code.py 10 %vx_sim --out 8 --functional %t.vxbin
// RUN: %python %S/Inputs/exit-code.py 36 %vx_sim --out 8 --set core.num_warps=8 %t.vxbin
//
// RUN: %as32 %s -Wl,-T,%S/Inputs/link.ld -Wl,--defsym=__tbss_size=16 -o %t.32.elf
// RUN: %python %S/../Inputs/make-vxbin.py %t.32.elf %t.32.vxbin
// RUN: %python %S/Inputs/exit-code.py 10 %vx_sim --out 8 %t.32.elf
// RUN: %python %S/Inputs/exit-code.py 10 %vx_sim --out 8 --set isa.xlen=32 %t.32.vxbin
//
// An image without Vortex's symbols is protected as before.
// RUN: %as64 %s -Wl,-T,%S/Inputs/link.ld -o %t.plain -DPLAIN
// RUN: %python %S/Inputs/exit-code.py 125 %vx_sim --out 8 %t.plain

#include "program.inc"
