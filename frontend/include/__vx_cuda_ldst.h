// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints. Vortex has one kind of each, so the hints are dropped; what
// stays is that __ldcv and __stwt are not merged with others.

#ifndef VX_CUDA_LDST_H
#define VX_CUDA_LDST_H

#define VX_LDST static __device__ __forceinline__ __attribute__((__nodebug__))

#define VX_LOADS(T)                                                                                \
  VX_LDST T __ldg(const T *p) { return *p; }                                                       \
  VX_LDST T __ldcg(const T *p) { return *p; }                                                      \
  VX_LDST T __ldca(const T *p) { return *p; }                                                      \
  VX_LDST T __ldcs(const T *p) { return *p; }                                                      \
  VX_LDST T __ldlu(const T *p) { return *p; }                                                      \
  VX_LDST void __stwb(T *p, T v) { *p = v; }                                                       \
  VX_LDST void __stcg(T *p, T v) { *p = v; }                                                       \
  VX_LDST void __stcs(T *p, T v) { *p = v; }
#define VX_SCALAR(T)                                                                               \
  VX_LOADS(T)                                                                                      \
  VX_LDST T __ldcv(const T *p) { return *(const volatile T *)p; }                                  \
  VX_LDST void __stwt(T *p, T v) { *(volatile T *)p = v; }
#define VX_VECTOR(T)                                                                               \
  VX_LOADS(T)                                                                                      \
  VX_LDST T __ldcv(const T *p) {                                                                   \
    T v;                                                                                           \
    __asm__ volatile("" ::: "memory");                                                             \
    v = *p;                                                                                        \
    __asm__ volatile("" ::: "memory");                                                             \
    return v;                                                                                      \
  }                                                                                                \
  VX_LDST void __stwt(T *p, T v) {                                                                 \
    __asm__ volatile("" ::: "memory");                                                             \
    *p = v;                                                                                        \
    __asm__ volatile("" ::: "memory");                                                             \
  }

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
VX_VECTOR(char2)
VX_VECTOR(char4)
VX_VECTOR(short2)
VX_VECTOR(short4)
VX_VECTOR(int2)
VX_VECTOR(int4)
VX_VECTOR(longlong2)
VX_VECTOR(uchar2)
VX_VECTOR(uchar4)
VX_VECTOR(ushort2)
VX_VECTOR(ushort4)
VX_VECTOR(uint2)
VX_VECTOR(uint4)
VX_VECTOR(ulonglong2)
VX_VECTOR(float2)
VX_VECTOR(float4)
VX_VECTOR(double2)

#undef VX_LDST
#undef VX_LOADS
#undef VX_SCALAR
#undef VX_VECTOR

#endif // VX_CUDA_LDST_H
