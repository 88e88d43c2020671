// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's global min and max: every mix of the integer types as in C, and of float and double. Two
// overloads each, for the device and for the host.

#ifndef VX_CUDA_MINMAX_H
#define VX_CUDA_MINMAX_H

// RESULT is what C's usual arithmetic conversions make of A and B. The host forms keep fmin's rule
// that a number wins over a NaN.
#define VX_MINMAX_INT(RESULT, A, B)                                                                \
  static __device__ __host__ __forceinline__ RESULT min(A a, B b) {                                \
    return (RESULT)a < (RESULT)b ? (RESULT)a : (RESULT)b;                                          \
  }                                                                                                \
  static __device__ __host__ __forceinline__ RESULT max(A a, B b) {                                \
    return (RESULT)a > (RESULT)b ? (RESULT)a : (RESULT)b;                                          \
  }
#define VX_MINMAX_FLOAT_ON(SIDE, RESULT, A, B, SUFFIX)                                             \
  static SIDE __forceinline__ RESULT min(A a, B b) {                                               \
    return ::fmin##SUFFIX((RESULT)a, (RESULT)b);                                                   \
  }                                                                                                \
  static SIDE __forceinline__ RESULT max(A a, B b) { return ::fmax##SUFFIX((RESULT)a, (RESULT)b); }
#define VX_MINMAX_FLOAT(RESULT, A, B, SUFFIX)                                                      \
  VX_MINMAX_FLOAT_ON(__device__, RESULT, A, B, SUFFIX)                                             \
  VX_MINMAX_FLOAT_ON(__host__, RESULT, A, B, SUFFIX)

// Clang's math header has min(int, int) and max(int, int) for the device.
static __host__ __forceinline__ int min(int a, int b) { return a < b ? a : b; }
static __host__ __forceinline__ int max(int a, int b) { return a > b ? a : b; }
VX_MINMAX_INT(unsigned, unsigned, unsigned)
VX_MINMAX_INT(unsigned, unsigned, int)
VX_MINMAX_INT(unsigned, int, unsigned)
VX_MINMAX_INT(long, long, long)
VX_MINMAX_INT(unsigned long, unsigned long, unsigned long)
VX_MINMAX_INT(unsigned long, unsigned long, long)
VX_MINMAX_INT(unsigned long, long, unsigned long)
VX_MINMAX_INT(long long, long long, long long)
VX_MINMAX_INT(unsigned long long, unsigned long long, unsigned long long)
VX_MINMAX_INT(unsigned long long, unsigned long long, long long)
VX_MINMAX_INT(unsigned long long, long long, unsigned long long)
VX_MINMAX_FLOAT(float, float, float, f)
VX_MINMAX_FLOAT(double, double, double, )
VX_MINMAX_FLOAT(double, float, double, )
VX_MINMAX_FLOAT(double, double, float, )

// The names without overloads, which clang's math header has for the device.
#define VX_MINMAX_NAMED(TYPE, PREFIX)                                                              \
  static __host__ __forceinline__ TYPE PREFIX##min(TYPE a, TYPE b) { return min(a, b); }           \
  static __host__ __forceinline__ TYPE PREFIX##max(TYPE a, TYPE b) { return max(a, b); }
VX_MINMAX_NAMED(unsigned, u)
VX_MINMAX_NAMED(long long, ll)
VX_MINMAX_NAMED(unsigned long long, ull)

#undef VX_MINMAX_NAMED
#undef VX_MINMAX_INT
#undef VX_MINMAX_FLOAT
#undef VX_MINMAX_FLOAT_ON

#endif // VX_CUDA_MINMAX_H
