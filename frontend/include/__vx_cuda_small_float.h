// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What 16-bit floating-point types have in common (cuda_fp16.h, cuda_bf16.h). Values are stored as
// bits; a calculation widens to float, computes there and rounds once. Float has more than twice
// the precision plus two bits, so the result of + - * / and sqrt is the correctly rounded one.
//
// A type T comes with: __vx_to_float(T), and T(float) that rounds to nearest even. The macros below
// are stamped once per type; names follow CUDA, where both types share them as overloads.

#ifndef VX_CUDA_SMALL_FLOAT_H
#define VX_CUDA_SMALL_FLOAT_H

#include "cuda_runtime.h"

#if defined(__CUDA__)
#define VX_HD static __inline__ __host__ __device__ __attribute__((always_inline))
#define VX_DEV static __device__ __forceinline__ __attribute__((__nodebug__))
#else
#define VX_HD static __inline__
#endif

VX_HD unsigned __vx_float_bits(float f) { return __builtin_bit_cast(unsigned, f); }
VX_HD float __vx_bits_float(unsigned u) { return __builtin_bit_cast(float, u); }

// Narrows so that a further rounding to fewer bits is right: an inexact result gets an odd last
// bit.
VX_HD float __vx_round_to_odd(double x) {
  float f = (float)x;
  unsigned bits = __vx_float_bits(f);
  bool inexact = (double)f != x && x == x;
  bool away = __builtin_fabs((double)f) > __builtin_fabs(x);
  unsigned step = away ? -1u : 1u;
  return __vx_bits_float(bits + (inexact & ~bits & 1) * step);
}

// The part of the value classes that does not depend on the format.
#define VX_SMALL_FLOAT_MEMBERS(T)                                                                  \
  T() = default;                                                                                   \
  __host__ __device__ T(double x) : T(__vx_round_to_odd(x)) {}                                     \
  __host__ __device__ T(int x) : T((double)x) {}                                                   \
  __host__ __device__ T(unsigned x) : T((double)x) {}                                              \
  __host__ __device__ T(short x) : T((float)x) {}                                                  \
  __host__ __device__ T(unsigned short x) : T((float)x) {}                                         \
  __host__ __device__ T(long x) : T((double)x) {}                                                  \
  __host__ __device__ T(unsigned long x) : T((double)x) {}                                         \
  __host__ __device__ T(long long x) : T((double)x) {}                                             \
  __host__ __device__ T(unsigned long long x) : T((double)x) {}                                    \
  __host__ __device__ operator float() const { return __vx_to_float(*this); }

// Arithmetic, comparison and functions of T and of its pair T2.
#define VX_SMALL_FLOAT_SCALAR(T)                                                                   \
  VX_HD T __hadd(T a, T b) { return T(__vx_to_float(a) + __vx_to_float(b)); }                      \
  VX_HD T __hsub(T a, T b) { return T(__vx_to_float(a) - __vx_to_float(b)); }                      \
  VX_HD T __hmul(T a, T b) { return T(__vx_to_float(a) * __vx_to_float(b)); }                      \
  VX_HD T __hdiv(T a, T b) { return T(__vx_to_float(a) / __vx_to_float(b)); }                      \
  VX_HD T __hadd_rn(T a, T b) { return __hadd(a, b); }                                             \
  VX_HD T __hsub_rn(T a, T b) { return __hsub(a, b); }                                             \
  VX_HD T __hmul_rn(T a, T b) { return __hmul(a, b); }                                             \
  VX_HD T __hfma(T a, T b, T c) {                                                                  \
    return T((double)__vx_to_float(a) * (double)__vx_to_float(b) + (double)__vx_to_float(c));      \
  }                                                                                                \
  VX_HD T __vx_saturate(T a) {                                                                     \
    float f = __vx_to_float(a);                                                                    \
    return f > 0.0f ? (f < 1.0f ? a : T(1.0f)) : T(0.0f);                                          \
  }                                                                                                \
  VX_HD T __hadd_sat(T a, T b) { return __vx_saturate(__hadd(a, b)); }                             \
  VX_HD T __hsub_sat(T a, T b) { return __vx_saturate(__hsub(a, b)); }                             \
  VX_HD T __hmul_sat(T a, T b) { return __vx_saturate(__hmul(a, b)); }                             \
  VX_HD T __hfma_sat(T a, T b, T c) { return __vx_saturate(__hfma(a, b, c)); }                     \
  VX_HD T __hfma_relu(T a, T b, T c) {                                                             \
    T r = __hfma(a, b, c);                                                                         \
    return __vx_to_float(r) < 0.0f ? T(0.0f) : r;                                                  \
  }                                                                                                \
  VX_HD T __hneg(T a) {                                                                            \
    a.__x ^= 0x8000;                                                                               \
    return a;                                                                                      \
  }                                                                                                \
  VX_HD T __habs(T a) {                                                                            \
    a.__x &= 0x7fff;                                                                               \
    return a;                                                                                      \
  }                                                                                                \
  VX_HD bool __heq(T a, T b) { return __vx_to_float(a) == __vx_to_float(b); }                      \
  VX_HD bool __hne(T a, T b) { return __heq(a, a) && __heq(b, b) && !__heq(a, b); }                \
  VX_HD bool __hlt(T a, T b) { return __vx_to_float(a) < __vx_to_float(b); }                       \
  VX_HD bool __hle(T a, T b) { return __vx_to_float(a) <= __vx_to_float(b); }                      \
  VX_HD bool __hgt(T a, T b) { return __hlt(b, a); }                                               \
  VX_HD bool __hge(T a, T b) { return __hle(b, a); }                                               \
  VX_HD bool __hequ(T a, T b) { return !__hne(a, b); }                                             \
  VX_HD bool __hneu(T a, T b) { return !__heq(a, b); }                                             \
  VX_HD bool __hltu(T a, T b) { return !__hge(a, b); }                                             \
  VX_HD bool __hleu(T a, T b) { return !__hgt(a, b); }                                             \
  VX_HD bool __hgtu(T a, T b) { return !__hle(a, b); }                                             \
  VX_HD bool __hgeu(T a, T b) { return !__hlt(a, b); }                                             \
  VX_HD bool __hisnan(T a) { return !__heq(a, a); }                                                \
  VX_HD T __hmax(T a, T b) { return __hisnan(a) || __hlt(a, b) ? b : a; }                          \
  VX_HD T __hmin(T a, T b) { return __hisnan(a) || __hlt(b, a) ? b : a; }                          \
  VX_HD T __hmax_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }        \
  VX_HD T __hmin_nan(T a, T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }        \
  VX_HD T operator+(const T &a, const T &b) { return __hadd(a, b); }                               \
  VX_HD T operator-(const T &a, const T &b) { return __hsub(a, b); }                               \
  VX_HD T operator*(const T &a, const T &b) { return __hmul(a, b); }                               \
  VX_HD T operator/(const T &a, const T &b) { return __hdiv(a, b); }                               \
  VX_HD T operator+(const T &a) { return a; }                                                      \
  VX_HD T operator-(const T &a) { return __hneg(a); }                                              \
  VX_HD T &operator+=(T &a, const T &b) { return a = a + b; }                                      \
  VX_HD T &operator-=(T &a, const T &b) { return a = a - b; }                                      \
  VX_HD T &operator*=(T &a, const T &b) { return a = a * b; }                                      \
  VX_HD T &operator/=(T &a, const T &b) { return a = a / b; }                                      \
  VX_HD T &operator++(T &a) { return a = a + T(1.0f); }                                            \
  VX_HD T &operator--(T &a) { return a = a - T(1.0f); }                                            \
  VX_HD bool operator==(const T &a, const T &b) { return __heq(a, b); }                            \
  VX_HD bool operator!=(const T &a, const T &b) { return __hneu(a, b); }                           \
  VX_HD bool operator<(const T &a, const T &b) { return __hlt(a, b); }                             \
  VX_HD bool operator<=(const T &a, const T &b) { return __hle(a, b); }                            \
  VX_HD bool operator>(const T &a, const T &b) { return __hgt(a, b); }                             \
  VX_HD bool operator>=(const T &a, const T &b) { return __hge(a, b); }

#define VX_PAIRWISE(T2, NAME, SCALAR)                                                              \
  VX_HD T2 NAME(T2 a, T2 b) { return T2(SCALAR(a.x, b.x), SCALAR(a.y, b.y)); }
#define VX_PAIR_COMPARE(T, T2, NAME)                                                               \
  VX_HD T2 __h##NAME##2(T2 a, T2 b) {                                                              \
    return T2(T(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), T(__h##NAME(a.y, b.y) ? 1.0f : 0.0f));         \
  }                                                                                                \
  VX_HD bool __hb##NAME##2(T2 a, T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }
#define VX_SMALL_FLOAT_PAIR(T, T2)                                                                 \
  VX_PAIRWISE(T2, __hadd2, __hadd)                                                                 \
  VX_PAIRWISE(T2, __hsub2, __hsub)                                                                 \
  VX_PAIRWISE(T2, __hmul2, __hmul)                                                                 \
  VX_PAIRWISE(T2, __h2div, __hdiv)                                                                 \
  VX_PAIRWISE(T2, __hadd2_sat, __hadd_sat)                                                         \
  VX_PAIRWISE(T2, __hsub2_sat, __hsub_sat)                                                         \
  VX_PAIRWISE(T2, __hmul2_sat, __hmul_sat)                                                         \
  VX_PAIRWISE(T2, __hmax2, __hmax)                                                                 \
  VX_PAIRWISE(T2, __hmin2, __hmin)                                                                 \
  VX_HD T2 __hfma2(T2 a, T2 b, T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }  \
  VX_HD T2 __hneg2(T2 a) { return T2(__hneg(a.x), __hneg(a.y)); }                                  \
  VX_HD T2 __habs2(T2 a) { return T2(__habs(a.x), __habs(a.y)); }                                  \
  VX_HD T2 __hisnan2(T2 a) {                                                                       \
    return T2(T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f));                     \
  }                                                                                                \
  VX_PAIR_COMPARE(T, T2, eq)                                                                       \
  VX_PAIR_COMPARE(T, T2, ne)                                                                       \
  VX_PAIR_COMPARE(T, T2, lt)                                                                       \
  VX_PAIR_COMPARE(T, T2, le)                                                                       \
  VX_PAIR_COMPARE(T, T2, gt)                                                                       \
  VX_PAIR_COMPARE(T, T2, ge)                                                                       \
  VX_HD T2 operator+(const T2 &a, const T2 &b) { return __hadd2(a, b); }                           \
  VX_HD T2 operator-(const T2 &a, const T2 &b) { return __hsub2(a, b); }                           \
  VX_HD T2 operator*(const T2 &a, const T2 &b) { return __hmul2(a, b); }                           \
  VX_HD T2 operator/(const T2 &a, const T2 &b) { return __h2div(a, b); }                           \
  VX_HD T2 operator-(const T2 &a) { return __hneg2(a); }                                           \
  VX_HD T2 &operator+=(T2 &a, const T2 &b) { return a = a + b; }                                   \
  VX_HD T2 &operator-=(T2 &a, const T2 &b) { return a = a - b; }                                   \
  VX_HD T2 &operator*=(T2 &a, const T2 &b) { return a = a * b; }                                   \
  VX_HD T2 &operator/=(T2 &a, const T2 &b) { return a = a / b; }                                   \
  VX_HD bool operator==(const T2 &a, const T2 &b) { return __hbeq2(a, b); }                        \
  VX_HD bool operator!=(const T2 &a, const T2 &b) { return !__hbeq2(a, b); }

// Functions that go through their float namesakes, for T and pairwise.
#define VX_SMALL_FLOAT_FUNCTION(T, T2, NAME, EXPRESSION)                                           \
  VX_DEV T h##NAME(T a) {                                                                          \
    float x = __vx_to_float(a);                                                                    \
    return T(EXPRESSION);                                                                          \
  }                                                                                                \
  VX_DEV T2 h2##NAME(T2 a) { return T2(h##NAME(a.x), h##NAME(a.y)); }
#define VX_SMALL_FLOAT_FUNCTIONS(T, T2)                                                            \
  VX_SMALL_FLOAT_FUNCTION(T, T2, sqrt, sqrtf(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, rsqrt, rsqrtf(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, rcp, 1.0f / x)                                                    \
  VX_SMALL_FLOAT_FUNCTION(T, T2, exp, expf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, exp2, exp2f(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, exp10, exp10f(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, log, logf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, log2, log2f(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, log10, log10f(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, sin, sinf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, cos, cosf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, floor, floorf(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, ceil, ceilf(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, trunc, truncf(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, rint, rintf(x))

// Shuffles, read-only loads and atomics of T and T2; LANE is what the shuffle counts with.
#define VX_SMALL_FLOAT_SHUFFLE(T, T2, NAME, LANE)                                                  \
  VX_DEV T NAME(unsigned mask, T value, LANE lane, int width = 32) {                               \
    value.__x = (unsigned short)NAME(mask, (unsigned)value.__x, lane, width);                      \
    return value;                                                                                  \
  }                                                                                                \
  VX_DEV T2 NAME(unsigned mask, T2 value, LANE lane, int width = 32) {                             \
    unsigned word = value.x.__x | (unsigned)value.y.__x << 16;                                     \
    word = NAME(mask, word, lane, width);                                                          \
    value.x.__x = (unsigned short)word;                                                            \
    value.y.__x = (unsigned short)(word >> 16);                                                    \
    return value;                                                                                  \
  }
#define VX_SMALL_FLOAT_DEVICE(T, T2)                                                               \
  VX_SMALL_FLOAT_FUNCTIONS(T, T2)                                                                  \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_sync, int)                                                  \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_up_sync, unsigned)                                          \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_down_sync, unsigned)                                        \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_xor_sync, int)                                              \
  VX_CACHE_HINTED(T)                                                                               \
  VX_CACHE_HINTED(T2)                                                                              \
  VX_DEV T atomicAdd(T *address, T value) {                                                        \
    unsigned short *bits = (unsigned short *)address;                                              \
    unsigned short seen = *bits, expected;                                                         \
    do {                                                                                           \
      expected = seen;                                                                             \
      T old;                                                                                       \
      old.__x = expected;                                                                          \
      seen = atomicCAS(bits, expected, (old + value).__x);                                         \
    } while (seen != expected);                                                                    \
    T before;                                                                                      \
    before.__x = seen;                                                                             \
    return before;                                                                                 \
  }                                                                                                \
  VX_DEV T2 atomicAdd(T2 *address, T2 value) {                                                     \
    return T2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));                   \
  }

#endif // VX_CUDA_SMALL_FLOAT_H
