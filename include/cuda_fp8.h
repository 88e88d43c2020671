// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floating point: E4M3 (no infinities, one NaN, up to 448) and E5M2 (the upper half of a
// half, up to 57344). Conversions round to nearest even; arithmetic is done in wider types.

#ifndef VX_CUDA_FP8_H
#define VX_CUDA_FP8_H

#if defined(__cplusplus)

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/// The result for numbers beyond the largest: infinity (E5M2) or NaN (E4M3), or the largest.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// --- numbers ---

VX_HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                               __nv_fp8_interpretation_t type) {
  bool e4m3 = type == __NV_E4M3;
  unsigned bits = __vx_float_bits(x), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return 0x7f; // also of a NaN with a sign, as GPUs do
  unsigned bias = e4m3 ? 7 : 15, shift = e4m3 ? 20 : 21, largest = e4m3 ? 0x7e : 0x7b, result;
  if (magnitude < (128 - bias) << 23) {
    // The last place of this number is that of the type's subnormals, so the sum is rounded there.
    unsigned anchor = (127 + 23 - (bias - 1) - (23 - shift)) << 23;
    result = __vx_float_bits(__vx_bits_float(magnitude) + __vx_bits_float(anchor)) - anchor;
  } else {
    unsigned half = (1u << (shift - 1)) - 1 + (magnitude >> shift & 1);
    result = (magnitude - ((127 - bias) << 23) + half) >> shift;
  }
  if (result > largest)
    result = saturate == __NV_SATFINITE ? largest : largest + 1;
  return (__nv_fp8_storage_t)(sign | result);
}
VX_HD __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t type) {
  if (x != x) { // GPUs have no instruction; CUDA's function keeps the sign and the upper bits
    unsigned upper = (unsigned)(__vx_double_bits(x) >> 50);
    return (__nv_fp8_storage_t)((upper >> 6 & 0x80) |
                                (type == __NV_E4M3 ? 0x7f : 0x7e | (upper & 1)));
  }
  return __nv_cvt_float_to_fp8(__vx_round_to_odd(x), saturate, type);
}
VX_HD __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t type) {
  return __nv_cvt_float_to_fp8(__vx_half_to_float(x.x), saturate, type);
}
VX_HD __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                     __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t type) {
  return __nv_cvt_float_to_fp8(__vx_bits_float((unsigned)x.x << 16), saturate, type);
}
VX_HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t type) {
  __half_raw result;
  if (type == __NV_E5M2) {
    result.x = (unsigned short)((x & 0x7f) > 0x7c ? 0x7fff : x << 8);
  } else if ((x & 0x7f) == 0x7f) {
    result.x = 0x7fff;
  } else {
    // The exponent's bias grows by 120, which also normalises subnormals.
    float f = __vx_bits_float((unsigned)(x & 0x7f) << 20) * __vx_bits_float((127u + 120u) << 23);
    result.x = (unsigned short)(__vx_float_to_half(f) | (x & 0x80) << 8);
  }
  return result;
}

// --- pairs ---

#define VX_FP8_PAIR(NAME, T, FIRST, SECOND)                                                        \
  VX_HD __nv_fp8x2_storage_t __nv_cvt_##NAME##2_to_fp8x2(T x, __nv_saturation_t saturate,          \
                                                         __nv_fp8_interpretation_t type) {         \
    return (__nv_fp8x2_storage_t)(__nv_cvt_##NAME##_to_fp8(FIRST, saturate, type) |                \
                                  __nv_cvt_##NAME##_to_fp8(SECOND, saturate, type) << 8);          \
  }
VX_FP8_PAIR(float, float2, x.x, x.y)
VX_FP8_PAIR(double, double2, x.x, x.y)
#undef VX_FP8_PAIR
VX_HD __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t type) {
  return __nv_cvt_float2_to_fp8x2(make_float2(__vx_half_to_float(x.x), __vx_half_to_float(x.y)),
                                  saturate, type);
}
VX_HD __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                          __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t type) {
  return __nv_cvt_float2_to_fp8x2(
      make_float2(__vx_bits_float((unsigned)x.x << 16), __vx_bits_float((unsigned)x.y << 16)),
      saturate, type);
}
VX_HD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                             __nv_fp8_interpretation_t type) {
  __half2_raw result;
  result.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, type).x;
  result.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), type).x;
  return result;
}

// --- classes ---

// To integers toward zero, as a half is converted.
#define VX_FP8_TO_INTEGER(T, NAME)                                                                 \
  explicit __host__ __device__ operator T() const { return (T)__vx_float_##NAME(float(*this)); }

#define VX_FP8_CLASSES(TYPE, INTERPRETATION)                                                       \
  struct __nv_fp8_##TYPE {                                                                         \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##TYPE() = default;                                                                   \
    explicit __host__ __device__ __nv_fp8_##TYPE(float f)                                          \
        : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, INTERPRETATION)) {}                         \
    explicit __host__ __device__ __nv_fp8_##TYPE(double f)                                         \
        : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, INTERPRETATION)) {}                        \
    explicit __host__ __device__ __nv_fp8_##TYPE(__half f) : __nv_fp8_##TYPE(__half2float(f)) {}   \
    explicit __host__ __device__ __nv_fp8_##TYPE(__nv_bfloat16 f)                                  \
        : __nv_fp8_##TYPE(__bfloat162float(f)) {}                                                  \
    explicit __host__ __device__ __nv_fp8_##TYPE(short x) : __nv_fp8_##TYPE((float)x) {}           \
    explicit __host__ __device__ __nv_fp8_##TYPE(unsigned short x) : __nv_fp8_##TYPE((float)x) {}  \
    explicit __host__ __device__ __nv_fp8_##TYPE(int x) : __nv_fp8_##TYPE((double)x) {}            \
    explicit __host__ __device__ __nv_fp8_##TYPE(unsigned x) : __nv_fp8_##TYPE((double)x) {}       \
    explicit __host__ __device__ __nv_fp8_##TYPE(long x) : __nv_fp8_##TYPE((double)x) {}           \
    explicit __host__ __device__ __nv_fp8_##TYPE(unsigned long x) : __nv_fp8_##TYPE((double)x) {}  \
    explicit __host__ __device__ __nv_fp8_##TYPE(long long x) : __nv_fp8_##TYPE((double)x) {}      \
    explicit __host__ __device__ __nv_fp8_##TYPE(unsigned long long x)                             \
        : __nv_fp8_##TYPE((double)x) {}                                                            \
    explicit __host__ __device__ operator __half() const {                                         \
      return __half(__nv_cvt_fp8_to_halfraw(__x, INTERPRETATION));                                 \
    }                                                                                              \
    explicit __host__ __device__ operator float() const { return __half2float(__half(*this)); }    \
    explicit __host__ __device__ operator double() const { return float(*this); }                  \
    explicit __host__ __device__ operator __nv_bfloat16() const {                                  \
      return __float2bfloat16(float(*this));                                                       \
    }                                                                                              \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7f) != 0; }               \
    VX_FP8_TO_INTEGER(signed char, char)                                                           \
    explicit __host__ __device__ operator char() const {                                           \
      return (char)-1 < 0 ? (char)(signed char)*this : (char)(unsigned char)*this;                 \
    }                                                                                              \
    VX_FP8_TO_INTEGER(unsigned char, uchar)                                                        \
    VX_FP8_TO_INTEGER(short, short)                                                                \
    VX_FP8_TO_INTEGER(unsigned short, ushort)                                                      \
    VX_FP8_TO_INTEGER(int, int)                                                                    \
    VX_FP8_TO_INTEGER(unsigned, uint)                                                              \
    VX_FP8_TO_INTEGER(long, ll)                                                                    \
    VX_FP8_TO_INTEGER(unsigned long, ull)                                                          \
    VX_FP8_TO_INTEGER(long long, ll)                                                               \
    VX_FP8_TO_INTEGER(unsigned long long, ull)                                                     \
  };                                                                                               \
  struct __attribute__((aligned(2))) __nv_fp8x2_##TYPE {                                           \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##TYPE() = default;                                                                 \
    explicit __host__ __device__ __nv_fp8x2_##TYPE(float2 f)                                       \
        : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, INTERPRETATION)) {}                      \
    explicit __host__ __device__ __nv_fp8x2_##TYPE(double2 f)                                      \
        : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, INTERPRETATION)) {}                     \
    explicit __host__ __device__ __nv_fp8x2_##TYPE(__half2 f)                                      \
        : __x(__nv_cvt_halfraw2_to_fp8x2(f, __NV_SATFINITE, INTERPRETATION)) {}                    \
    explicit __host__ __device__ __nv_fp8x2_##TYPE(__nv_bfloat162 f)                               \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(f, __NV_SATFINITE, INTERPRETATION)) {}                \
    explicit __host__ __device__ operator __half2() const {                                        \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, INTERPRETATION));                             \
    }                                                                                              \
    explicit __host__ __device__ operator float2() const {                                         \
      return __half22float2(__half2(*this));                                                       \
    }                                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(4))) __nv_fp8x4_##TYPE {                                           \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##TYPE() = default;                                                                 \
    explicit __host__ __device__ __nv_fp8x4_##TYPE(float4 f)                                       \
        : __x(__nv_fp8x2_##TYPE(make_float2(f.x, f.y)).__x |                                       \
              (unsigned)__nv_fp8x2_##TYPE(make_float2(f.z, f.w)).__x << 16) {}                     \
    explicit __host__ __device__ __nv_fp8x4_##TYPE(double4 f)                                      \
        : __x(__nv_fp8x2_##TYPE(make_double2(f.x, f.y)).__x |                                      \
              (unsigned)__nv_fp8x2_##TYPE(make_double2(f.z, f.w)).__x << 16) {}                    \
    explicit __host__ __device__ __nv_fp8x4_##TYPE(__half2 low, __half2 high)                      \
        : __x(__nv_fp8x2_##TYPE(low).__x | (unsigned)__nv_fp8x2_##TYPE(high).__x << 16) {}         \
    explicit __host__ __device__ __nv_fp8x4_##TYPE(__nv_bfloat162 low, __nv_bfloat162 high)        \
        : __x(__nv_fp8x2_##TYPE(low).__x | (unsigned)__nv_fp8x2_##TYPE(high).__x << 16) {}         \
    explicit __host__ __device__ operator float4() const {                                         \
      float2 low = __half22float2(                                                                 \
          __half2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, INTERPRETATION)));         \
      float2 high = __half22float2(                                                                \
          __half2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), INTERPRETATION))); \
      return make_float4(low.x, low.y, high.x, high.y);                                            \
    }                                                                                              \
  };
VX_FP8_CLASSES(e4m3, __NV_E4M3)
VX_FP8_CLASSES(e5m2, __NV_E5M2)
#undef VX_FP8_CLASSES
#undef VX_FP8_TO_INTEGER

#endif // __cplusplus

#endif // VX_CUDA_FP8_H
