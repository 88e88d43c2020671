// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's short vector types, with the alignment of the device ABI (host and device share structs):
// one and three elements are aligned as an element, two and four as their size, at most 16 bytes.

#ifndef VX_CUDA_VECTOR_TYPES_H
#define VX_CUDA_VECTOR_TYPES_H

#include "host_defines.h"

#define VX_VECTOR_TYPES(NAME, T, ALIGN2, ALIGN4)                                                   \
  struct NAME##1 { T x; };                                                                         \
  struct __attribute__((aligned(ALIGN2))) NAME##2 { T x, y; };                                     \
  struct NAME##3 { T x, y, z; };                                                                   \
  struct __attribute__((aligned(ALIGN4))) NAME##4 { T x, y, z, w; };                               \
  typedef struct NAME##1 NAME##1;                                                                  \
  typedef struct NAME##2 NAME##2;                                                                  \
  typedef struct NAME##3 NAME##3;                                                                  \
  typedef struct NAME##4 NAME##4

VX_VECTOR_TYPES(char, signed char, 2, 4);
VX_VECTOR_TYPES(uchar, unsigned char, 2, 4);
VX_VECTOR_TYPES(short, short, 4, 8);
VX_VECTOR_TYPES(ushort, unsigned short, 4, 8);
VX_VECTOR_TYPES(int, int, 8, 16);
VX_VECTOR_TYPES(uint, unsigned int, 8, 16);
VX_VECTOR_TYPES(long, long, 16, 16);
VX_VECTOR_TYPES(ulong, unsigned long, 16, 16);
VX_VECTOR_TYPES(longlong, long long, 16, 16);
VX_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16);
VX_VECTOR_TYPES(float, float, 8, 16);
VX_VECTOR_TYPES(double, double, 16, 16);

#undef VX_VECTOR_TYPES

/* Dimensions of grids and blocks; what is not given is 1. */
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
  __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const {
    uint3 t = {x, y, z};
    return t;
  }
#endif
#endif
};
typedef struct dim3 dim3;

#endif // VX_CUDA_VECTOR_TYPES_H
