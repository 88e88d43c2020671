// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --emit= stops the device half at any stage; the default name is the source's with a new suffix.
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %vxcc --emit=nvvm a.cu && FileCheck %s --check-prefix=NVVM < a.nvvm.ll
// RUN: %vxcc --emit=ir a.cu && FileCheck %s --check-prefix=IR < a.ll
// RUN: %vxcc --emit=asm a.cu -o - | FileCheck %s --check-prefix=ASM
// RUN: %vxcc --emit=obj a.cu && llvm-readelf -h a.o | FileCheck %s --check-prefix=OBJ
// RUN: %vxcc --emit=elf a.cu && llvm-readelf -h -S a.elf | FileCheck %s --check-prefix=ELF
// RUN: %vxcc --emit vxbin a.cu && od -A n -t x8 -N 8 a.vxbin | FileCheck %s --check-prefix=VXBIN
// The front end's module can be compiled later.
// RUN: %vxcc --emit=elf a.nvvm.ll -o b.elf && cmp a.elf b.elf
// RUN: not %vxcc -c a.nvvm.ll 2>&1 | FileCheck %s --check-prefix=LATER

// NVVM: target triple = "nvptx64-nvidia-cuda"
// IR: target triple = "riscv64
// ASM: .globl {{.*}}kernel
// OBJ: Type: REL
// OBJ: Machine: RISC-V
// ELF: Type: EXEC
// ELF: Machine: RISC-V
// ELF: Entry point address: 0x80000000
// ELF: .vx.kernels
// VXBIN: 0000000080000000
// LATER: 'a.nvvm.ll' is device code: it can only be used with --emit=
__global__ void kernel(int *p) { p[threadIdx.x] = 1; }
