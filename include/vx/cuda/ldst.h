// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints. Vortex has one kind of each, so the hints are dropped; what
// stays is that __ldcv and __stwt are not merged with others.

#ifndef VX_CUDA_LDST_H
#define VX_CUDA_LDST_H

#define VX_LDST static __device__ __forceinline__ __attribute__((__nodebug__))

/// Loads and stores of a type T that C++ can read and write as volatile.
#define VX_SCALAR(T)                                                                               \
  VX_CACHE_HINTED_PLAIN(T)                                                                         \
  VX_LDST T __ldcv(const T *p) { return *(const volatile T *)p; }                                  \
  VX_LDST void __stwt(T *p, T v) { *(volatile T *)p = v; }
/// Loads and stores of any other type: the 16-bit floats' headers use it too.
#define VX_CACHE_HINTED(T)                                                                         \
  VX_CACHE_HINTED_PLAIN(T)                                                                         \
  VX_LDST T __ldcv(const T *p) {                                                                   \
    __asm__ volatile("" ::: "memory");                                                             \
    T v = *p;                                                                                      \
    __asm__ volatile("" ::: "memory");                                                             \
    return v;                                                                                      \
  }                                                                                                \
  VX_LDST void __stwt(T *p, T v) {                                                                 \
    __asm__ volatile("" ::: "memory");                                                             \
    *p = v;                                                                                        \
    __asm__ volatile("" ::: "memory");                                                             \
  }
#define VX_CACHE_HINTED_PLAIN(T)                                                                   \
  VX_LDST T __ldg(const T *p) { return *p; }                                                       \
  VX_LDST T __ldcg(const T *p) { return *p; }                                                      \
  VX_LDST T __ldca(const T *p) { return *p; }                                                      \
  VX_LDST T __ldcs(const T *p) { return *p; }                                                      \
  VX_LDST T __ldlu(const T *p) { return *p; }                                                      \
  VX_LDST void __stwb(T *p, T v) { *p = v; }                                                       \
  VX_LDST void __stcg(T *p, T v) { *p = v; }                                                       \
  VX_LDST void __stcs(T *p, T v) { *p = v; }

VX_SCALAR(char)
VX_SCALAR(signed char)
VX_SCALAR(short)
VX_SCALAR(int)
VX_SCALAR(long)
VX_SCALAR(long long)
VX_SCALAR(unsigned char)
VX_SCALAR(unsigned short)
VX_SCALAR(unsigned)
VX_SCALAR(unsigned long)
VX_SCALAR(unsigned long long)
VX_SCALAR(float)
VX_SCALAR(double)
VX_CACHE_HINTED(char2)
VX_CACHE_HINTED(char4)
VX_CACHE_HINTED(short2)
VX_CACHE_HINTED(short4)
VX_CACHE_HINTED(int2)
VX_CACHE_HINTED(int4)
VX_CACHE_HINTED(longlong2)
VX_CACHE_HINTED(uchar2)
VX_CACHE_HINTED(uchar4)
VX_CACHE_HINTED(ushort2)
VX_CACHE_HINTED(ushort4)
VX_CACHE_HINTED(uint2)
VX_CACHE_HINTED(uint4)
VX_CACHE_HINTED(ulonglong2)
VX_CACHE_HINTED(float2)
VX_CACHE_HINTED(float4)
VX_CACHE_HINTED(double2)

#undef VX_SCALAR

#endif // VX_CUDA_LDST_H
