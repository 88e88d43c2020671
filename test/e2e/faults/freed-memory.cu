// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 %s -o %t
// RUN: %run %t freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: env VX_LOWERING=sw %run %t freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: %run %t twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %run %t foreign 2>&1 | FileCheck %s --check-prefix=FOREIGN
//
// A write to memory that was freed before the first launch does not hit what the runtime itself has
// allocated since. In the device's heap, a second free stops the kernel, and what is not of the heap is
// left alone.
//
// FREED: kernel `write(int*)` stopped
// FREED: freed-memory.cu:[[# @LINE + 12]]
// FREED: cudaErrorIllegalAddress
// TWICE: kernel `freeTwice()` stopped
// TWICE: cudaErrorLaunchFailure
// FOREIGN-NOT: stopped
// FOREIGN: cudaSuccess
// FOREIGN-NEXT: 7

#include <cstdio>
#include <cstring>

__global__ void write(int *p) {
  p[threadIdx.x] = 5;
}

__global__ void freeTwice() {
  void *p = malloc(16);
  free(p);
  free(p);
}

__device__ int result;

__global__ void freeForeign() {
  int local[4] = {};
  free(&local[threadIdx.x]);
  auto *p = static_cast<int *>(malloc(0)), *q = static_cast<int *>(malloc(64));
  *q = 7;
  result = p && p != q ? *q : 0;
  free(q);
  free(p);
}

int main(int, char **argv) {
  int *p, got = 0;
  cudaMalloc(&p, 1 << 20);
  if (!strcmp(argv[1], "freed")) {
    cudaFree(p);
    write<<<1, 64>>>(p);
  } else if (!strcmp(argv[1], "twice")) {
    freeTwice<<<1, 1>>>();
  } else {
    freeForeign<<<1, 1>>>();
  }
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpyFromSymbol(&got, result, sizeof got);
  printf("%d\n", got);
}
