// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More bytes of arguments than CUDA allows are an error of the compiler, at the kernel's line.
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %vxcc -c --target=host %s -o %t.o 2>&1 | FileCheck %s
// RUN: %vxcc -DFITS -c %s -o %t.o

struct Block {
#ifdef FITS
  int values[8190]; // 32764 bytes with the other argument
#else
  int values[8191];
#endif
};

// CHECK: argument-limit.cu:[[#@LINE+1]]:{{[0-9]+}}: error: kernel 'k(Block, int)' takes 32768 bytes of arguments, the limit is 32764: pass a pointer to device memory, or use a __constant__ variable
__global__ void k(Block block, int i) {
  block.values[i] = i;
}
