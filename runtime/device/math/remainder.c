// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders in single precision, exact, by long division in double: libclc's go wrong for
// subnormal divisors. One step for quotients of less than 2^29, ten for the largest.

#include "vxmath.h"

VX_INLINE int exponentOf(double x) {
  return (int)(bitsOfD(x) >> 52);
}

/// Returns true if the remainder of X by Y is a number.
VX_INLINE int isDefined(float x, float y) {
  return absF(x) < INF_F && y == y && y != 0;
}

/// X modulo Y of floats that are finite and not negative, Y not zero; QUOTIENT gets the low bits of
/// the quotient. In each step the rest is a multiple of the last place of T, which is Y times a
/// power of two, and has 24 bits; a digit has at most 29, so that their product is exact.
VX_INLINE double divide(double x, double y, u32 *quotient) {
  const int digits = 28;
  int places = exponentOf(x) - exponentOf(y), left = places > digits ? places - digits : 0;
  u32 q = 0;
  for (;;) {
    double t = y * doubleOf((u64)(1023 + left) << 52);
    double digit = (double)(int)(x / t);
    double rest = fmaD(-digit, t, x);
    int tooLarge = rest < 0; // the division has rounded up to an integer
    x = tooLarge ? rest + t : rest;
    q += (u32)(int)digit - (u32)tooLarge;
    if (left == 0)
      break;
    int next = left > digits ? left - digits : 0;
    q <<= left - next;
    left = next;
  }
  *quotient = q;
  return x;
}

float __nv_fmodf(float x, float y) {
  if (!isDefined(x, y))
    return NAN_F;
  if (absF(x) < absF(y))
    return x;
  u32 quotient;
  return __builtin_copysignf((float)divide(absF(x), absF(y), &quotient), x);
}

float __nv_remquof(float x, float y, int *quotient) {
  *quotient = 0;
  if (!isDefined(x, y))
    return NAN_F;
  double divisor = absF(y);
  if (divisor > 2 * (double)absF(x)) // infinite, too
    return x;
  u32 whole;
  double rest = divide(absF(x), divisor, &whole);
  int up = 2 * rest > divisor || (2 * rest == divisor && (whole & 1));
  whole = (whole + (u32)up) & 0x7fffffff;
  *quotient = __builtin_signbit(x) == __builtin_signbit(y) ? (int)whole : -(int)whole;
  float r = (float)(up ? rest - divisor : rest);
  return __builtin_signbit(x) ? -r : r;
}
float __nv_remainderf(float x, float y) {
  int quotient;
  return __nv_remquof(x, y, &quotient);
}
