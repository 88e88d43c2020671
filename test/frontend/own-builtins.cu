// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a program may have names of clang's builtins that are none of nvcc's host compiler; a builtin that is
// called and not declared is that still.
// RUN: %vxcc %s -o %t && %run %t | FileCheck %s
// RUN: %vxcc -DOTHER_TYPE %s -o %t && %run %t | FileCheck %s --check-prefix=OTHER
// RUN: %vxcc -DEXTERNAL %s -o %t && %run %t | FileCheck %s
// RUN: not %vxcc -DTWICE %s -o %t 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %vxcc -DRESERVED %s -o %t 2>&1 | FileCheck %s --check-prefix=RESERVED
// CHECK: 5 6 42
// OTHER: -5 6 42
// TWICE: own-builtins.cu:[[# @LINE + 16]]:27: error: redefinition of '__rdtsc'
// TWICE: 1 error generated
// RESERVED: own-builtins.cu:[[# @LINE + 17]]:12: error: {{.*}}'__builtin_popcount'

#include <cstdio>

#if defined(OTHER_TYPE)
inline int __rdtsc() { return -5; }
#elif defined(EXTERNAL)
unsigned long long __rdtsc() { return 5; }
#else
static unsigned long long __rdtsc() { return 5; }
#endif
__host__ __device__ inline unsigned long long _rotl64(int x) { return x + 1; }
__device__ static unsigned short _rotl16(unsigned short, unsigned char) { return 42; }
#ifdef TWICE
static unsigned long long __rdtsc() { return 6; }
#endif
#ifdef RESERVED
static int __builtin_popcount(unsigned x) { return x; }
#endif

__global__ void k(int *out) {
  out[0] = int(_rotl64(5));
  out[1] = _rotl16(1, 2);
}

int main() {
  int *out;
  cudaMallocManaged(&out, 2 * sizeof *out);
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("%lld %d %d\n", (long long)__rdtsc(), out[0], out[1]);
  return __builtin_popcount(0);
}
