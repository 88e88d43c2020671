// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "material.cuh"

__device__ float conductivity(int) {
  return kConductivity;
}
