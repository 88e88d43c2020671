// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The natural logarithm in double precision, to little more than half a unit in the last place:
//   x = 2^k m,  m in [0.70, 1.41],  s = (m - 1) / (m + 1),  ln x = k ln 2 + 2 s + 2 s^3/3 + …
// the first two terms being kept as a Pair; and e^x - 1 in the same manner:
//   x = k ln 2 + r,  |r| <= 0.35,  e^x - 1 = 2^k ((1 - 2^-k) + r + r^2/2 + …).

#include "vxmath.h"

#define LN2_HI 0x1.62e42fefa3800p-1 // 11 zeros at the end: k times it is exact
#define LN2_LO 0x1.ef35793c76730p-45

double __nv_log(double x) {
  int subnormal = x < 0x1p-1022;
  u64 bits = bitsOfD(subnormal ? x * 0x1p54 : x);
  u64 offset = bits - 0x3fe6a09e667f3bcdull; // sqrt(1/2)
  double k = (double)(((s64)offset >> 52) - (subnormal ? 54 : 0));
  double m = doubleOf((offset & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);

  double f = m - 1; // exact
  Pair d = twoSum(m, 1);
  double s = f / d.hi;
  double sLow = (fmaD(-s, d.hi, f) - s * d.lo) / d.hi;
  double s2 = s * s;
  // atanh(s)/s - 1 = s^2/3 + s^4/5 + …; |s| < 0.172, so the term in s^20 is below 2^-54.
  double p = 1.0 / 21;
  p = fmaD(p, s2, 1.0 / 19);
  p = fmaD(p, s2, 1.0 / 17);
  p = fmaD(p, s2, 1.0 / 15);
  p = atanhFrom13(p, s2);
  Pair head = twoSum(k * LN2_HI, 2 * s);
  double tail = fmaD(2 * s * s2, p, fmaD(k, LN2_LO, 2 * sLow));
  double r = head.hi + (head.lo + tail);
  r = x == INF_D ? x : r;
  return x > 0 ? r : x == 0 ? -INF_D : NAN_D;
}

double __nv_expm1(double x) {
  double limited = x < -45 ? -45 : x > 720 ? 720 : x; // a NaN passes
  double k = __builtin_rint(limited * 1.4426950408889634);
  k = k == k ? k : 0;
  Pair r = twoSum(fmaD(-k, LN2_HI, limited), -k * LN2_LO);
  double h = r.hi;
  // (e^h - 1 - h) / h^2; the term in h^15 is below 2^-63.
  double p = 1.0 / 1307674368000.0;
  p = fmaD(p, h, 1.0 / 87178291200.0);
  p = fmaD(p, h, 1.0 / 6227020800.0);
  p = fmaD(p, h, 1.0 / 479001600);
  p = fmaD(p, h, 1.0 / 39916800);
  p = fmaD(p, h, 1.0 / 3628800);
  p = fmaD(p, h, 1.0 / 362880);
  p = fmaD(p, h, 1.0 / 40320);
  p = fmaD(p, h, 1.0 / 5040);
  p = fmaD(p, h, 1.0 / 720);
  p = fmaD(p, h, 1.0 / 120);
  p = fmaD(p, h, 1.0 / 24);
  p = fmaD(p, h, 1.0 / 6);
  p = fmaD(p, h, 0.5);
  double rest = fmaD(p * h, h, fmaD(r.lo, h, r.lo)); // e^r - 1 = h + rest
  int n = (int)k;
  Pair start = twoSum(1, -doubleOf((u64)(1023 - (n > 1000 ? 1000 : n)) << 52));
  Pair sum = twoSum(start.hi, h);
  double v = sum.hi + (sum.lo + (start.lo + rest));
  // 2^k in two factors: k may be 1024.
  double half = doubleOf((u64)(1023 + n / 2) << 52);
  v = v * half * doubleOf((u64)(1023 + n - n / 2) << 52);
  return x == 0 ? x : x > 720 ? INF_D : v;
}

/// (e^|x| + e^-|x|) / 2; where e^|x| overflows and half of it does not, as the square of e^(|x|/2).
double __nv_cosh(double x) {
  double m = absD(x), e = __nv_exp(m), root = __nv_exp(m * 0.5);
  double near = fmaD(0.5, e, 0.5 / e), far = root * 0.5 * root;
  return m > 709 ? far : near;
}
