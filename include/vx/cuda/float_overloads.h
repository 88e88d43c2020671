// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The float overloads of the C math functions that clang's headers declare for device code and
// leave to the SDK.

#ifndef VX_CUDA_FLOAT_OVERLOADS_H
#define VX_CUDA_FLOAT_OVERLOADS_H

#define VX_DEVICE static __device__ __forceinline__ __attribute__((__nodebug__))
#define VX_UNARY(NAME)                                                                             \
  VX_DEVICE float NAME(float x) { return NAME##f(x); }
#define VX_BINARY(NAME)                                                                            \
  VX_DEVICE float NAME(float x, float y) { return NAME##f(x, y); }

VX_UNARY(acosh)
VX_UNARY(asinh)
VX_UNARY(atanh)
VX_UNARY(cbrt)
VX_UNARY(erfc)
VX_UNARY(erf)
VX_UNARY(exp2)
VX_UNARY(expm1)
VX_UNARY(lgamma)
VX_UNARY(log1p)
VX_UNARY(log2)
VX_UNARY(logb)
VX_UNARY(nearbyint)
VX_UNARY(rint)
VX_UNARY(round)
VX_UNARY(tgamma)
VX_UNARY(trunc)
VX_BINARY(copysign)
VX_BINARY(fdim)
VX_BINARY(fmax)
VX_BINARY(fmin)
VX_BINARY(hypot)
VX_BINARY(nextafter)
VX_BINARY(remainder)

VX_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
VX_DEVICE int ilogb(float x) { return ilogbf(x); }
VX_DEVICE long lrint(float x) { return lrintf(x); }
VX_DEVICE long lround(float x) { return lroundf(x); }
VX_DEVICE long long llrint(float x) { return llrintf(x); }
VX_DEVICE long long llround(float x) { return llroundf(x); }
VX_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
VX_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
VX_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
// The payload that the text asks for is dropped.
VX_DEVICE double nan(const char *) { return __builtin_nan(""); }
VX_DEVICE float nanf(const char *) { return __builtin_nanf(""); }

#undef VX_DEVICE
#undef VX_UNARY
#undef VX_BINARY

#endif // VX_CUDA_FLOAT_OVERLOADS_H
