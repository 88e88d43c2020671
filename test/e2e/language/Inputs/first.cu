// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"

static __device__ int secret = 1;

static __global__ void kernel(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += secret;
}

void launchFirst(int *out, int n) {
  fill<int><<<(n + 31) / 32, 32>>>(out, 10, n);
  kernel<<<(n + 31) / 32, 32>>>(out, n);
}
