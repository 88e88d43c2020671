// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O3 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
//
// Warps that wait for each other for ever, one at the barrier and one for a flag that is set behind
// it, do not hang the host program: the limit on instructions ends them with an error.

#include "../Inputs/fault.h"

__global__ void waitForEver(volatile int *flag) {
  if (threadIdx.x < 32)
    while (*flag == 0)
      ;
  __syncthreads();
  *flag = 1;
}

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  waitForEver<<<1, 64>>>(flag);
  // CHECK: {{.*}}waitForEver
  // CHECK: endless: cudaErrorLaunch{{Timeout|Failure}}
  outcome("endless");
  // CHECK: ended normally
  return ended();
}
