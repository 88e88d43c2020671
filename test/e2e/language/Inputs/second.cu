// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"

// The same names as in first.cu, and a template that both files instantiate.
static __device__ int secret = 100;

static __global__ void kernel(int *out, int n, Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += secret + weigh(pair);
}

void launchSecond(int *out, int n, Pair pair) {
  fill<int><<<(n + 31) / 32, 32>>>(out + n / 2, 20, n - n / 2);
  kernel<<<(n + 31) / 32, 32>>>(out, n, pair);
}
