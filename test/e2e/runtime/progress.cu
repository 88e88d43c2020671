// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t
// RUN: env VX_BACKEND=sim VX_MODE=timing %python %inputs/progress.py %t | FileCheck %s
//
// A long run shows how far it has come if stderr is a terminal, or as run.progress says.
//
// CHECK: {{^}}terminal: {{.*}} s: {{.*}} M cycles, {{.*}} M instructions, {{.*}} M cycles/s, {{[1-9][0-9]*}}/1000000000 blocks, {{[0-9]+}} s left
// CHECK: terminal, off: none
// CHECK: {{^}}pipe: none
// CHECK: pipe, on: {{.*}} M cycles, {{.*}} s left

#include <cuda_runtime.h>

__global__ void count(unsigned *p) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 100; ++i)
    sum = sum * 5 + blockIdx.x;
  if (threadIdx.x == 0)
    atomicAdd(p, sum);
}

int main() {
  unsigned *p;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  count<<<1000000000, 32>>>(p);
  return cudaDeviceSynchronize();
}
