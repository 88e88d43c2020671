// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error function's relatives: the scaled complement erfcx, the inverses, the normal
// distribution. The float functions are the double ones rounded.

#include "tables.h"
#include "vxmath.h"

#define TWO_OVER_SQRT_PI 1.1283791670955126
#define SQRT_PI_2 0.88622692545275801 // sqrt(pi) / 2

/// e^(x^2) erfc(x) for x >= 0.
VX_INLINE double scaledComplement(double x) {
  double limited = __builtin_fmin(x, 0x1p500);
  double t = (limited - 2) / (limited + 2);
  double far = 0.56418958354775628 / x; // 1 / (sqrt(pi) x), exact enough beyond 2^27
  double near = POLYNOMIAL(t, kErfcx) / fmaD(2, limited, 1);
  return x > 0x1p27 ? far : near;
}

/// e^(x^2), the square kept exactly.
VX_INLINE double expSquare(double x) {
  Pair s = twoProduct(x, x);
  double e = __nv_exp(s.hi);
  return e < INF_D ? fmaD(e, s.lo, e) : e;
}

double __nv_erfcx(double x) {
  double m = absD(x);
  double positive = m < 0.5 ? expSquare(m) * __nv_erfc(m) : scaledComplement(m);
  double negative = 2 * expSquare(m > 27 ? 27 : m) - positive;
  double r = x < 0 ? (m > 26.7 ? INF_D : negative) : positive;
  return x != x ? x : r;
}
float __nv_erfcxf(float x) {
  return (float)__nv_erfcx((double)x);
}

/// y with erfc(y) = q, 0 < q <= 1/4, by Halley's method on
///   g(y) = ln erfcx(y) - y^2 - ln q,   g' = -2 / (sqrt(pi) erfcx(y)),   g''/g' = -2y - g'.
/// The first guess (Winitzki's formula) is good to 0.2 %; two steps cube that error twice, and the
/// third only settles the last bits.
VX_INLINE double inverseTail(double q) {
  double logQ = __nv_log(q);
  double l = logQ + 0.69314718055994531; // ln(q (2 - q)), nearly
  double a = 4.330746750799873 + l * 0.5;
  double y = __builtin_sqrt(__builtin_sqrt(a * a - l * 6.8027210884353742) - a);
  for (int i = 0; i < 3; ++i) {
    double e = scaledComplement(y);
    double slope = -TWO_OVER_SQRT_PI / e;
    double g = fmaD(-y, y, __nv_log(e) - logQ);
    double step = g / slope;
    y -= step / fmaD(step * 0.5, fmaD(2, y, slope), 1.0);
  }
  return y;
}

VX_INLINE double inverseCentre(double x) {
  double t = fmaD(x * x, 32.0 / 9, -1);
  return x * POLYNOMIAL(t, kErfinv);
}

double __nv_erfinv(double x) {
  double m = absD(x);
  double q = 1 - m;
  double tail = inverseTail(q > 0 && q < 0.25 ? q : 0.25);
  double r = m <= 0.75 ? inverseCentre(x) : __builtin_copysign(tail, x);
  r = m == 1 ? __builtin_copysign(INF_D, x) : r;
  return m <= 1 ? r : NAN_D;
}

double __nv_erfcinv(double x) {
  double q = x > 1 ? 2 - x : x; // exact where it matters
  double tail = inverseTail(q > 0 && q < 0.25 ? q : 0.25);
  double r = x >= 0.25 && x <= 1.75 ? inverseCentre(1 - x) : x > 1 ? -tail : tail;
  r = x == 0 ? INF_D : x == 2 ? -INF_D : r;
  return x >= 0 && x <= 2 ? r : NAN_D;
}
float __nv_erfinvf(float x) {
  return (float)__nv_erfinv((double)x);
}
float __nv_erfcinvf(float x) {
  return (float)__nv_erfcinv((double)x);
}

/// erfc(-x / sqrt(2)) / 2. The rounding error of the argument, which erfc amplifies by 2 z^2, is
/// carried along: erfc(z + d) = erfc(z) - d 2/sqrt(pi) e^(-z^2).
double __nv_normcdf(double x) {
  double limited = x < -40 ? -40 : x > 40 ? 40 : x;
  double z = limited * -0.70710678118654757;
  double d = fmaD(limited, -0.70710678118654757, -z) + limited * 4.8336466567264567e-17;
  double r = __nv_erfc(z);
  r = fmaD(-d * TWO_OVER_SQRT_PI, __nv_exp(-z * z), r);
  return x != x ? x : 0.5 * r;
}
float __nv_normcdff(float x) {
  return (float)__nv_normcdf((double)x);
}

double __nv_normcdfinv(double p) {
  return -1.4142135623730951 * __nv_erfcinv(2 * p);
}
float __nv_normcdfinvf(float p) {
  return (float)__nv_normcdfinv((double)p);
}
