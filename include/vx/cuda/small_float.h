// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What 16-bit floating-point types have in common (cuda_fp16.h, cuda_bf16.h): their classes and the
// arithmetic of single values. Values are stored as bits; a calculation widens to float, computes
// there and rounds once. Float has more than twice the precision plus two bits, so the result of
// + - * / and sqrt is the correctly rounded one.
//
// A type T comes with __vx_to_float(T) and __vx_round_T(float), which rounds to nearest even. The
// macros below are stamped once per type; names follow CUDA, where both types share them as
// overloads.

#ifndef VX_CUDA_SMALL_FLOAT_H
#define VX_CUDA_SMALL_FLOAT_H

#include "cuda_runtime.h"

#if defined(__CUDA__)
#define VX_HD static __inline__ __host__ __device__ __attribute__((always_inline))
#define VX_DEV static __device__ __forceinline__ __attribute__((__nodebug__))
#else
#define VX_HD static __inline__
#endif

#if defined(__CUDA_ARCH__)
#define VX_HOST_CODE 0
#else
#define VX_HOST_CODE 1
#endif

VX_HD unsigned __vx_float_bits(float f) { return __builtin_bit_cast(unsigned, f); }
VX_HD float __vx_bits_float(unsigned u) { return __builtin_bit_cast(float, u); }
VX_HD unsigned long long __vx_double_bits(double d) {
  return __builtin_bit_cast(unsigned long long, d);
}
VX_HD double __vx_bits_double(unsigned long long u) { return __builtin_bit_cast(double, u); }

// Narrows so that a further rounding to fewer bits is right, in any direction: an inexact result
// gets an odd last bit.
VX_HD float __vx_round_to_odd(double x) {
  float f = (float)x;
  unsigned bits = __vx_float_bits(f);
  bool inexact = (double)f != x && x == x;
  bool away = __builtin_fabs((double)f) > __builtin_fabs(x);
  unsigned step = away ? -1u : 1u;
  return __vx_bits_float(bits + (inexact & ~bits & 1) * step);
}
VX_HD float __vx_round_to_odd(float x) { return x; }
VX_HD float __vx_round_to_odd(int x) { return __vx_round_to_odd((double)x); }
VX_HD float __vx_round_to_odd(unsigned x) { return __vx_round_to_odd((double)x); }
VX_HD float __vx_round_to_odd(short x) { return (float)x; }
VX_HD float __vx_round_to_odd(unsigned short x) { return (float)x; }
VX_HD float __vx_round_to_odd(unsigned long long x) {
  int shift = x >> 24 ? 40 - __builtin_clzll(x) : 0;
  unsigned long long rest = x & ((1ull << shift) - 1);
  return (float)(unsigned)(x >> shift | (rest != 0)) * __vx_bits_float((127u + shift) << 23);
}
VX_HD float __vx_round_to_odd(long long x) {
  float magnitude = __vx_round_to_odd(x < 0 ? -(unsigned long long)x : (unsigned long long)x);
  return x < 0 ? -magnitude : magnitude;
}
VX_HD float __vx_round_to_odd(long x) { return __vx_round_to_odd((long long)x); }
VX_HD float __vx_round_to_odd(unsigned long x) { return __vx_round_to_odd((unsigned long long)x); }

// a * b + c of which a further rounding is right. The product of two 16-bit numbers is a double;
// what the sum leaves out is found as in Knuth's two-sum.
VX_HD float __vx_multiply_add(float a, float b, float c) {
  double product = (double)a * b, sum = product + c;
  double other = sum - product, rest = (product - (sum - other)) + (c - other);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  // The rest is a number only where the sum is one.
  if (rest != 0.0 && rest == rest && !(bits & 1))
    sum = __builtin_bit_cast(double, (rest > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1);
  return __vx_round_to_odd(sum);
}

// A float as an integer of LEAST to MOST, which is one below ABOVE; NAN stands for no number.
#define VX_FLOAT_INTEGER(NAME, I, LEAST, ABOVE, NAN)                                               \
  VX_HD I __vx_float_##NAME(float x) {                                                             \
    const I most = (I) ~(I)(LEAST);                                                                \
    return x != x ? (I)(NAN) : x >= ABOVE ? most : x <= (float)(LEAST) ? (I)(LEAST) : (I)x;        \
  }
VX_FLOAT_INTEGER(char, signed char, -128, 0x1p7f, 0)
VX_FLOAT_INTEGER(uchar, unsigned char, 0, 0x1p8f, 0)
VX_FLOAT_INTEGER(short, short, -32768, 0x1p15f, 0)
VX_FLOAT_INTEGER(ushort, unsigned short, 0, 0x1p16f, 0)
VX_FLOAT_INTEGER(int, int, -2147483647 - 1, 0x1p31f, 0)
VX_FLOAT_INTEGER(uint, unsigned, 0, 0x1p32f, 0)
VX_FLOAT_INTEGER(ll, long long, -9223372036854775807ll - 1, 0x1p63f, 1ull << 63)
VX_FLOAT_INTEGER(ull, unsigned long long, 0, 0x1p64f, 1ull << 63)
#undef VX_FLOAT_INTEGER

// Members of the value class T, whose bits are those of the structure RAW.
#define VX_SMALL_FLOAT_MEMBERS(T, RAW)                                                             \
  T() = default;                                                                                   \
  __host__ __device__ constexpr T(const RAW &raw) : __x(raw.x) {}                                  \
  __host__ __device__ T &operator=(const RAW &raw) {                                               \
    __x = raw.x;                                                                                   \
    return *this;                                                                                  \
  }                                                                                                \
  __host__ __device__ volatile T &operator=(const RAW &raw) volatile {                             \
    __x = raw.x;                                                                                   \
    return *this;                                                                                  \
  }                                                                                                \
  __host__ __device__ volatile T &operator=(const volatile RAW &raw) volatile {                    \
    __x = raw.x;                                                                                   \
    return *this;                                                                                  \
  }                                                                                                \
  __host__ __device__ constexpr operator RAW() const { return RAW{__x}; }                          \
  __host__ __device__ operator RAW() const volatile { return RAW{__x}; }

// Members for the conversions from and to another arithmetic type F.
#define VX_SMALL_FLOAT_FROM(T, F)                                                                  \
  __host__ __device__ T(F x) : T(__vx_round_##T(__vx_round_to_odd(x))) {}                          \
  __host__ __device__ T &operator=(F x) { return *this = T(x); }
#define VX_SMALL_FLOAT_TO(T, F, NAME)                                                              \
  __host__ __device__ operator F() const { return (F)__vx_float_##NAME(__vx_to_float(*this)); }

#define VX_SMALL_FLOAT_FLOATS(T)                                                                   \
  VX_SMALL_FLOAT_FROM(T, float)                                                                    \
  VX_SMALL_FLOAT_FROM(T, double)                                                                   \
  __host__ __device__ operator float() const { return __vx_to_float(*this); }
#define VX_SMALL_FLOAT_INTEGERS(T)                                                                 \
  VX_SMALL_FLOAT_FROM(T, short)                                                                    \
  VX_SMALL_FLOAT_FROM(T, unsigned short)                                                           \
  VX_SMALL_FLOAT_FROM(T, int)                                                                      \
  VX_SMALL_FLOAT_FROM(T, unsigned)                                                                 \
  VX_SMALL_FLOAT_FROM(T, long)                                                                     \
  VX_SMALL_FLOAT_FROM(T, unsigned long)                                                            \
  VX_SMALL_FLOAT_FROM(T, long long)                                                                \
  VX_SMALL_FLOAT_FROM(T, unsigned long long)                                                       \
  VX_SMALL_FLOAT_TO(T, signed char, char)                                                          \
  VX_SMALL_FLOAT_TO(T, unsigned char, uchar)                                                       \
  __host__ __device__ operator char() const {                                                      \
    return (char)-1 < 0 ? (char)(signed char)*this : (char)(unsigned char)*this;                   \
  }                                                                                                \
  VX_SMALL_FLOAT_TO(T, short, short)                                                               \
  VX_SMALL_FLOAT_TO(T, unsigned short, ushort)                                                     \
  VX_SMALL_FLOAT_TO(T, int, int)                                                                   \
  VX_SMALL_FLOAT_TO(T, unsigned, uint)                                                             \
  __host__ __device__ operator long() const {                                                      \
    return sizeof(long) == 8 ? (long)(long long)*this : (long)(int)*this;                          \
  }                                                                                                \
  __host__ __device__ operator unsigned long() const {                                             \
    return sizeof(long) == 8 ? (unsigned long)(unsigned long long)*this                            \
                             : (unsigned long)(unsigned)*this;                                     \
  }                                                                                                \
  VX_SMALL_FLOAT_TO(T, long long, ll)                                                              \
  VX_SMALL_FLOAT_TO(T, unsigned long long, ull)                                                    \
  __host__ __device__ constexpr operator bool() const { return (__x & 0x7fff) != 0; }

// Arithmetic and comparison of T, whose bits are those of the structure RAW. A NaN that is computed
// has the bits 0x7fff.
#define VX_SMALL_FLOAT_SCALAR(T, RAW)                                                              \
  /* Operand A with other BITS; on the host a NaN loses its own, as with NVIDIA's headers. */      \
  VX_HD T __vx_quiet(T a, unsigned bits) {                                                         \
    return T(RAW{                                                                                  \
        (unsigned short)(VX_HOST_CODE && __vx_to_float(a) != __vx_to_float(a) ? 0x7fff : bits)});  \
  }                                                                                                \
  VX_HD T __hadd(T a, T b) { return __vx_round_##T(__vx_to_float(a) + __vx_to_float(b)); }         \
  VX_HD T __hsub(T a, T b) { return __vx_round_##T(__vx_to_float(a) - __vx_to_float(b)); }         \
  VX_HD T __hmul(T a, T b) { return __vx_round_##T(__vx_to_float(a) * __vx_to_float(b)); }         \
  VX_HD T __hdiv(T a, T b) { return __vx_round_##T(__vx_to_float(a) / __vx_to_float(b)); }         \
  VX_HD T __hadd_rn(T a, T b) { return __hadd(a, b); }                                             \
  VX_HD T __hsub_rn(T a, T b) { return __hsub(a, b); }                                             \
  VX_HD T __hmul_rn(T a, T b) { return __hmul(a, b); }                                             \
  VX_HD T __vx_saturate(T a) {                                                                     \
    float f = __vx_to_float(a);                                                                    \
    return f > 0.0f ? (f < 1.0f ? a : __vx_round_##T(1.0f)) : __vx_round_##T(0.0f);                \
  }                                                                                                \
  VX_HD T __hadd_sat(T a, T b) { return __vx_saturate(__hadd(a, b)); }                             \
  VX_HD T __hsub_sat(T a, T b) { return __vx_saturate(__hsub(a, b)); }                             \
  VX_HD T __hmul_sat(T a, T b) { return __vx_saturate(__hmul(a, b)); }                             \
  VX_HD T __hfma_sat(T a, T b, T c) { return __vx_saturate(__hfma(a, b, c)); }                     \
  VX_HD T __hfma_relu(T a, T b, T c) {                                                             \
    T r = __hfma(a, b, c);                                                                         \
    return __vx_to_float(r) <= 0.0f ? __vx_round_##T(0.0f) : r; /* -0 becomes +0, too */           \
  }                                                                                                \
  VX_HD T __hneg(T a) { return __vx_quiet(a, a.__x ^ 0x8000); }                                    \
  VX_HD T __habs(T a) { return __vx_quiet(a, a.__x & 0x7fff); }                                    \
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
  /* -0 is less than +0, and the other operand is taken for a NaN. */                              \
  VX_HD T __vx_larger(T a, T b, bool greatest) {                                                   \
    if (__hisnan(a) || __hisnan(b))                                                                \
      return __hisnan(a) ? (__hisnan(b) ? T(RAW{0x7fff}) : b) : a;                                 \
    bool less = __heq(a, b) ? (a.__x > b.__x) : __hlt(a, b);                                       \
    return less == greatest ? b : a;                                                               \
  }                                                                                                \
  VX_HD T __hmax(T a, T b) { return __vx_larger(a, b, true); }                                     \
  VX_HD T __hmin(T a, T b) { return __vx_larger(a, b, false); }                                    \
  VX_HD T __hmax_nan(T a, T b) {                                                                   \
    return __hisnan(a) || __hisnan(b) ? T(RAW{0x7fff}) : __hmax(a, b);                             \
  }                                                                                                \
  VX_HD T __hmin_nan(T a, T b) {                                                                   \
    return __hisnan(a) || __hisnan(b) ? T(RAW{0x7fff}) : __hmin(a, b);                             \
  }

// Operators of T, or of a pair of it; EQ to GE compare, ONE is what ++ adds.
#define VX_SMALL_FLOAT_OPERATORS(T, ADD, SUB, MUL, DIV, NEG, EQ, NE, LT, LE, GT, GE, ONE)          \
  VX_HD T operator+(const T &a, const T &b) { return ADD(a, b); }                                  \
  VX_HD T operator-(const T &a, const T &b) { return SUB(a, b); }                                  \
  VX_HD T operator*(const T &a, const T &b) { return MUL(a, b); }                                  \
  VX_HD T operator/(const T &a, const T &b) { return DIV(a, b); }                                  \
  VX_HD T operator+(const T &a) { return a; }                                                      \
  VX_HD T operator-(const T &a) { return NEG(a); }                                                 \
  VX_HD T &operator+=(T &a, const T &b) { return a = ADD(a, b); }                                  \
  VX_HD T &operator-=(T &a, const T &b) { return a = SUB(a, b); }                                  \
  VX_HD T &operator*=(T &a, const T &b) { return a = MUL(a, b); }                                  \
  VX_HD T &operator/=(T &a, const T &b) { return a = DIV(a, b); }                                  \
  VX_HD T &operator++(T &a) { return a = ADD(a, ONE); }                                            \
  VX_HD T &operator--(T &a) { return a = SUB(a, ONE); }                                            \
  VX_HD T operator++(T &a, int) {                                                                  \
    T before = a;                                                                                  \
    a = ADD(a, ONE);                                                                               \
    return before;                                                                                 \
  }                                                                                                \
  VX_HD T operator--(T &a, int) {                                                                  \
    T before = a;                                                                                  \
    a = SUB(a, ONE);                                                                               \
    return before;                                                                                 \
  }                                                                                                \
  VX_HD bool operator==(const T &a, const T &b) { return EQ(a, b); }                               \
  VX_HD bool operator!=(const T &a, const T &b) { return NE(a, b); }                               \
  VX_HD bool operator<(const T &a, const T &b) { return LT(a, b); }                                \
  VX_HD bool operator<=(const T &a, const T &b) { return LE(a, b); }                               \
  VX_HD bool operator>(const T &a, const T &b) { return GT(a, b); }                                \
  VX_HD bool operator>=(const T &a, const T &b) { return GE(a, b); }
#define VX_SMALL_FLOAT_SCALAR_OPERATORS(T)                                                         \
  VX_SMALL_FLOAT_OPERATORS(T, __hadd, __hsub, __hmul, __hdiv, __hneg, __heq, __hneu, __hlt, __hle, \
                           __hgt, __hge, __vx_round_##T(1.0f))

#endif // VX_CUDA_SMALL_FLOAT_H
