// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -g -O0 %s -o %t.0 && %run %t.0 > %t.0.txt 2>&1 && FileCheck %s < %t.0.txt
// RUN: %vxcc -lineinfo -O3 %s -o %t.3 && %run %t.3 > %t.3.txt 2>&1 && FileCheck %s < %t.3.txt
//
// A store through a null pointer by one thread: the report names kernel, block, thread and source
// line; the error stays until the program ends.

#include "../Inputs/fault.h"

__global__ void writeNull(int *p, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == limit)
    p[0] = 7; // the line to be named
}

int main() {
  writeNull<<<4, 10>>>(nullptr, 25);
  // CHECK-DAG: {{.*}}writeNull
  // CHECK-DAG: block{{.*2, *0, *0}}
  // CHECK-DAG: thread{{.*5, *0, *0}}
  // CHECK-DAG: null-pointer.cu:[[#@LINE-8]]
  // CHECK: store: cudaErrorIllegalAddress
  outcome("store");
  writeNull<<<1, 1>>>(nullptr, 5);
  // CHECK: next launch: cudaErrorIllegalAddress
  outcome("next launch");
  void *p;
  // CHECK: malloc: 700
  std::printf("malloc: %d\n", static_cast<int>(cudaMalloc(&p, 16)));
  // CHECK: ended normally
  return ended();
}
