// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O3 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: %vxcc -g -O0 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
//
// __trap() in some threads ends the kernel with an error.

#include "../Inputs/fault.h"

__global__ void trapAt(int which) {
  if (static_cast<int>(threadIdx.x) == which)
    __trap();
}

int main() {
  trapAt<<<2, 40>>>(100);
  // CHECK: never: cudaSuccess
  outcome("never");
  trapAt<<<2, 40>>>(35);
  // CHECK: {{.*}}trapAt
  // CHECK: trap.cu:11
  // CHECK: once: cudaError{{LaunchFailure|IllegalInstruction}}
  outcome("once");
  // CHECK: ended normally
  return ended();
}
