// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit floating point: conversions of bfloat16, by integer arithmetic; rounding is to nearest
// even, and a NaN stays one and becomes quiet. To the compiler those of binary16 are operations
// (vx-expand-halves).

#include "vxmath.h"

float __nv_half2float(u16 h) {
  return (float)__builtin_bit_cast(_Float16, h);
}
u16 __nv_float2half_rn(float x) {
  return __builtin_bit_cast(u16, (_Float16)x);
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
