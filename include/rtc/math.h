// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host declares of the C library; device code has functions of its own.

#ifndef VX_RTC_MATH_H
#define VX_RTC_MATH_H

extern "C" {
#define VX_UNARY(name)                                                                             \
  double name(double) noexcept;                                                                    \
  float name##f(float) noexcept;
#define VX_BINARY(name)                                                                            \
  double name(double, double) noexcept;                                                            \
  float name##f(float, float) noexcept;
VX_UNARY(acos)
VX_UNARY(acosh)
VX_UNARY(asin)
VX_UNARY(asinh)
VX_UNARY(atan)
VX_UNARY(atanh)
VX_UNARY(cbrt)
VX_UNARY(ceil)
VX_UNARY(cos)
VX_UNARY(cosh)
VX_UNARY(erf)
VX_UNARY(erfc)
VX_UNARY(exp)
VX_UNARY(exp2)
VX_UNARY(expm1)
VX_UNARY(fabs)
VX_UNARY(floor)
VX_UNARY(lgamma)
VX_UNARY(log)
VX_UNARY(log10)
VX_UNARY(log1p)
VX_UNARY(log2)
VX_UNARY(logb)
VX_UNARY(nearbyint)
VX_UNARY(rint)
VX_UNARY(round)
VX_UNARY(sin)
VX_UNARY(sinh)
VX_UNARY(sqrt)
VX_UNARY(tan)
VX_UNARY(tanh)
VX_UNARY(tgamma)
VX_UNARY(trunc)
VX_BINARY(atan2)
VX_BINARY(copysign)
VX_BINARY(fdim)
VX_BINARY(fmax)
VX_BINARY(fmin)
VX_BINARY(fmod)
VX_BINARY(hypot)
VX_BINARY(nextafter)
VX_BINARY(pow)
VX_BINARY(remainder)
#undef VX_UNARY
#undef VX_BINARY
} // extern "C"

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#endif // VX_RTC_MATH_H
