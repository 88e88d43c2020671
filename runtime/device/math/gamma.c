// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gamma function. For x >= 8 Stirling's formula
//   gamma(x) = sqrt(2 pi) x^(x - 1/2) e^-x e^(S(x)/x)
// with the power as the square of x^(x/2 - 1/4), which neither overflows early nor loses digits
// (the exponent is exact). Smaller arguments go up by the recurrence, the product of the steps
// being kept as a Pair. Negative ones use
//   gamma(x) = -pi / (x sin(pi x) gamma(-x))
// rather than 1 - x, whose rounding the function would amplify.

#include "tables.h"
#include "vxmath.h"

/// gamma = base * power^2.
typedef struct {
  double base, power;
} Scaled;

VX_INLINE Scaled stirling(double x) {
  double u = 64 / (x * x);
  double s = POLYNOMIAL(u, kStirling) / x;
  // e^s - 1 for s <= 0.0105, by Taylor's series up to s^6.
  double series = fmaD(s, fmaD(s, 1.0 / 720, 1.0 / 120), 1.0 / 24);
  double correction = fmaD(s * s, fmaD(s, fmaD(s, series, 1.0 / 6), 0.5), s);
  double e = 2.5066282746310007 * __nv_exp(-x);
  return (Scaled){fmaD(e, correction, e), __nv_pow(x, fmaD(x, 0.5, -0.25))};
}

/// gamma(x) for x > 0.
VX_INLINE Scaled gammaPositive(double x) {
  Pair steps = {1, 0};
  Pair y = {x, 0};
  for (int i = 0; i < 8; ++i) { // the same number of rounds for every thread
    int low = y.hi < 8;
    Pair product = mulPair(steps, y.hi);
    product.lo = fmaD(steps.hi, y.lo, product.lo);
    Pair next = twoSum(y.hi, 1.0);
    next.lo += y.lo;
    steps.hi = low ? product.hi : steps.hi;
    steps.lo = low ? product.lo : steps.lo;
    y.hi = low ? next.hi : y.hi;
    y.lo = low ? next.lo : y.lo;
  }
  Scaled g = stirling(y.hi);
  // The rest of the argument: gamma(y + lo) = gamma(y) (1 + lo ln y) nearly.
  g.base = fmaD(g.base, y.lo * (__nv_log(y.hi) - 0.5 / y.hi), g.base);
  double inverse = 1 / steps.hi;
  double quotient = g.base * inverse;
  double residual = fmaD(-quotient, steps.hi, g.base) - quotient * steps.lo;
  g.base = fmaD(residual, inverse, quotient);
  return g;
}

double __nv_tgamma(double x) {
  double m = absD(x);
  double limited = m < 0x1p-60 ? 1.0 : m > 200 ? 200 : m;
  Scaled g = gammaPositive(limited);
  double positive = g.base * g.power * g.power;
  double sine = __nv_sinpi(limited); // of |x|: x sin(pi x) = |x| sin(pi |x|)
  double negative = -3.1415926535897931 / (limited * sine * g.base) / g.power / g.power;
  double whole = __builtin_trunc(m);
  double r = x > 0 ? m > 172 ? INF_D : positive : negative;
  if (x < -190) // below the smallest number; the sign alternates
    r = __builtin_copysign(0.0, __nv_sinpi(m) > 0 ? -1.0 : 1.0);
  r = x < 0 && whole == m ? NAN_D : r;
  r = m < 0x1p-60 ? 1 / x : r;
  r = x == INF_D ? INF_D : r;
  return x != x || x == -INF_D ? NAN_D : r;
}

float __nv_tgammaf(float x) {
  return (float)__nv_tgamma((double)x);
}
