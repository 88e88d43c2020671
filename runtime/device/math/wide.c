// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division of 128-bit integers, and their conversions to and from floating point. One bit of the
// quotient per round, the same number of rounds for every thread. Division by zero yields all ones
// and the dividend, as the machine's instructions do.

#include "vxmath.h"

typedef __int128 s128;
typedef unsigned __int128 u128;

typedef struct {
  u128 quotient, remainder;
} Division;

VX_INLINE Division divide(u128 n, u128 d) {
  u128 q = 0, r = 0;
  for (int i = 0; i < 128; ++i) {
    u64 carry = (u64)(r >> 127); // the remainder may need 129 bits
    r = r << 1 | (u64)(n >> 127);
    n <<= 1;
    int fits = carry | (r >= d);
    r -= fits ? d : 0;
    q = q << 1 | (u64)fits;
  }
  return (Division){q, r};
}

VX_INLINE u128 magnitude(s128 x) {
  return x < 0 ? -(u128)x : (u128)x;
}

u128 __vxm_udiv128(u128 n, u128 d) {
  return divide(n, d).quotient;
}
u128 __vxm_urem128(u128 n, u128 d) {
  return divide(n, d).remainder;
}
s128 __vxm_sdiv128(s128 n, s128 d) {
  u128 q = divide(magnitude(n), magnitude(d)).quotient;
  return d == 0 ? -1 : (n < 0) != (d < 0) ? (s128)-q : (s128)q;
}
s128 __vxm_srem128(s128 n, s128 d) {
  u128 r = divide(magnitude(n), magnitude(d)).remainder;
  return n < 0 ? (s128)-r : (s128)r;
}

/// The top 64 bits, the rest folded into the lowest of them so that one rounding sees it.
VX_INLINE double toDouble(u128 x) {
  u64 high = (u64)(x >> 64), low = (u64)x;
  int zeros = __builtin_clzg(high, 64);
  u128 normal = x << zeros;
  u64 top = (u64)(normal >> 64), rest = (u64)normal;
  double scaled = (double)(top | (rest != 0)) * doubleOf((u64)(1023 + 64 - zeros) << 52);
  return high ? scaled : (double)low;
}
VX_INLINE float toFloat(u128 x) {
  u64 high = (u64)(x >> 64), low = (u64)x;
  int zeros = __builtin_clzg(high, 64);
  u128 normal = x << zeros;
  u64 top = (u64)(normal >> 64), rest = (u64)normal;
  float scaled = (float)(top | (rest != 0)) * floatOf((u32)(127 + 64 - zeros) << 23);
  return high ? scaled : (float)low;
}
double __vxm_uitofp128d(u128 x) {
  return toDouble(x);
}
double __vxm_sitofp128d(s128 x) {
  return x < 0 ? -toDouble(magnitude(x)) : toDouble((u128)x);
}
float __vxm_uitofp128f(u128 x) {
  return toFloat(x);
}
float __vxm_sitofp128f(s128 x) {
  return x < 0 ? -toFloat(magnitude(x)) : toFloat((u128)x);
}

/// Truncated toward zero; the 53 bits of the fraction are shifted into place.
u128 __vxm_fptoui128d(double x) {
  int exponent = (int)(bitsOfD(x) >> 52 & 0x7ff) - 1075;
  u128 fraction = (bitsOfD(x) & 0xfffffffffffffull) | 0x10000000000000ull;
  int left = exponent < 0 ? 0 : exponent > 75 ? 75 : exponent;
  int right = exponent < -63 ? 63 : exponent < 0 ? -exponent : 0;
  u128 r = exponent >= 0 ? fraction << left : (u128)((u64)fraction >> right);
  return absD(x) < 1 ? 0 : r;
}
s128 __vxm_fptosi128d(double x) {
  u128 m = __vxm_fptoui128d(absD(x));
  return x < 0 ? (s128)-m : (s128)m;
}
u128 __vxm_fptoui128f(float x) {
  return __vxm_fptoui128d((double)x);
}
s128 __vxm_fptosi128f(float x) {
  return __vxm_fptosi128d((double)x);
}
