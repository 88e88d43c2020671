// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit floating point: conversions, which are operations to the compiler (vx-expand-halves).

#include "vxmath.h"

float __nv_half2float(u16 h) {
  return (float)__builtin_bit_cast(_Float16, h);
}
u16 __nv_float2half_rn(float x) {
  return __builtin_bit_cast(u16, (_Float16)x);
}
