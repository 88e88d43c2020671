// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions that libclc's build for NVPTX gets wrong.

#include "frontend/opencl/device/Device.h"

// CUDA's, of vxmath.bc.
double __nv_pow(double, double);
float __nv_tgammaf(float);
double __nv_tgamma(double);

// libclc's returns infinity for large exponents where zero is right.
VX_INLINE double pow(double x, double y) {
  return __nv_pow(x, y);
}
// Where pow has a limit that does not depend on the way to it, powr may have none.
VX_INLINE double powr(double x, double y) {
  bool undefined = x < 0 || isnan(x) || isnan(y) || (y == 0 && (x == 0 || isinf(x))) ||
                   (x == 1 && isinf(y));
  return undefined ? NAN : __nv_pow(fabs(x), y);
}

// libclc's returns infinity for arguments whose inverse is nearly the largest number, and is 25 ulp
// off near them in float.
VX_INLINE float tgamma(float x) {
  return __nv_tgammaf(x);
}
VX_INLINE double tgamma(double x) {
  return __nv_tgamma(x);
}

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
