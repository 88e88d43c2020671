// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Default arguments on members of class templates that are defined out of the class, which nvcc accepts with a
// warning. A call that needs one is an error.
// RUN: %vxcc %s -o %t && %run %t | FileCheck %s
// RUN: not %vxcc -DCALL %s -o %t 2>&1 | FileCheck %s --check-prefix=CALL
// CHECK: 12 7
// CALL: late-default-arguments.cu:[[# @LINE + 28]]:{{[0-9]+}}: error: too few arguments to function call, expected 2, have 1
// CALL: 1 error generated

#include <cstdio>

template <class T> struct Table {
  __host__ __device__ T scaled(T value, int factor);
  __host__ __device__ T sum(T a, T b, T c);
};
template <class T> __host__ __device__ T Table<T>::scaled(T value, int factor = 3) {
  return value * factor;
}
template <class T>
__host__ __device__ T Table<T>::sum(T a,
                                    T b = T(sizeof(T) == 4 ? 2
                                                           : 3),
                                    T c =
                                        4) {
  return a + b + c;
}
__global__ void k(int *out) { out[0] = Table<int>().scaled(4, 3); }

int main() {
  int *out;
  cudaMallocManaged(&out, sizeof *out);
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
#ifdef CALL
  out[0] += Table<int>().scaled(4);
#endif
  std::printf("%d %d\n", out[0], Table<int>().sum(1, 2, 4));
}
