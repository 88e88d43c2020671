// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are one or a few operations: rounding to integers, parts of numbers, tests,
// minimum and maximum, roots.

#include "vxmath.h"

#define BOTH1(NAME, BUILTIN)                                                                       \
  float __nv_##NAME##f(float x) {                                                                  \
    return __builtin_##BUILTIN##f(x);                                                              \
  }                                                                                                \
  double __nv_##NAME(double x) {                                                                   \
    return __builtin_##BUILTIN(x);                                                                 \
  }
#define BOTH2(NAME, BUILTIN)                                                                       \
  float __nv_##NAME##f(float x, float y) {                                                         \
    return __builtin_##BUILTIN##f(x, y);                                                           \
  }                                                                                                \
  double __nv_##NAME(double x, double y) {                                                         \
    return __builtin_##BUILTIN(x, y);                                                              \
  }

BOTH1(fabs, fabs)
BOTH1(floor, floor)
BOTH1(ceil, ceil)
BOTH1(trunc, trunc)
BOTH1(rint, rint)
BOTH1(nearbyint, nearbyint)
BOTH1(sqrt, sqrt)
BOTH2(copysign, copysign)
BOTH2(fmin, fmin)
BOTH2(fmax, fmax)

float __nv_fmaf(float x, float y, float z) {
  return fmaF(x, y, z);
}
double __nv_fma(double x, double y, double z) {
  return fmaD(x, y, z);
}
float __nv_saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}
float __nv_fdimf(float x, float y) {
  return x <= y ? 0.0f : x - y;
}
double __nv_fdim(double x, double y) {
  return x <= y ? 0.0 : x - y;
}

/// Halves go away from zero; adding the largest number below 0.5 keeps 0.49999… at 0.
float __nv_roundf(float x) {
  float r = __builtin_truncf(x + __builtin_copysignf(0x1.fffffep-2f, x));
  return absF(x) < 0x1p23f ? __builtin_copysignf(r, x) : x;
}
double __nv_round(double x) {
  double r = __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x));
  return absD(x) < 0x1p52 ? __builtin_copysign(r, x) : x;
}

s64 __nv_float2ll_rn(float), __nv_double2ll_rn(double), __nv_float2ll_rz(float);
s64 __nv_double2ll_rz(double);
s64 __nv_llrintf(float x) {
  return __nv_float2ll_rn(x);
}
s64 __nv_llrint(double x) {
  return __nv_double2ll_rn(x);
}
s64 __nv_llroundf(float x) {
  return __nv_float2ll_rz(__nv_roundf(x));
}
s64 __nv_llround(double x) {
  return __nv_double2ll_rz(__nv_round(x));
}

int __nv_isnanf(float x) {
  return x != x;
}
int __nv_isnand(double x) {
  return x != x;
}
int __nv_isinff(float x) {
  return absF(x) == INF_F;
}
int __nv_isinfd(double x) {
  return absD(x) == INF_D;
}
int __nv_finitef(float x) {
  return absF(x) < INF_F;
}
int __nv_isfinited(double x) {
  return absD(x) < INF_D;
}
int __nv_signbitf(float x) {
  return (int)(bitsOfF(x) >> 31);
}
int __nv_signbitd(double x) {
  return (int)(bitsOfD(x) >> 63);
}
float __nv_nanf(const signed char *tag) {
  return NAN_F;
}
double __nv_nan(const signed char *tag) {
  return NAN_D;
}

/// x times 2^n. A double holds every float times 2^n that is not a float's infinity or zero.
float __nv_ldexpf(float x, int n) {
  n = n < -300 ? -300 : n > 300 ? 300 : n;
  return (float)((double)x * doubleOf((u64)(1023 + n) << 52));
}

/// The exponent field is added to; a subnormal result is built 1000 binary places too high, so that
/// one multiplication rounds it once.
double __nv_ldexp(double x, int n) {
  int subnormal = absD(x) < 0x1p-1022;
  u64 bits = bitsOfD(subnormal ? x * 0x1p54 : x);
  n = n < -5000 ? -5000 : n > 5000 ? 5000 : n;
  int e = (int)(bits >> 52 & 0x7ff) - (subnormal ? 54 : 0) + n;
  int low = e < -100 ? -100 : e;
  u64 rest = bits & ~((u64)0x7ff << 52);
  double small = doubleOf(rest | (u64)(low + 1000) << 52) * 0x1p-1000;
  double normal = doubleOf(rest | (u64)(e & 0x7ff) << 52);
  double huge = __builtin_copysign(INF_D, x);
  double r = e >= 2047 ? huge : e > 0 ? normal : small;
  return x == 0 || !(absD(x) < INF_D) ? x : r;
}
float __nv_scalbnf(float x, int n) {
  return __nv_ldexpf(x, n);
}
double __nv_scalbn(double x, int n) {
  return __nv_ldexp(x, n);
}

/// The exponent of a finite non-zero x, subnormal numbers included.
VX_INLINE int exponentF(float x) {
  double d = absF(x); // a subnormal float is a normal double
  return (int)(bitsOfD(d) >> 52) - 1023;
}
VX_INLINE int exponentD(double x) {
  u64 bits = bitsOfD(absD(x));
  u64 scaled = bitsOfD(absD(x) * 0x1p54);
  return bits >> 52 ? (int)(bits >> 52) - 1023 : (int)(scaled >> 52) - 1023 - 54;
}

int __nv_ilogbf(float x) {
  int e = exponentF(x);
  return x == 0 || x != x ? (int)0x80000000 : absF(x) == INF_F ? 0x7fffffff : e;
}
int __nv_ilogb(double x) {
  int e = exponentD(x);
  return x == 0 || x != x ? (int)0x80000000 : absD(x) == INF_D ? 0x7fffffff : e;
}
float __nv_logbf(float x) {
  float e = (float)exponentF(x);
  return x == 0 ? -INF_F : absF(x) < INF_F ? e : x * x;
}
double __nv_logb(double x) {
  double e = exponentD(x);
  return x == 0 ? -INF_D : absD(x) < INF_D ? e : x * x;
}

float __nv_frexpf(float x, int *exponent) {
  int ordinary = x != 0 && absF(x) < INF_F;
  int e = ordinary ? exponentF(x) + 1 : 0;
  *exponent = e;
  return ordinary ? __nv_ldexpf(x, -e) : x;
}
double __nv_frexp(double x, int *exponent) {
  int ordinary = x != 0 && absD(x) < INF_D;
  int e = ordinary ? exponentD(x) + 1 : 0;
  *exponent = e;
  return ordinary ? __nv_ldexp(x, -e) : x;
}
float __nv_modff(float x, float *whole) {
  float w = __builtin_truncf(x);
  *whole = w;
  return __builtin_copysignf(absF(x) == INF_F ? 0.0f : x - w, x);
}
double __nv_modf(double x, double *whole) {
  double w = __builtin_trunc(x);
  *whole = w;
  return __builtin_copysign(absD(x) == INF_D ? 0.0 : x - w, x);
}
