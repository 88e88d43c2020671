// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exponentials, logarithms and their relatives in single precision, computed in double: a short
// polynomial there is exact to some 2^-36, so the one rounding at the end gives nearly the closest
// float. No tables, no branches, subnormal results included.

#include "vxmath.h"

/// 2^x for |x| <= 1/2: Taylor's series, whose last term is below 2^-36.
VX_INLINE double exp2Fraction(double f) {
  double g = f * 0.69314718055994531, g2 = g * g;
  double even = fmaD(g2, fmaD(g2, fmaD(g2, 1.0 / 40320, 1.0 / 720), 1.0 / 24), 0.5);
  double odd = fmaD(g2, fmaD(g2, fmaD(g2, 1.0 / 362880, 1.0 / 5040), 1.0 / 120), 1.0 / 6);
  return fmaD(g2, fmaD(g, odd, even), g) + 1;
}

/// 2^x in the range of doubles that a float can need.
VX_INLINE double power2(double x) {
  double limited = x < -200 ? -200 : x > 200 ? 200 : x; // a NaN passes
  double whole = __builtin_rint(limited);
  int n = (int)(limited == limited ? whole : 0.0);
  return exp2Fraction(limited - whole) * doubleOf((u64)(1023 + n) << 52);
}

float __nv_exp2f(float x) {
  return (float)power2(x);
}
float __nv_expf(float x) {
  return (float)power2(x * 1.4426950408889634);
}
float __nv_exp10f(float x) {
  return (float)power2(x * 3.3219280948873623);
}

/// Near 0 the difference from 1 keeps 2^-53 absolute: good down to 2^-12, x + x^2/2 below.
float __nv_expm1f(float x) {
  double d = x;
  double far = power2(d * 1.4426950408889634) - 1;
  double near = fmaD(d * d, fmaD(d, 1.0 / 6, 0.5), d);
  float r = (float)(absD(d) < 0x1p-12 ? near : far);
  return x == 0 ? x : r;
}

/// 1/2 (e^|x| - e^-|x|); the halves of the difference cancel for small x, where the series is used.
float __nv_sinhf(float x) {
  double m = absF(x), e = power2(m * 1.4426950408889634);
  double far = 0.5 * (e - 1 / e);
  double near = fmaD(m * m * m, fmaD(m * m, 1.0 / 120, 1.0 / 6), m);
  return __builtin_copysignf((float)(m < 0x1p-6 ? near : far), x);
}
float __nv_coshf(float x) {
  double e = power2(absF(x) * 1.4426950408889634);
  return (float)(0.5 * (e + 1 / e));
}
float __nv_tanhf(float x) {
  double m = absF(x), e = power2((m > 20 ? 20 : m) * 2.8853900817779268);
  double far = 1 - 2 / (e + 1);
  double near = fmaD(m * m * m, fmaD(m * m, 2.0 / 15, -1.0 / 3), m);
  float r = __builtin_copysignf((float)(m < 0x1p-6 ? near : far), x);
  return x != x ? x : r;
}

/// log2 of a positive finite x: the exponent and 2 atanh(s) log2(e), s = (m - 1) / (m + 1) with m
/// in [0.70, 1.41], |s| < 0.172; seven terms leave 2^-42.
VX_INLINE double log2Positive(double x) {
  u64 offset = bitsOfD(x) - 0x3fe6a09e00000000ull; // about sqrt(1/2)
  s64 exponent = (s64)offset >> 52;
  double m = doubleOf((offset & 0xfffffffffffffull) + 0x3fe6a09e00000000ull);
  double s = (m - 1) / (m + 1), s2 = s * s;
  double p = 1.0 / 15;
  p = atanhFrom13(p, s2);
  p = fmaD(p, s2, 1.0);
  return fmaD(p * s, 2.8853900817779268, (double)exponent);
}
VX_INLINE float logOf(double x, double factor) {
  double r = log2Positive(x) * factor;
  r = x == INF_D ? x : r;
  return (float)(x > 0 ? r : x == 0 ? -INF_D : NAN_D);
}

float __nv_log2f(float x) {
  return logOf(x, 1.0);
}
float __nv_logf(float x) {
  return logOf(x, 0.69314718055994531);
}
float __nv_log10f(float x) {
  return logOf(x, 0.30102999566398120);
}

/// sin(pi x / 2) for |x| <= 1/2.
VX_INLINE double sinEighth(double x) {
  double r = x * 1.5707963267948966, s = r * r;
  double p = fmaD(s, fmaD(s, fmaD(s, 1.0 / 362880, -1.0 / 5040), 1.0 / 120), -1.0 / 6);
  return fmaD(p * s, r, r);
}
VX_INLINE double cosEighth(double x) {
  double r = x * 1.5707963267948966, s = r * r;
  double p = fmaD(s, fmaD(s, fmaD(s, -1.0 / 3628800, 1.0 / 40320), -1.0 / 720), 1.0 / 24);
  return fmaD(s, fmaD(s, p, -0.5), 1.0);
}
/// The sine of x half turns plus SHIFT quarters. Twice x is exact, whole turns are dropped exactly.
VX_INLINE float sineOfTurns(float x, int shift) {
  double t = 2.0 * x;
  double turns = t - 4 * __builtin_rint(t * 0.25); // [-2, 2]
  double n = __builtin_rint(turns);
  int quadrant = (int)(t == t ? n : 0.0) + shift;
  double r = turns - n;
  double v = quadrant & 1 ? cosEighth(r) : sinEighth(r);
  v = quadrant & 2 ? -v : v;
  return (float)(absF(x) < INF_F ? v : NAN_D);
}
float __nv_sinpif(float x) {
  float r = sineOfTurns(x, 0);
  return r == 0 ? __builtin_copysignf(r, x) : r;
}
float __nv_cospif(float x) {
  return sineOfTurns(x, 1) + 0.0f;
}

double __nv_erfc(double);
float __nv_erfcf(float x) {
  return (float)__nv_erfc((double)x);
}
