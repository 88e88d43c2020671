// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions in all four rounding modes. To an integer: the value is rounded to an integer first,
// then converted, out-of-range values becoming the nearest limit. A NaN becomes 0, except that of a
// double or to 64 bits, which becomes the top bit, as PTX defines. From an integer: integers of up
// to 32 bits fit a double exactly; the others are rounded by integer arithmetic.

#include "vxmath.h"

// LLVM's saturating conversions (NaN gives 0), which have no C spelling.
s32 satS32F(float) __asm__("llvm.fptosi.sat.i32.f32");
u32 satU32F(float) __asm__("llvm.fptoui.sat.i32.f32");
s64 satS64F(float) __asm__("llvm.fptosi.sat.i64.f32");
u64 satU64F(float) __asm__("llvm.fptoui.sat.i64.f32");
s32 satS32D(double) __asm__("llvm.fptosi.sat.i32.f64");
u32 satU32D(double) __asm__("llvm.fptoui.sat.i32.f64");
s64 satS64D(double) __asm__("llvm.fptosi.sat.i64.f64");
u64 satU64D(double) __asm__("llvm.fptoui.sat.i64.f64");

#define TO_INTEGERS(FROM, C, S, MODE, ROUND)                                                       \
  s32 __nv_##FROM##2int_##MODE(C x) {                                                              \
    return toS32##S(ROUND(x));                                                                     \
  }                                                                                                \
  u32 __nv_##FROM##2uint_##MODE(C x) {                                                             \
    return toU32##S(ROUND(x));                                                                     \
  }                                                                                                \
  s64 __nv_##FROM##2ll_##MODE(C x) {                                                               \
    return toS64##S(ROUND(x));                                                                     \
  }                                                                                                \
  u64 __nv_##FROM##2ull_##MODE(C x) {                                                              \
    return toU64##S(ROUND(x));                                                                     \
  }
#define TO_INTEGERS_ALL(FROM, C, S, SUFFIX)                                                        \
  TO_INTEGERS(FROM, C, S, rn, __builtin_rint##SUFFIX)                                              \
  TO_INTEGERS(FROM, C, S, rz, )                                                                    \
  TO_INTEGERS(FROM, C, S, rd, __builtin_floor##SUFFIX)                                             \
  TO_INTEGERS(FROM, C, S, ru, __builtin_ceil##SUFFIX)

VX_INLINE s32 toS32F(float x) {
  return satS32F(x);
}
VX_INLINE u32 toU32F(float x) {
  return satU32F(x);
}
VX_INLINE s64 toS64F(float x) {
  return x != x ? (s64)((u64)1 << 63) : satS64F(x);
}
VX_INLINE u64 toU64F(float x) {
  return x != x ? (u64)1 << 63 : satU64F(x);
}
VX_INLINE s32 toS32D(double x) {
  return x != x ? (s32)0x80000000 : satS32D(x);
}
VX_INLINE u32 toU32D(double x) {
  return x != x ? 0x80000000 : satU32D(x);
}
VX_INLINE s64 toS64D(double x) {
  return x != x ? (s64)((u64)1 << 63) : satS64D(x);
}
VX_INLINE u64 toU64D(double x) {
  return x != x ? (u64)1 << 63 : satU64D(x);
}

TO_INTEGERS_ALL(float, float, F, f)
TO_INTEGERS_ALL(double, double, D, )

enum Mode { Nearest, TowardZero, Down, Up };

/// The top BITS bits of the magnitude X (not 0), rounded, as an integer times 2^*exponent.
VX_INLINE u64 roundMagnitude(u64 x, int bits, int negative, enum Mode mode, int *exponent) {
  int zeros = __builtin_clzll(x | 1);
  int drop = 64 - bits;
  u64 normal = x << zeros; // the top bit is set
  u64 kept = normal >> drop, lost = normal << bits;
  u64 half = (u64)1 << 63;
  u64 nearest = lost > half || (lost == half && (kept & 1));
  u64 away = lost != 0;
  u64 up = mode == Nearest      ? nearest
           : mode == TowardZero ? 0
           : mode == Up         ? away && !negative
                                : away && negative;
  *exponent = drop - zeros;
  return kept + up;
}

VX_INLINE double roundedDouble(u64 magnitude, int negative, enum Mode mode) {
  int exponent;
  u64 m = roundMagnitude(magnitude, 53, negative, mode, &exponent);
  double r = (double)(s64)m * doubleOf((u64)(1023 + exponent) << 52);
  r = magnitude ? r : 0.0;
  return negative ? -r : r;
}
VX_INLINE float roundedFloat(u64 magnitude, int negative, enum Mode mode) {
  int exponent;
  u64 m = roundMagnitude(magnitude, 24, negative, mode, &exponent);
  float r = (float)(s32)m * floatOf((u32)(127 + exponent) << 23);
  r = magnitude ? r : 0.0f;
  return negative ? -r : r;
}
VX_INLINE u64 magnitudeOf(s64 x) {
  return x < 0 ? -(u64)x : (u64)x;
}

#define FROM_INTEGERS(MODE, HOW)                                                                   \
  float __nv_int2float_##MODE(s32 x) {                                                             \
    return roundedFloat(magnitudeOf(x), x < 0, HOW);                                               \
  }                                                                                                \
  float __nv_uint2float_##MODE(u32 x) {                                                            \
    return roundedFloat(x, 0, HOW);                                                                \
  }                                                                                                \
  float __nv_ll2float_##MODE(s64 x) {                                                              \
    return roundedFloat(magnitudeOf(x), x < 0, HOW);                                               \
  }                                                                                                \
  float __nv_ull2float_##MODE(u64 x) {                                                             \
    return roundedFloat(x, 0, HOW);                                                                \
  }                                                                                                \
  double __nv_ll2double_##MODE(s64 x) {                                                            \
    return roundedDouble(magnitudeOf(x), x < 0, HOW);                                              \
  }                                                                                                \
  double __nv_ull2double_##MODE(u64 x) {                                                           \
    return roundedDouble(x, 0, HOW);                                                               \
  }
FROM_INTEGERS(rz, TowardZero)
FROM_INTEGERS(rd, Down)
FROM_INTEGERS(ru, Up)

float __nv_int2float_rn(s32 x) {
  return (float)x;
}
float __nv_uint2float_rn(u32 x) {
  return (float)x;
}
float __nv_ll2float_rn(s64 x) {
  return (float)x;
}
float __nv_ull2float_rn(u64 x) {
  return (float)x;
}
double __nv_ll2double_rn(s64 x) {
  return (double)x;
}
double __nv_ull2double_rn(u64 x) {
  return (double)x;
}
double __nv_int2double_rn(s32 x) {
  return x;
}
double __nv_uint2double_rn(u32 x) {
  return x;
}

// Double to float: the nearest float, moved by one place if it lies on the wrong side.
float __nv_double2float_rn(double x) {
  return (float)x;
}
VX_INLINE float below(float r) { // the next float toward minus infinity
  u32 bits = bitsOfF(r);
  u32 next = r > 0 ? bits - 1 : r < 0 ? bits + 1 : 0x80000001u;
  return floatOf(next);
}
float __nv_double2float_rd(double x) {
  float r = (float)x;
  return (double)r > x ? below(r) : r;
}
float __nv_double2float_ru(double x) {
  float r = (float)x;
  return (double)r < x ? -below(-r) : r;
}
float __nv_double2float_rz(double x) {
  float down = __nv_double2float_rd(x), up = __nv_double2float_ru(x);
  return x < 0 ? up : down;
}

int __nv_float_as_int(float x) {
  return (int)bitsOfF(x);
}
u32 __nv_float_as_uint(float x) {
  return bitsOfF(x);
}
float __nv_int_as_float(int x) {
  return floatOf((u32)x);
}
float __nv_uint_as_float(u32 x) {
  return floatOf(x);
}
u64 __nv_double_as_longlong(double x) {
  return bitsOfD(x);
}
double __nv_longlong_as_double(s64 x) {
  return doubleOf((u64)x);
}
int __nv_double2hiint(double x) {
  return (int)(bitsOfD(x) >> 32);
}
int __nv_double2loint(double x) {
  return (int)bitsOfD(x);
}
double __nv_hiloint2double(int hi, int lo) {
  return doubleOf((u64)(u32)hi << 32 | (u32)lo);
}
double __vxm_lohi2double(int lo, int hi) {
  return __nv_hiloint2double(hi, lo);
}
/// The upper half of 1/x, the lower half zero.
double __nv_rcp64h(double x) {
  return doubleOf(bitsOfD(1.0 / x) & ~(u64)0xffffffff);
}
