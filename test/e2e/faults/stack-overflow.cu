// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O1 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: %vxcc -g -O0 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
//
// A recursion that never ends in one thread of many is stopped and reported; a recursion that is
// merely deep is not.

#include "../Inputs/fault.h"

__device__ __attribute__((noinline)) int descend(int depth, volatile int *out) {
  volatile int frame[4] = {depth, depth + 1, depth + 2, depth + 3};
  out[0] = frame[depth & 3];
  if (depth == 0)
    return 0;
  return descend(depth - 1, out) + frame[1];
}

__global__ void recurse(int *out, int depth, int deepThread) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = descend(i == deepThread ? depth : 3, out + i);
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  recurse<<<2, 32>>>(out, 20, 40);
  // CHECK: deep: cudaSuccess
  outcome("deep");
  recurse<<<2, 32>>>(out, 1 << 30, 40);
  // CHECK: {{[Ss]}}tack overflow
  // CHECK: endless: cudaError{{LaunchFailure|IllegalAddress|HardwareStackError}}
  outcome("endless");
  // CHECK: ended normally
  return ended();
}
