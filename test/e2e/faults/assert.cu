// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: %vxcc -O0 %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: %vxcc -O3 -DNDEBUG %s -o %t && %run %t 2>&1 | FileCheck --check-prefix=NDEBUG %s
//
// A device assert that fails in one thread: CUDA's message with file, line, function, block and
// thread, and cudaErrorAssert. With NDEBUG nothing happens.

#include "../Inputs/fault.h"
#include <cassert>

__global__ void checkAll(const int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    assert(values[i] != 13 && "thirteen");
}

int main() {
  int host[64] = {}, *device;
  host[42] = 13;
  cudaMalloc(&device, sizeof host);
  checkAll<<<4, 16>>>(device, 0);
  // CHECK: holds: cudaSuccess
  // NDEBUG: holds: cudaSuccess
  outcome("holds");
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  checkAll<<<4, 16>>>(device, 64);
  // CHECK: assert.cu:[[#@LINE-13]]: {{.*}}checkAll{{.*}}block: [2,0,0], thread: [10,0,0] Assertion `values[i] != 13 && "thirteen"` failed.
  // CHECK: fails: cudaErrorAssert
  // NDEBUG-NEXT: fails: cudaSuccess
  outcome("fails");
  // CHECK: ended normally
  return ended();
}
