// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/unit/device-math/Reference.h"
#include <cmath>

namespace ref {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;
constexpr long double kTwoOverSqrtPi = 1.12837916709551257389615890312154517L;

/// Returns the sine of pi x / 2 for |x| <= 1, after removing quarters exactly.
long double quarter(long double x, int shift) {
  long double n = rintl(2 * x);
  long double r = (x - n / 2) * kPi;
  switch ((static_cast<long long>(fmodl(n, 4)) + shift + 8) & 3) {
  case 0:
    return sinl(r);
  case 1:
    return cosl(r);
  case 2:
    return -sinl(r);
  default:
    return -cosl(r);
  }
}

/// Solves erfc(y) = q for 0 < q <= 1 by bisection on the logarithm, then Newton's method.
long double inverse(long double q) {
  long double low = 0, high = 110;
  for (int i = 0; i < 60; ++i) {
    long double middle = (low + high) / 2;
    (erfcl(middle) > q ? low : high) = middle;
  }
  long double y = (low + high) / 2;
  for (int i = 0; i < 3; ++i)
    y += (erfcl(y) - q) / (kTwoOverSqrtPi * expl(-y * y));
  return y;
}

/// Returns the sum of (x^2/4)^k / (k! (k + order)!), times (x/2)^order.
long double besselI(int order, long double x) {
  long double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000 && fabsl(term) > fabsl(sum) * 1e-22L; ++k) {
    term *= x * x / 4 / (static_cast<long double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

} // namespace

long double sinpi(long double x) {
  return quarter(x, 0);
}
long double cospi(long double x) {
  return quarter(x, 1);
}
long double exp10(long double x) {
  return powl(10, x);
}
long double rsqrt(long double x) {
  return 1 / sqrtl(x);
}
long double rcbrt(long double x) {
  return 1 / cbrtl(x);
}
long double rhypot(long double x, long double y) {
  return 1 / hypotl(x, y);
}

long double erfcx(long double x) {
  // x comes from a double: the square's rounding is at most 2^-64 relative, 625 in the exponent.
  long double square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}

long double erfcinv(long double q) {
  if (q > 0.5L && q < 1.5L)
    return erfinv(1 - q);
  return q <= 1 ? inverse(q) : -inverse(2 - q);
}

long double erfinv(long double x) {
  if (fabsl(x) > 0.5L)
    return copysignl(inverse(1 - fabsl(x)), x);
  long double y = x / kTwoOverSqrtPi;
  for (int i = 0; i < 8; ++i)
    y -= (erfl(y) - x) / (kTwoOverSqrtPi * expl(-y * y));
  return y;
}

long double normcdf(long double x) {
  return erfcl(-x / sqrtl(2)) / 2;
}
long double normcdfinv(long double p) {
  return -sqrtl(2) * erfcinv(2 * p);
}
long double i0(long double x) {
  return besselI(0, x);
}
long double i1(long double x) {
  return besselI(1, x);
}

} // namespace ref
