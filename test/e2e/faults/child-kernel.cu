// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t && %run %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: env VX_LOWERING=sw timeout 120 %t > %t.txt 2>&1 && FileCheck %s < %t.txt
// RUN: env VX_STATS=json:%t.json timeout 120 %t ok > /dev/null && FileCheck --check-prefix=STATS %s < %t.json
//
// A kernel that was launched from device code is stopped: the report names it and who launched it,
// and the grids that wait do not run. Statistics count children, and a grid that runs in parts once.

#include "../Inputs/fault.h"

__global__ void child(int *p, int where) {
  if (threadIdx.x == 3)
    p[where] = 1;
}
__global__ void parent(int *p, int where) {
  if (threadIdx.x == 0)
    child<<<2, 8>>>(p, where);
}

// STATS: "name": "parent(int*, int)",
// STATS-NEXT: "launches": 1,
// STATS: "name": "child(int*, int)",
// STATS-NEXT: "launches": 3000,
int main(int count, char **) {
  int *p;
  cudaMalloc(&p, 64);
  if (count > 1) {
    parent<<<3000, 2>>>(p, 0);
    return cudaDeviceSynchronize();
  }
  parent<<<1, 32>>>(p, 4);
  // CHECK: fine: cudaSuccess
  outcome("fine");
  parent<<<2, 32>>>(p, 1 << 28);
  // CHECK: kernel `child(int*, int)` stopped: illegal memory access, writing 4 bytes
  // CHECK: block: [0,0,0]
  // CHECK: child-kernel.cu:13
  // CHECK: launched by kernel `parent(int*, int)`
  // CHECK-NOT: stopped
  // CHECK: wild: cudaErrorIllegalAddress
  outcome("wild");
  // CHECK: ended normally
  return ended();
}
