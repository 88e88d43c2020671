// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision: IEEE binary16.

#ifndef VX_CUDA_FP16_H
#define VX_CUDA_FP16_H

#if defined(__cplusplus)

#include "__vx_cuda_small_float.h"

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

struct __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

/// The float of the half with these bits.
VX_HD float __vx_half_to_float(unsigned short h) {
  unsigned sign = (unsigned)(h & 0x8000) << 16, magnitude = h & 0x7fff;
  // A multiplication by 2^112 rebiases the exponent and normalises subnormals.
  float value = __vx_bits_float(magnitude << 13) * __vx_bits_float(0x77800000u);
  unsigned bits = magnitude >= 0x7c00 ? (magnitude << 13) | 0x7f800000u : __vx_float_bits(value);
  return __vx_bits_float(bits | sign);
}

/// Rounds to half, to nearest even, without a branch. 2^13 times a power of two has a last place of
/// half's last place there, so a sum with it is rounded where half is; half's subnormals have the
/// last place of its least normal numbers, and its overflow begins where a sum carries to 2^16.
VX_HD unsigned short __vx_float_to_half(float f) {
  float value = __builtin_fminf(__builtin_fabsf(f), 0x1p16f); // NaN becomes 2^16, too
  unsigned exponent = __vx_float_bits(__builtin_fmaxf(value, 0x1p-14f)) & 0x7f800000u;
  unsigned place = exponent + (13u << 23);
  unsigned places = __vx_float_bits(value + __vx_bits_float(place)) - place;
  unsigned result = places + (exponent >> 13) - (113u << 10);
  return (unsigned short)(result | (f != f ? 0x7fff : 0) | (__vx_float_bits(f) >> 16 & 0x8000));
}

struct __half;
VX_HD float __vx_to_float(__half h);

struct __attribute__((aligned(2))) __half {
  unsigned short __x;

  __host__ __device__ __half(float f) : __x(__vx_float_to_half(f)) {}
  __host__ __device__ __half(__half_raw raw) : __x(raw.x) {}
  VX_SMALL_FLOAT_MEMBERS(__half)
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
};

VX_HD float __vx_to_float(__half h) { return __vx_half_to_float(h.__x); }

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(__half x, __half y) : x(x), y(y) {}
  __host__ __device__ __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

VX_SMALL_FLOAT_SCALAR(__half)
VX_SMALL_FLOAT_PAIR(__half, __half2)
#if defined(__CUDA__)
VX_SMALL_FLOAT_DEVICE(__half, __half2)
#endif

VX_HD int __hisinf(__half a) { return (a.__x & 0x7fff) != 0x7c00 ? 0 : a.__x & 0x8000 ? -1 : 1; }

// Conversions. One unit of the last place is put right where another rounding is asked for.
VX_HD __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
VX_HD unsigned short __half_as_ushort(__half h) { return h.__x; }
VX_HD __half __short_as_half(short x) { return __ushort_as_half((unsigned short)x); }
VX_HD short __half_as_short(__half h) { return (short)h.__x; }
VX_HD float __half2float(__half h) { return __vx_to_float(h); }
VX_HD __half __float2half(float f) { return __half(f); }
VX_HD __half __float2half_rn(float f) { return __half(f); }
VX_HD __half __double2half(double d) { return __half(d); }
VX_HD __half __float2half_rz(float f) {
  __half h(f);
  bool away = __builtin_fabsf(__vx_to_float(h)) > __builtin_fabsf(f);
  h.__x -= away;
  return h;
}
VX_HD __half __float2half_rd(float f) {
  __half h(f);
  if (__vx_to_float(h) > f)
    h.__x = h.__x == 0 ? 0x8001 : h.__x & 0x8000 ? h.__x + 1 : h.__x - 1;
  return h;
}
VX_HD __half __float2half_ru(float f) {
  __half h(f);
  if (__vx_to_float(h) < f)
    h.__x = h.__x == 0x8000 ? 0x0001 : h.__x & 0x8000 ? h.__x - 1 : h.__x + 1;
  return h;
}

#define VX_HALF_INTEGER(NAME, T)                                                                   \
  VX_HD __half __##NAME##2half_rn(T x) { return __half(x); }                                       \
  VX_HD T __half2##NAME##_rz(__half h) { return (T)__vx_to_float(h); }                             \
  VX_HD T __half2##NAME##_rn(__half h) { return (T)__builtin_rintf(__vx_to_float(h)); }            \
  VX_HD T __half2##NAME##_rd(__half h) { return (T)__builtin_floorf(__vx_to_float(h)); }           \
  VX_HD T __half2##NAME##_ru(__half h) { return (T)__builtin_ceilf(__vx_to_float(h)); }
VX_HALF_INTEGER(int, int)
VX_HALF_INTEGER(uint, unsigned)
VX_HALF_INTEGER(short, short)
VX_HALF_INTEGER(ushort, unsigned short)
VX_HALF_INTEGER(ll, long long)
VX_HALF_INTEGER(ull, unsigned long long)
#undef VX_HALF_INTEGER

// Pairs.
VX_HD __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
VX_HD __half2 make_half2(__half a, __half b) { return __half2(a, b); }
VX_HD __half2 __half2half2(__half a) { return __half2(a, a); }
VX_HD __half2 __float2half2_rn(float f) { return __half2half2(__half(f)); }
VX_HD __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
VX_HD __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
VX_HD float2 __half22float2(__half2 h) {
  return make_float2(__vx_to_float(h.x), __vx_to_float(h.y));
}
VX_HD __half __low2half(__half2 h) { return h.x; }
VX_HD __half __high2half(__half2 h) { return h.y; }
VX_HD float __low2float(__half2 h) { return __vx_to_float(h.x); }
VX_HD float __high2float(__half2 h) { return __vx_to_float(h.y); }
VX_HD __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
VX_HD __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
VX_HD __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
VX_HD __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
VX_HD __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

#endif // __cplusplus

#endif // VX_CUDA_FP16_H
