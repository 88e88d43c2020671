// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second object of two-objects.cu: a kernel and a variable of the same names.

#include <cuda_runtime.h>

__device__ int cell = 5;

static __global__ void step(int *theirs) {
  cell += 1;
  *theirs += 1000;
}

int *cellOfOtherObject() {
  void *address = nullptr;
  cudaGetSymbolAddress(&address, cell);
  return static_cast<int *>(address);
}

void stepOfOtherObject(int *theirs) { step<<<1, 1>>>(theirs); }
