// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %vxcc -O1 --vx-xlen=32,64 %s -o program && %vxcc -O1 -c %s -o object.o && %vxcc -O1 -rdc=true -c %s -o relocatable.o
// RUN: vx-objdump -i program | FileCheck --check-prefix=LIST %s
// RUN: vx-objdump --image=rv32 -h program | FileCheck --check-prefix=PART %s
// RUN: vx-objdump --check-divergence program object.o
// RUN: vx-objdump -k object.o | FileCheck --check-prefix=KERNELS %s
// RUN: not vx-objdump --image=rv16 program 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not vx-objdump relocatable.o 2>&1 | FileCheck --check-prefix=LATER %s
// RUN: not vx-objdump /bin/true 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: cuobjdump program | FileCheck --check-prefix=ELF %s
// RUN: cuobjdump --list-elf program | FileCheck --check-prefix=ELF %s
// RUN: cuobjdump --dump-resource-usage object.o | FileCheck --check-prefix=USAGE %s
// RUN: cuobjdump -res-usage -fun nothing object.o | FileCheck --check-prefix=UNUSED %s
// RUN: cuobjdump -sass program | FileCheck --check-prefix=SASS %s
// RUN: cuobjdump -xelf rv64 program | FileCheck --check-prefix=EXTRACT %s
// RUN: vx-objdump -d program.2.auto-warp-rv64.elf | FileCheck --check-prefix=CODE %s
// RUN: cuobjdump -res-usage program.2.auto-warp-rv64.elf | FileCheck --check-prefix=USAGE %s
// RUN: test ! -e program.1.auto-warp-rv32.elf
// RUN: not cuobjdump -ptx program 2>&1 | FileCheck --check-prefix=PTX %s
// RUN: not cuobjdump -gpu program 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not cuobjdump /bin/true 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: head -c 3000000 program > cut && not vx-objdump -i cut 2>&1 | FileCheck --check-prefix=CUT %s
//
// Images inside programs and object files, and cuobjdump.
//
// LIST:      program.1.auto-warp-rv32, [[#]] bytes
// LIST-NEXT: program.2.auto-warp-rv64, [[#]] bytes
// PART-NOT:  rv64
// PART:      program(program.1.auto-warp-rv32): file format elf32-littleriscv
// PART-NOT:  rv64
// KERNELS:   object.o(object.o.1.auto-warp-rv64): file format elf64-littleriscv
// KERNELS:   scale(int*, int)
// NONE:      vx-objdump: program: it has no image with `rv16` in its name; -i lists them
// LATER:     its device code is relocatable: images are made when the program is linked
// OTHER:     /bin/true: there is no device code in it
// ELF:       ELF file    1: program.1.auto-warp-rv32.elf
// ELF-NEXT:  ELF file    2: program.2.auto-warp-rv64.elf
// USAGE:     Resource usage:
// USAGE:     Function _Z5scalePii:
// USAGE-NEXT: REG:[[#]] STACK:[[#]] SHARED:{{[1-9][0-9]*}} LOCAL:0 CONSTANT[0]:12 TEXTURE:0 SURFACE:0 SAMPLER:0
// USAGE-NOT: Function _Z5scalePii:
// UNUSED-NOT: Function
// SASS:      arch = elf32-littleriscv
// SASS:      vx_wspawn
// SASS:      arch = elf64-littleriscv
// EXTRACT:   Extracting ELF file program.2.auto-warp-rv64.elf
// CODE:      Disassembly of section .text:
// PTX:       cuobjdump fatal : programs of vxcc hold no PTX
// UNKNOWN:   unknown option '-gpu'
// CUT:       vx-objdump: cut:

__global__ void scale(int *p, int by) {
  __shared__ int tile[32];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = by * tile[31 - threadIdx.x];
}

int main() { scale<<<1, 32>>>(nullptr, 1); }
