// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit floating point: binary16 and bfloat16 to and from wider types, by integer arithmetic (the
// machine has neither). Rounding is to nearest even; a NaN stays one and becomes quiet.

#include "vxmath.h"

/// A half's bits are a float's with 13 fewer fraction bits and a bias less by 112; multiplying by
/// 2^112 corrects the bias, for subnormal numbers too.
float __vxm_half2float(u16 h) {
  u32 magnitude = (u32)(h & 0x7fff) << 13;
  float scaled = floatOf(magnitude) * 0x1p112f;
  u32 special = magnitude | 0x7f800000u; // infinity and NaN
  u32 bits = (h & 0x7c00) == 0x7c00 ? special : bitsOfF(scaled);
  return floatOf(bits | (u32)(h & 0x8000) << 16);
}

/// |x| with a fraction of 10 bits: below 2^-14 the unit is 2^-24 whatever the exponent. Adding
/// and subtracting a number whose last place is that unit rounds; all of it is exact in double.
u16 __vxm_double2half(double x) {
  double m = absD(x);
  u64 exponent = bitsOfD(m) >> 52;
  u64 unit = exponent < 1023 - 14 ? 1023 - 14 : exponent;
  double magic = doubleOf((unit + 42) << 52); // 52 - 10 places above
  double rounded = (m + magic) - magic;
  u64 bits = bitsOfD(rounded);
  u32 normal = (u32)((bits >> 42) - ((u64)(1023 - 15) << 10));
  u32 subnormal = (u32)(rounded * 0x1p24);
  u32 r = rounded < 0x1p-14 ? subnormal : normal;
  r = rounded >= 65536.0 ? 0x7c00 : r;
  r = x != x ? 0x7fff : r;
  return (u16)(r | (u32)(bitsOfD(x) >> 63) << 15);
}
u16 __vxm_float2half(float x) {
  return __vxm_double2half(x);
}

float __nv_half2float(u16 h) {
  return __vxm_half2float(h);
}
u16 __nv_float2half_rn(float x) {
  return __vxm_double2half(x);
}

float __vxm_bfloat2float(u16 b) {
  return floatOf((u32)b << 16);
}
u16 __vxm_float2bfloat(float x) {
  u32 bits = bitsOfF(x);
  u32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (u16)(x != x ? 0x7fff : rounded);
}
/// Through a float rounded to odd, which keeps the second rounding exact.
u16 __vxm_double2bfloat(double x) {
  float near = (float)x;
  u32 bits = bitsOfF(near);
  int inexact = (double)near != x && x == x && absD(x) < INF_D;
  int away = absD((double)near) > absD(x);
  u32 truncated = bits - (u32)(inexact && away);
  return __vxm_float2bfloat(floatOf(truncated | (u32)inexact));
}
