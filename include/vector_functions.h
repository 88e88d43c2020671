// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// make_int2(x, y) and its kin.

#ifndef VX_CUDA_VECTOR_FUNCTIONS_H
#define VX_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define VX_MAKE_VECTOR(NAME, T)                                                                    \
  static __inline__ __host__ __device__ NAME##1 make_##NAME##1(T x) {                              \
    NAME##1 v;                                                                                     \
    v.x = x;                                                                                       \
    return v;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ NAME##2 make_##NAME##2(T x, T y) {                         \
    NAME##2 v;                                                                                     \
    v.x = x;                                                                                       \
    v.y = y;                                                                                       \
    return v;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ NAME##3 make_##NAME##3(T x, T y, T z) {                    \
    NAME##3 v;                                                                                     \
    v.x = x;                                                                                       \
    v.y = y;                                                                                       \
    v.z = z;                                                                                       \
    return v;                                                                                      \
  }                                                                                                \
  static __inline__ __host__ __device__ NAME##4 make_##NAME##4(T x, T y, T z, T w) {               \
    NAME##4 v;                                                                                     \
    v.x = x;                                                                                       \
    v.y = y;                                                                                       \
    v.z = z;                                                                                       \
    v.w = w;                                                                                       \
    return v;                                                                                      \
  }

VX_MAKE_VECTOR(char, signed char)
VX_MAKE_VECTOR(uchar, unsigned char)
VX_MAKE_VECTOR(short, short)
VX_MAKE_VECTOR(ushort, unsigned short)
VX_MAKE_VECTOR(int, int)
VX_MAKE_VECTOR(uint, unsigned int)
VX_MAKE_VECTOR(long, long)
VX_MAKE_VECTOR(ulong, unsigned long)
VX_MAKE_VECTOR(longlong, long long)
VX_MAKE_VECTOR(ulonglong, unsigned long long)
VX_MAKE_VECTOR(float, float)
VX_MAKE_VECTOR(double, double)

#undef VX_MAKE_VECTOR

#endif // VX_CUDA_VECTOR_FUNCTIONS_H
