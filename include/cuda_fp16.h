// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision: IEEE binary16.

#ifndef VX_CUDA_FP16_H
#define VX_CUDA_FP16_H

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)

#include "vx/cuda/small_float.h"
#include "vx/cuda/small_float_device.h"
#include "vx/cuda/small_float_pair.h"

// Device code converts with the operations of the compiler, to which vx-expand-halves gives the
// instructions; what is below for the host gives the same results.

/// The float of the half with these bits.
VX_HD float __vx_half_to_float(unsigned short h) {
#if defined(__CUDA_ARCH__)
  return (float)__builtin_bit_cast(_Float16, h);
#else
  unsigned bits = ((unsigned)(short)h << 13) & 0x8fffffffu;
  // A multiplication by 2^112 rebiases the exponent and normalises subnormals.
  float value = __vx_bits_float(bits) * __vx_bits_float(0x77800000u);
  unsigned special = (h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0; // infinity
  if ((h & 0x7fff) > 0x7c00)
    return __vx_bits_float(0x7fffffffu); // of any NaN
  return __vx_bits_float(__vx_float_bits(value) | special);
#endif
}

/// Rounds to half, to nearest even, without a branch. 2^13 times a power of two has a last place of
/// half's last place there, so a sum with it is rounded where half is; half's subnormals have the
/// last place of its least normal numbers, and its overflow begins where a sum carries to 2^16.
VX_HD unsigned short __vx_float_to_half(float f) {
#if defined(__CUDA_ARCH__)
  return __builtin_bit_cast(unsigned short, (_Float16)f);
#else
  float value = __builtin_fminf(__builtin_fabsf(f), 0x1p16f); // NaN becomes 2^16, too
  unsigned exponent = __vx_float_bits(__builtin_fmaxf(value, 0x1p-14f)) & 0x7f800000u;
  unsigned place = exponent + (13u << 23);
  unsigned places = __vx_float_bits(value + __vx_bits_float(place)) - place;
  unsigned result = places + (exponent >> 13) - (113u << 10);
  unsigned sign = __vx_float_bits(f) >> 16 & 0x8000;
  return (unsigned short)(f != f ? 0x7fff : result | sign);
#endif
}

/// Converts a double, whose last place is that of a half where it is added to 2^42 times a power
/// of two.
VX_HD unsigned short __vx_double_to_half(double d) {
#if defined(__CUDA_ARCH__)
  return __builtin_bit_cast(unsigned short, (_Float16)d);
#else
  double value = __builtin_fmin(__builtin_fabs(d), 0x1p16);
  unsigned long long exponent = __vx_double_bits(__builtin_fmax(value, 0x1p-14)) & 0x7ffull << 52;
  unsigned long long place = exponent + (42ull << 52);
  unsigned long long places = __vx_double_bits(value + __vx_bits_double(place)) - place;
  unsigned result = (unsigned)(places + (exponent >> 42)) - (1009u << 10);
  unsigned sign = (unsigned)(__vx_double_bits(d) >> 48) & 0x8000;
  return (unsigned short)(d != d ? 0x7fff : result | sign);
#endif
}

struct __half;
struct __nv_bfloat16;
VX_HD float __vx_to_float(__half h);
VX_HD __half __vx_round___half(float f);

struct __attribute__((aligned(2))) __half {
  unsigned short __x;

  VX_SMALL_FLOAT_MEMBERS(__half, __half_raw)
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
  __host__ __device__ explicit __half(__nv_bfloat16 b); // in cuda_bf16.h
  VX_SMALL_FLOAT_FLOATS(__half)
#if defined(__CUDA__) ||                                                                           \
    !defined(__CUDA_FP16_DISABLE_IMPLICIT_INTEGER_CONVERTS_FOR_HOST_COMPILERS__)
  VX_SMALL_FLOAT_INTEGERS(__half)
#endif
#endif
};

VX_HD float __vx_to_float(__half h) { return __vx_half_to_float(h.__x); }
VX_HD __half __vx_round___half(float f) { return __half(__half_raw{__vx_float_to_half(f)}); }

VX_SMALL_FLOAT_PAIR_CLASS(__half, __half_raw, __half2, __half2_raw)

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

// A product has 22 bits, of which the lowest is at 2^-48 or above: where its sum with a half needs
// more bits than a double has, one of the two is too small to matter.
VX_HD __half __hfma(__half a, __half b, __half c) {
  double sum = (double)__vx_to_float(a) * (double)__vx_to_float(b) + (double)__vx_to_float(c);
  return __half(__half_raw{__vx_double_to_half(sum)});
}
VX_SMALL_FLOAT_SCALAR(__half, __half_raw)
VX_SMALL_FLOAT_PAIR(__half, __half2)
VX_SMALL_FLOAT_HALVES(__half, __half2, half2, half)
VX_SMALL_FLOAT_ROUNDING(__half, __half_raw, half)
#if !defined(__CUDA_NO_HALF_OPERATORS__)
VX_SMALL_FLOAT_SCALAR_OPERATORS(__half)
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
VX_SMALL_FLOAT_PAIR_OPERATORS(__half, __half2)
#endif
#if defined(__CUDA__)
VX_SMALL_FLOAT_DEVICE(__half, __half2)
#endif

VX_HD int __hisinf(__half a) { return (a.__x & 0x7fff) != 0x7c00 ? 0 : a.__x & 0x8000 ? -1 : 1; }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif // __cplusplus

#endif // VX_CUDA_FP16_H
