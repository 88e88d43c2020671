// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc %s -o %t
// RUN: env VX_SET=run.quantum=4,run.max_instructions=58 %run %t 2>&1 | FileCheck %s
// RUN: env VX_SET=run.quantum=4,run.max_instructions=58 VX_LOWERING=sw %run %t 2>&1 | FileCheck %s
//
// A kernel that is stopped in its start-up code, where no lane has worked out its block and thread yet:
// the report says so.
//
// CHECK: kernel `fill(int*)` stopped:
// CHECK-NEXT: {{^}}  block and thread not known yet (core 0, warp {{[0-3]}}, lane 0){{$}}
// CHECK: fill: cudaErrorLaunchTimeout
// CHECK: ended normally

#include "../Inputs/fault.h"

__global__ void fill(int *p) { p[threadIdx.x + blockIdx.x * blockDim.x] = blockIdx.y; }

int main() {
  int *p;
  cudaMalloc(&p, 4096);
  fill<<<dim3(4, 2), 64>>>(p);
  outcome("fill");
  return ended();
}
