// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: the upper half of a float.

#ifndef VX_CUDA_BF16_H
#define VX_CUDA_BF16_H

#if defined(__cplusplus)

#include "__vx_cuda_small_float.h"

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

/// Rounds to nearest even.
VX_HD unsigned short __vx_float_to_bfloat16(float f) {
  unsigned bits = __vx_float_bits(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

struct __nv_bfloat16;
VX_HD float __vx_to_float(__nv_bfloat16 b);

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;

  __host__ __device__ __nv_bfloat16(float f) : __x(__vx_float_to_bfloat16(f)) {}
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  VX_SMALL_FLOAT_MEMBERS(__nv_bfloat16)
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
};

VX_HD float __vx_to_float(__nv_bfloat16 b) { return __vx_bits_float((unsigned)b.__x << 16); }

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
  __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return __nv_bfloat162_raw{x.__x, y.__x};
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

VX_SMALL_FLOAT_SCALAR(__nv_bfloat16)
VX_SMALL_FLOAT_PAIR(__nv_bfloat16, __nv_bfloat162)
#if defined(__CUDA__)
VX_SMALL_FLOAT_DEVICE(__nv_bfloat16, __nv_bfloat162)
#endif

VX_HD int __hisinf(__nv_bfloat16 a) {
  return (a.__x & 0x7fff) != 0x7f80 ? 0 : a.__x & 0x8000 ? -1 : 1;
}

// Conversions.
VX_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __nv_bfloat16(__nv_bfloat16_raw{x});
}
VX_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 b) { return b.__x; }
VX_HD float __bfloat162float(__nv_bfloat16 b) { return __vx_to_float(b); }
VX_HD __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
VX_HD __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
VX_HD __nv_bfloat16 __double2bfloat16(double d) { return __nv_bfloat16(d); }
VX_HD __nv_bfloat16 __float2bfloat16_rz(float f) {
  if (f != f)
    return __nv_bfloat16(f);
  return __ushort_as_bfloat16((unsigned short)(__vx_float_bits(f) >> 16));
}

#define VX_BFLOAT_INTEGER(NAME, T)                                                                 \
  VX_HD __nv_bfloat16 __##NAME##2bfloat16_rn(T x) { return __nv_bfloat16(x); }                     \
  VX_HD T __bfloat162##NAME##_rz(__nv_bfloat16 b) { return (T)__vx_to_float(b); }                  \
  VX_HD T __bfloat162##NAME##_rn(__nv_bfloat16 b) { return (T)__builtin_rintf(__vx_to_float(b)); }
VX_BFLOAT_INTEGER(int, int)
VX_BFLOAT_INTEGER(uint, unsigned)
VX_BFLOAT_INTEGER(short, short)
VX_BFLOAT_INTEGER(ushort, unsigned short)
VX_BFLOAT_INTEGER(ll, long long)
VX_BFLOAT_INTEGER(ull, unsigned long long)
#undef VX_BFLOAT_INTEGER

// Pairs.
VX_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
VX_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
VX_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
VX_HD __nv_bfloat162 __float2bfloat162_rn(float f) { return __bfloat162bfloat162(f); }
VX_HD __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
VX_HD __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __nv_bfloat162(f.x, f.y); }
VX_HD float2 __bfloat1622float2(__nv_bfloat162 b) {
  return make_float2(__vx_to_float(b.x), __vx_to_float(b.y));
}
VX_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 b) { return b.x; }
VX_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 b) { return b.y; }
VX_HD float __low2float(__nv_bfloat162 b) { return __vx_to_float(b.x); }
VX_HD float __high2float(__nv_bfloat162 b) { return __vx_to_float(b.y); }
VX_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162 b) { return __nv_bfloat162(b.x, b.x); }
VX_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162 b) { return __nv_bfloat162(b.y, b.y); }
VX_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 b) { return __nv_bfloat162(b.y, b.x); }

#endif // __cplusplus

#endif // VX_CUDA_BF16_H
