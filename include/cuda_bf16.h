// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: the upper half of a float.

#ifndef VX_CUDA_BF16_H
#define VX_CUDA_BF16_H

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)

// As in cuda_fp16.h: device code converts with the operations of the compiler.

/// The float of the bfloat16 with these bits.
VX_HD float __vx_bfloat16_to_float(unsigned short b) {
#if defined(__CUDA_ARCH__)
  return (float)__builtin_bit_cast(__bf16, b);
#else
  return __vx_bits_float((unsigned)b << 16);
#endif
}

/// Rounds to nearest even.
VX_HD unsigned short __vx_float_to_bfloat16(float f) {
#if defined(__CUDA_ARCH__)
  return __builtin_bit_cast(unsigned short, (__bf16)f);
#else
  unsigned bits = __vx_float_bits(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
#endif
}

struct __nv_bfloat16;
VX_HD float __vx_to_float(__nv_bfloat16 b);
VX_HD __nv_bfloat16 __vx_round___nv_bfloat16(float f);

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;

  VX_SMALL_FLOAT_MEMBERS(__nv_bfloat16, __nv_bfloat16_raw)
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
  __host__ __device__ explicit __nv_bfloat16(__half h)
      : __x(__vx_float_to_bfloat16(__vx_to_float(h))) {}
  VX_SMALL_FLOAT_FLOATS(__nv_bfloat16)
#if defined(__CUDA__) ||                                                                           \
    !defined(__CUDA_BF16_DISABLE_IMPLICIT_INTEGER_CONVERTS_FOR_HOST_COMPILERS__)
  VX_SMALL_FLOAT_INTEGERS(__nv_bfloat16)
#endif
#endif
};

VX_HD float __vx_to_float(__nv_bfloat16 b) { return __vx_bfloat16_to_float(b.__x); }
VX_HD __nv_bfloat16 __vx_round___nv_bfloat16(float f) {
  return __nv_bfloat16(__nv_bfloat16_raw{__vx_float_to_bfloat16(f)});
}

VX_SMALL_FLOAT_PAIR_CLASS(__nv_bfloat16, __nv_bfloat16_raw, __nv_bfloat162, __nv_bfloat162_raw)

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

VX_HD __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if defined(__CUDA_ARCH__)
  auto number = [](__nv_bfloat16 x) { return __builtin_bit_cast(__bf16, x.__x); };
  __bf16 sum = __builtin_elementwise_fma(number(a), number(b), number(c));
  return __nv_bfloat16(__nv_bfloat16_raw{__builtin_bit_cast(unsigned short, sum)});
#else
  return __vx_round___nv_bfloat16(
      __vx_multiply_add(__vx_to_float(a), __vx_to_float(b), __vx_to_float(c)));
#endif
}
VX_SMALL_FLOAT_SCALAR(__nv_bfloat16, __nv_bfloat16_raw)
VX_SMALL_FLOAT_PAIR(__nv_bfloat16, __nv_bfloat162)
VX_SMALL_FLOAT_HALVES(__nv_bfloat16, __nv_bfloat162, bfloat162, bfloat16)
VX_SMALL_FLOAT_ROUNDING(__nv_bfloat16, __nv_bfloat16_raw, bfloat16)
#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
VX_SMALL_FLOAT_SCALAR_OPERATORS(__nv_bfloat16)
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
VX_SMALL_FLOAT_PAIR_OPERATORS(__nv_bfloat16, __nv_bfloat162)
#endif
#if defined(__CUDA__)
VX_SMALL_FLOAT_DEVICE(__nv_bfloat16, __nv_bfloat162)
#endif

VX_HD int __hisinf(__nv_bfloat16 a) {
  return (a.__x & 0x7fff) != 0x7f80 ? 0 : a.__x & 0x8000 ? -1 : 1;
}

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
__host__ __device__ inline __half::__half(__nv_bfloat16 b)
    : __x(__vx_float_to_half(__vx_to_float(b))) {}
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif // __cplusplus

#endif // VX_CUDA_BF16_H
