// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_E2E_LANGUAGE_SHARED_H
#define TEST_E2E_LANGUAGE_SHARED_H

#include <cuda_runtime.h>

struct Pair {
  int first;
  double second;
};

#ifdef __CUDACC__
template <class T> __global__ void fill(T *out, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = value;
}

__device__ inline int weigh(Pair pair) {
  return pair.first * 2 + static_cast<int>(pair.second);
}
#endif

void launchFirst(int *out, int n);
void launchSecond(int *out, int n, Pair pair);
int plainFunction(int x);

#endif // TEST_E2E_LANGUAGE_SHARED_H
