// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that old formatters wrote; included by nvcc-spellings.cu.
#pragma once
#define LAUNCH_TWICE(kernel, ...)                                                                  \
  do {                                                                                             \
    kernel << <1, 32 >> > (__VA_ARGS__);                                                           \
    kernel<< <1, 32>> >(__VA_ARGS__);                                                              \
  } while (0)

template <class T> __global__ void addTo(T *p, T x) {
  p[threadIdx.x] += x;
}

inline void fromHeader(int *p) {
  addTo<int> << <1, 32 >> > (p, 1000);
}
