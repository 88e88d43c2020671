// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that libclc implements, under the names that clang's CUDA headers call. libclc's
// are OpenCL functions with Itanium-mangled names (sin(float) is _Z3sinf).

#include "vxmath.h"

#define UNARY(NAME, LENGTH, CLC)                                                                   \
  float _Z##LENGTH##CLC##f(float);                                                                 \
  double _Z##LENGTH##CLC##d(double);                                                               \
  float __nv_##NAME##f(float x) {                                                                  \
    return _Z##LENGTH##CLC##f(x);                                                                  \
  }                                                                                                \
  double __nv_##NAME(double x) {                                                                   \
    return _Z##LENGTH##CLC##d(x);                                                                  \
  }
/// The float function is in single.c or remainder.c, or below.
#define DOUBLE(NAME, LENGTH, CLC)                                                                  \
  double _Z##LENGTH##CLC##d(double);                                                               \
  double __nv_##NAME(double x) {                                                                   \
    return _Z##LENGTH##CLC##d(x);                                                                  \
  }
#define DOUBLES(NAME, LENGTH, CLC)                                                                 \
  double _Z##LENGTH##CLC##dd(double, double);                                                      \
  double __nv_##NAME(double x, double y) {                                                         \
    return _Z##LENGTH##CLC##dd(x, y);                                                              \
  }
#define BINARY(NAME, LENGTH, CLC)                                                                  \
  float _Z##LENGTH##CLC##ff(float, float);                                                         \
  double _Z##LENGTH##CLC##dd(double, double);                                                      \
  float __nv_##NAME##f(float x, float y) {                                                         \
    return _Z##LENGTH##CLC##ff(x, y);                                                              \
  }                                                                                                \
  double __nv_##NAME(double x, double y) {                                                         \
    return _Z##LENGTH##CLC##dd(x, y);                                                              \
  }

UNARY(sin, 3, sin)
UNARY(cos, 3, cos)
UNARY(tan, 3, tan)
DOUBLE(sinpi, 5, sinpi)
DOUBLE(cospi, 5, cospi)
UNARY(asin, 4, asin)
UNARY(acos, 4, acos)
UNARY(atan, 4, atan)
DOUBLE(tanh, 4, tanh)
UNARY(asinh, 5, asinh)
UNARY(acosh, 5, acosh)
UNARY(atanh, 5, atanh)
DOUBLE(exp, 3, exp)
DOUBLE(exp2, 4, exp2)
DOUBLE(exp10, 5, exp10)
DOUBLE(log2, 4, log2)
DOUBLE(log10, 5, log10)
UNARY(log1p, 5, log1p)
UNARY(cbrt, 4, cbrt)
UNARY(erf, 3, erf)
DOUBLE(erfc, 4, erfc)
DOUBLE(lgamma, 6, lgamma)
BINARY(atan2, 5, atan2)
DOUBLES(fmod, 4, fmod)
DOUBLES(remainder, 9, remainder)
BINARY(nextafter, 9, nextafter)

float _Z3powff(float, float);
double _Z3powdd(double, double);
float __nv_powf(float x, float y) {
  return _Z3powff(x, y);
}
/// libclc's multiplies y by log2 x before it looks whether the result is a number, and gives
/// infinity where that overflows to minus infinity. From 2^65 on, all y are even and have the same
/// result: of x other than 1, the nearest to 1 has a logarithm of 2^-53.
double __nv_pow(double x, double y) {
  double large = __builtin_copysign(0x1p65, y);
  return _Z3powdd(x, absD(y) > 0x1p65 ? large : y);
}
float _Z4pownfi(float, int);
double _Z4powndi(double, int);
float __nv_powif(float x, int n) {
  return _Z4pownfi(x, n);
}
double __nv_powi(double x, int n) {
  return _Z4powndi(x, n);
}

/// libclc's looks up a table by an integer that an infinity has none of.
double _Z4sinhd(double);
double __nv_sinh(double x) {
  return absD(x) < 720.0 ? _Z4sinhd(x) : x * 0x1p1023;
}

/// libclc's of minus infinity is minus infinity; that and all below -2^23 are poles, or their
/// limit. Near zero it is -log |x|, which libclc's is not for negative x.
float _Z6lgammaf(float);
float __nv_logf(float);
float __nv_lgammaf(float x) {
  float far = _Z6lgammaf(x), near = -__nv_logf(absF(x));
  return x <= -0x1p23f ? __builtin_inff() : absF(x) < 0x1p-24f ? near : far;
}

float _Z6sincosfPf(float, float *);
double _Z6sincosdPd(double, double *);
void __nv_sincosf(float x, float *s, float *c) {
  *s = _Z6sincosfPf(x, c);
}
void __nv_sincos(double x, double *s, double *c) {
  *s = _Z6sincosdPd(x, c);
}

float __nv_sinpif(float), __nv_cospif(float);
void __nv_sincospif(float x, float *s, float *c) {
  *s = __nv_sinpif(x);
  *c = __nv_cospif(x);
}
void __nv_sincospi(double x, double *s, double *c) {
  *s = __nv_sinpi(x);
  *c = __nv_cospi(x);
}

double _Z6remquoddPi(double, double, int *);
double __nv_remquo(double x, double y, int *q) {
  return _Z6remquoddPi(x, y, q);
}

/// 1 / cbrt, with one correction by the residual 1 - y^3 x.
float __nv_rcbrtf(float x) {
  return (float)(1.0 / __nv_cbrt(x));
}
double __nv_rcbrt(double x) {
  double y = 1.0 / __nv_cbrt(x);
  Pair square = twoProduct(y, y);
  Pair cube = mulPair(square, y);
  double residual = fmaD(-cube.lo, x, fmaD(-cube.hi, x, 1.0));
  double better = fmaD(y * (1.0 / 3), residual, y);
  return absD(residual) < 1e-10 ? better : y; // not for 0, infinity, NaN and where y^3 x overflows
}
