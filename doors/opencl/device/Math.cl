// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions that libclc's build for NVPTX gets wrong.

#include "doors/opencl/device/Device.h"

// libclc's takes the exponent of a NaN for a number's.
VX_INLINE double ldexp(double x, int n) {
  // Powers of two that are numbers, twice; the small ones leave the bits of a subnormal result to
  // the last step, so that it is rounded once.
  for (int i = 0; i < 2 && n > 1023; ++i) {
    x *= 0x1p1023;
    n -= 1023;
  }
  for (int i = 0; i < 2 && n < -1022; ++i) {
    x *= 0x1p-1022 * 0x1p53;
    n += 1022 - 53;
  }
  return x * as_double((ulong)(1023 + clamp(n, -1022, 1023)) << 52);
}

// libclc's is 1 where an element is infinite, not -1.
#define VX_VECTOR(N)                                                                               \
  VX_INLINE double##N ldexp(double##N x, int##N n) {                                               \
    double##N result;                                                                              \
    _Pragma("unroll") for (int i = 0; i < N; ++i) result[i] = ldexp(x[i], n[i]);                   \
    return result;                                                                                 \
  }                                                                                                \
  VX_INLINE double##N ldexp(double##N x, int n) {                                                  \
    return ldexp(x, (int##N)n);                                                                    \
  }                                                                                                \
  VX_INLINE int##N isinf(float##N x) {                                                             \
    return (as_int##N(x) & 0x7fffffff) == 0x7f800000;                                              \
  }                                                                                                \
  VX_INLINE long##N isinf(double##N x) {                                                           \
    return (as_long##N(x) & 0x7fffffffffffffff) == 0x7ff0000000000000;                             \
  }
VX_VECTOR(2)
VX_VECTOR(3)
VX_VECTOR(4)
VX_VECTOR(8)
VX_VECTOR(16)
