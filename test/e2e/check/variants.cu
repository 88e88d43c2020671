// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -fvx-check -O1 %s -o %t
// RUN: env VX_CHECK=racecheck VX_LOWERING=hw VX_SET=core.num_threads=32,core.num_warps=8 %run %t 2>&1 | FileCheck %s
// RUN: env VX_CHECK=racecheck VX_LOWERING=hw VX_SET=core.num_threads=8,core.num_warps=8 %run %t 2>&1 | FileCheck %s
// RUN: env VX_CHECK=racecheck VX_LOWERING=sw %run %t 2>&1 | FileCheck %s
//
// A kernel with warp functions has variants, each with shared variables of its own: the variable of
// a race has its name in all of them.
//
// CHECK:     ========= racecheck: {{read|write}} of 4 bytes of shared memory
// CHECK:     `sums(int*)::total`, 128 bytes
// CHECK:     ERROR SUMMARY: 1 error{{$}}

#include <cuda_runtime.h>

__global__ void sums(int *to) {
  __shared__ int total[32];
  int value = threadIdx.x;
  for (int distance = 16; distance; distance /= 2)
    value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % 32 == 0)
    total[threadIdx.x / 32] = value;
  to[threadIdx.x] = total[1]; // a barrier is missing
}

int main() {
  int *to;
  cudaMalloc(&to, 64 * sizeof(int));
  sums<<<1, 64>>>(to);
  cudaDeviceSynchronize();
}
