// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: env VX_CHECK=memcheck VX_LOWERING=hw timeout 60 %run %t 2>&1 | FileCheck --check-prefixes=CHECK,FLAG %s
// RUN: env VX_CHECK=memcheck,racecheck,initcheck,synccheck VX_LOWERING=hw timeout 60 %run %t 2>&1 | FileCheck --check-prefixes=CHECK,FLAG %s
// RUN: env VX_CHECK=racecheck VX_LOWERING=sw timeout 60 %run %t 2>&1 | FileCheck --check-prefixes=CHECK,FLAG %s
// RUN: env VX_CHECK=synccheck VX_MODE=timing timeout 60 %run %t 2>&1 | FileCheck --check-prefixes=CHECK,FLAG %s
// RUN: env VX_CHECK=memcheck VX_LOWERING=hw timeout 60 %run %t outside 2>&1 | FileCheck --check-prefixes=CHECK,OUTSIDE %s
// RUN: env VX_CHECK=memcheck VX_LOWERING=hw timeout 60 %run %t leaves 2>&1 | FileCheck --check-prefix=LEAVES %s
//
// Kernels that wait for ever are stopped under the checkers, too. What counts is what the loop
// reads there: memory that is not the program's reads as 0.
//
// OUTSIDE: memcheck: invalid read of 4 bytes of shared memory
// FLAG:    {{mem|race|sync}}check: the kernel was stopped: no forward progress
// FLAG:    endless.cu:[[#FLAG:]]
// CHECK:   stopped: no forward progress
// CHECK:   cudaErrorLaunchTimeout
// LEAVES:  memcheck: invalid read of 4 bytes of shared memory
// LEAVES:  cudaSuccess, 3

#include <cstdio>
#include <cuda_runtime.h>

/// Block 0 waits for a flag that nobody sets.
__global__ void flag(volatile int *p) {
  if (blockIdx.x == 0)
    while (p[0] == 0)
      ;
  else
    p[1] = 1;
}

/// The word before `tile` has a value, but is not read.
__global__ void outside(int *to, int at, int stays) {
  __shared__ int before[8], tile[8];
  volatile int *words = tile;
  before[threadIdx.x] = tile[threadIdx.x] = stays ? 1 : 3;
  __syncthreads();
  while (words[at] != (stays ? 1 : 0))
    ;
  to[0] = 3;
}

int main(int argc, char **argv) {
  int *p, value = 0;
  cudaMalloc(&p, 64);
  cudaMemset(p, 0, 64);
  if (argc > 1)
    outside<<<1, 8>>>(p, -2, argv[1][0] == 'o');
  else
    flag<<<2, 32>>>(p);
  cudaError_t error = cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  printf("%s, %d\n", cudaGetErrorName(error), value);
}
