// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of managed-variables.cu, with a managed variable of the same name that is its own.

#include "../../Inputs/harness.h"

static __managed__ int hidden = 41;

static __global__ void increment() { hidden += 1; }

int otherValue(int device) {
  increment<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  return hidden;
}
