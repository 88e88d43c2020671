// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of 16-bit floating-point numbers, and conversions of single ones by rounding mode
// (cuda_fp16.h, cuda_bf16.h). T2 is the pair of T.

#ifndef VX_CUDA_SMALL_FLOAT_PAIR_H
#define VX_CUDA_SMALL_FLOAT_PAIR_H

#include "vx/cuda/small_float.h"

// The class of pairs, whose bits are those of the structure RAW2. An assignment of RAW2 next to the
// conversion would make those of {} and {x, y} ambiguous.
#define VX_SMALL_FLOAT_PAIR_CLASS(T, RAW, T2, RAW2)                                                \
  struct __attribute__((aligned(4))) T2 {                                                          \
    T x, y;                                                                                        \
                                                                                                   \
    T2() = default;                                                                                \
    __host__ __device__ constexpr T2(const T &x, const T &y) : x(x), y(y) {}                       \
    __host__ __device__ T2(const RAW2 &raw) : x(RAW{raw.x}), y(RAW{raw.y}) {}                      \
    __host__ __device__ operator RAW2() const { return RAW2{x.__x, y.__x}; }                       \
  };

#define VX_PAIRWISE(T2, NAME, SCALAR)                                                              \
  VX_HD T2 NAME(T2 a, T2 b) { return T2(SCALAR(a.x, b.x), SCALAR(a.y, b.y)); }
#define VX_PAIRWISE_FMA(T2, NAME, SCALAR)                                                          \
  VX_HD T2 NAME(T2 a, T2 b, T2 c) { return T2(SCALAR(a.x, b.x, c.x), SCALAR(a.y, b.y, c.y)); }
#define VX_PAIR_COMPARE(T, T2, NAME)                                                               \
  VX_HD T2 __h##NAME##2(T2 a, T2 b) {                                                              \
    return T2(__vx_round_##T(__h##NAME(a.x, b.x)), __vx_round_##T(__h##NAME(a.y, b.y)));           \
  }                                                                                                \
  VX_HD bool __hb##NAME##2(T2 a, T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }      \
  VX_HD unsigned __h##NAME##2_mask(T2 a, T2 b) {                                                   \
    return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0);          \
  }
#define VX_SMALL_FLOAT_PAIR(T, T2)                                                                 \
  VX_PAIRWISE(T2, __hadd2, __hadd)                                                                 \
  VX_PAIRWISE(T2, __hsub2, __hsub)                                                                 \
  VX_PAIRWISE(T2, __hmul2, __hmul)                                                                 \
  VX_PAIRWISE(T2, __h2div, __hdiv)                                                                 \
  VX_PAIRWISE(T2, __hadd2_rn, __hadd)                                                              \
  VX_PAIRWISE(T2, __hsub2_rn, __hsub)                                                              \
  VX_PAIRWISE(T2, __hmul2_rn, __hmul)                                                              \
  VX_PAIRWISE(T2, __hadd2_sat, __hadd_sat)                                                         \
  VX_PAIRWISE(T2, __hsub2_sat, __hsub_sat)                                                         \
  VX_PAIRWISE(T2, __hmul2_sat, __hmul_sat)                                                         \
  VX_PAIRWISE(T2, __hmax2, __hmax)                                                                 \
  VX_PAIRWISE(T2, __hmin2, __hmin)                                                                 \
  VX_PAIRWISE(T2, __hmax2_nan, __hmax_nan)                                                         \
  VX_PAIRWISE(T2, __hmin2_nan, __hmin_nan)                                                         \
  VX_PAIRWISE_FMA(T2, __hfma2, __hfma)                                                             \
  VX_PAIRWISE_FMA(T2, __hfma2_sat, __hfma_sat)                                                     \
  VX_PAIRWISE_FMA(T2, __hfma2_relu, __hfma_relu)                                                   \
  VX_HD T2 __hneg2(T2 a) { return T2(__hneg(a.x), __hneg(a.y)); }                                  \
  VX_HD T2 __habs2(T2 a) { return T2(__habs(a.x), __habs(a.y)); }                                  \
  VX_HD T2 __hisnan2(T2 a) {                                                                       \
    return T2(__vx_round_##T(__hisnan(a.x)), __vx_round_##T(__hisnan(a.y)));                       \
  }                                                                                                \
  /* a * b + c for complex numbers (real, imaginary), rounded after each product. */               \
  VX_HD T2 __hcmadd(T2 a, T2 b, T2 c) {                                                            \
    return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),                                     \
              __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                            \
  }                                                                                                \
  VX_PAIR_COMPARE(T, T2, eq)                                                                       \
  VX_PAIR_COMPARE(T, T2, ne)                                                                       \
  VX_PAIR_COMPARE(T, T2, lt)                                                                       \
  VX_PAIR_COMPARE(T, T2, le)                                                                       \
  VX_PAIR_COMPARE(T, T2, gt)                                                                       \
  VX_PAIR_COMPARE(T, T2, ge)                                                                       \
  VX_PAIR_COMPARE(T, T2, equ)                                                                      \
  VX_PAIR_COMPARE(T, T2, neu)                                                                      \
  VX_PAIR_COMPARE(T, T2, ltu)                                                                      \
  VX_PAIR_COMPARE(T, T2, leu)                                                                      \
  VX_PAIR_COMPARE(T, T2, gtu)                                                                      \
  VX_PAIR_COMPARE(T, T2, geu)
#define VX_SMALL_FLOAT_PAIR_OPERATORS(T, T2)                                                       \
  VX_SMALL_FLOAT_OPERATORS(T2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, __hbeq2, __hbneu2,     \
                           __hblt2, __hble2, __hbgt2, __hbge2,                                     \
                           T2(__vx_round_##T(1.0f), __vx_round_##T(1.0f)))

// Pairs of, and from, their parts; PAIR is the name of T2 in those of functions.
#define VX_SMALL_FLOAT_HALVES(T, T2, PAIR, NAME)                                                   \
  VX_HD T2 __halves2##PAIR(T a, T b) { return T2(a, b); }                                          \
  VX_HD T2 make_##PAIR(T a, T b) { return T2(a, b); }                                              \
  VX_HD T2 __##NAME##2##PAIR(T a) { return T2(a, a); }                                             \
  VX_HD T2 __float2##PAIR##_rn(float f) { return T2(__vx_round_##T(f), __vx_round_##T(f)); }       \
  VX_HD T2 __floats2##PAIR##_rn(float a, float b) {                                                \
    return T2(__vx_round_##T(a), __vx_round_##T(b));                                               \
  }                                                                                                \
  VX_HD T2 __float22##PAIR##_rn(float2 f) { return __floats2##PAIR##_rn(f.x, f.y); }               \
  VX_HD float2 __##PAIR##2float2(T2 p) {                                                           \
    return make_float2(__vx_to_float(p.x), __vx_to_float(p.y));                                    \
  }                                                                                                \
  VX_HD T __low2##NAME(T2 p) { return p.x; }                                                       \
  VX_HD T __high2##NAME(T2 p) { return p.y; }                                                      \
  VX_HD float __low2float(T2 p) { return __vx_to_float(p.x); }                                     \
  VX_HD float __high2float(T2 p) { return __vx_to_float(p.y); }                                    \
  VX_HD T2 __low2##PAIR(T2 p) { return T2(p.x, p.x); }                                             \
  VX_HD T2 __high2##PAIR(T2 p) { return T2(p.y, p.y); }                                            \
  VX_HD T2 __lowhigh2highlow(T2 p) { return T2(p.y, p.x); }                                        \
  VX_HD T2 __lows2##PAIR(T2 a, T2 b) { return T2(a.x, b.x); }                                      \
  VX_HD T2 __highs2##PAIR(T2 a, T2 b) { return T2(a.y, b.y); }

// Conversions to T, whose functions call it NAME, by rounding mode. What was rounded to nearest is
// put right by one unit of the last place.
#define VX_SMALL_FLOAT_ROUNDING(T, RAW, NAME)                                                      \
  VX_HD T __ushort_as_##NAME(unsigned short x) { return T(RAW{x}); }                               \
  VX_HD T __short_as_##NAME(short x) { return T(RAW{(unsigned short)x}); }                         \
  VX_HD unsigned short __##NAME##_as_ushort(T h) { return h.__x; }                                 \
  VX_HD short __##NAME##_as_short(T h) { return (short)h.__x; }                                    \
  VX_HD float __##NAME##2float(T h) { return __vx_to_float(h); }                                   \
  VX_HD T __float2##NAME(float f) { return __vx_round_##T(f); }                                    \
  VX_HD T __float2##NAME##_rn(float f) { return __vx_round_##T(f); }                               \
  VX_HD T __double2##NAME(double d) { return __vx_round_##T(__vx_round_to_odd(d)); }               \
  VX_HD T __float2##NAME##_rz(float f) {                                                           \
    T h = __vx_round_##T(f);                                                                       \
    h.__x -= __builtin_fabsf(__vx_to_float(h)) > __builtin_fabsf(f);                               \
    return h;                                                                                      \
  }                                                                                                \
  VX_HD T __float2##NAME##_rd(float f) {                                                           \
    T h = __vx_round_##T(f);                                                                       \
    if (__vx_to_float(h) > f)                                                                      \
      h.__x += h.__x & 0x8000 ? 1 : -1;                                                            \
    return h;                                                                                      \
  }                                                                                                \
  VX_HD T __float2##NAME##_ru(float f) {                                                           \
    T h = __vx_round_##T(f);                                                                       \
    if (__vx_to_float(h) < f)                                                                      \
      h.__x += h.__x & 0x8000 ? -1 : 1;                                                            \
    return h;                                                                                      \
  }                                                                                                \
  VX_SMALL_FLOAT_INTEGER(T, NAME, short, short)                                                    \
  VX_SMALL_FLOAT_INTEGER(T, NAME, ushort, unsigned short)                                          \
  VX_SMALL_FLOAT_INTEGER(T, NAME, int, int)                                                        \
  VX_SMALL_FLOAT_INTEGER(T, NAME, uint, unsigned)                                                  \
  VX_SMALL_FLOAT_INTEGER(T, NAME, ll, long long)                                                   \
  VX_SMALL_FLOAT_INTEGER(T, NAME, ull, unsigned long long)                                         \
  VX_HD signed char __##NAME##2char_rz(T h) { return __vx_float_char(__vx_to_float(h)); }          \
  VX_HD unsigned char __##NAME##2uchar_rz(T h) { return __vx_float_uchar(__vx_to_float(h)); }

// Between T and the integer I, which the names of functions call INTEGER.
#define VX_SMALL_FLOAT_INTEGER(T, NAME, INTEGER, I)                                                \
  VX_HD T __##INTEGER##2##NAME##_rn(I x) { return __float2##NAME##_rn(__vx_round_to_odd(x)); }     \
  VX_HD T __##INTEGER##2##NAME##_rz(I x) { return __float2##NAME##_rz(__vx_round_to_odd(x)); }     \
  VX_HD T __##INTEGER##2##NAME##_rd(I x) { return __float2##NAME##_rd(__vx_round_to_odd(x)); }     \
  VX_HD T __##INTEGER##2##NAME##_ru(I x) { return __float2##NAME##_ru(__vx_round_to_odd(x)); }     \
  VX_HD I __##NAME##2##INTEGER##_rn(T h) {                                                         \
    return __vx_float_##INTEGER(__builtin_rintf(__vx_to_float(h)));                                \
  }                                                                                                \
  VX_HD I __##NAME##2##INTEGER##_rz(T h) { return __vx_float_##INTEGER(__vx_to_float(h)); }        \
  VX_HD I __##NAME##2##INTEGER##_rd(T h) {                                                         \
    return __vx_float_##INTEGER(__builtin_floorf(__vx_to_float(h)));                               \
  }                                                                                                \
  VX_HD I __##NAME##2##INTEGER##_ru(T h) {                                                         \
    return __vx_float_##INTEGER(__builtin_ceilf(__vx_to_float(h)));                                \
  }

#endif // VX_CUDA_SMALL_FLOAT_PAIR_H
