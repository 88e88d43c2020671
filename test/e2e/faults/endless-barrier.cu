// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O3 %s -o %t
// RUN: env VX_SET=run.max_instructions=2000000 %run %t flag > %t.txt 2>&1 && FileCheck --check-prefix=LIMIT %s < %t.txt
// RUN: env VX_SET=run.max_instructions=2000000 %run %t loop > %t.txt 2>&1 && FileCheck --check-prefix=LIMIT %s < %t.txt
// RUN: env VX_SET=run.max_instructions=2000000 %run %t branch > %t.txt 2>&1 && FileCheck --check-prefix=BRANCH %s < %t.txt
//
// Threads that wait for each other for ever do not hang the host program when the instructions are
// limited: a flag that is set only after the barrier, a barrier in an endless loop. A barrier that
// only some threads of a block reach, which CUDA leaves undefined, ends one way or the other.

#include "../Inputs/fault.h"
#include <cstring>

__global__ void waitForFlag(volatile int *flag) {
  if (threadIdx.x < 32)
    while (*flag == 0)
      ;
  __syncthreads();
  *flag = 1;
}

__global__ void waitInLoop(volatile int *flag) {
  while (*flag == 0)
    __syncthreads();
}

__global__ void waitInBranch(volatile int *flag) {
  if (threadIdx.x % 2 == 0) {
    *flag = 1;
    __syncthreads();
  } else {
    *flag = 2;
  }
  *flag = 3;
}

int main(int, char **argv) {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (!std::strcmp(argv[1], "flag"))
    waitForFlag<<<1, 64>>>(flag);
  else if (!std::strcmp(argv[1], "loop"))
    waitInLoop<<<2, 100>>>(flag);
  else
    waitInBranch<<<2, 100>>>(flag);
  // LIMIT: kernel `{{waitForFlag|waitInLoop}}
  // LIMIT: endless: cudaErrorLaunch{{Timeout|Failure}}
  // LIMIT: ended normally
  // BRANCH: endless: cuda{{Success|ErrorLaunchFailure|ErrorLaunchTimeout}}
  // BRANCH: ended normally
  outcome("endless");
  return ended();
}
