// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions of 16-bit floating-point types T and their pairs T2 (cuda_fp16.h, cuda_bf16.h).

#ifndef VX_CUDA_SMALL_FLOAT_DEVICE_H
#define VX_CUDA_SMALL_FLOAT_DEVICE_H

#include "vx/cuda/small_float.h"

// Functions that go through their float namesakes, for T and pairwise.
#define VX_SMALL_FLOAT_FUNCTION(T, T2, NAME, EXPRESSION)                                           \
  VX_DEV T h##NAME(T a) {                                                                          \
    float x = __vx_to_float(a);                                                                    \
    return __vx_round_##T(EXPRESSION);                                                             \
  }                                                                                                \
  VX_DEV T2 h2##NAME(T2 a) { return T2(h##NAME(a.x), h##NAME(a.y)); }
#define VX_SMALL_FLOAT_FUNCTIONS(T, T2)                                                            \
  VX_SMALL_FLOAT_FUNCTION(T, T2, sqrt, sqrtf(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, rsqrt, rsqrtf(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, rcp, 1.0f / x)                                                    \
  VX_SMALL_FLOAT_FUNCTION(T, T2, exp, expf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, exp2, exp2f(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, exp10, exp10f(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, log, logf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, log2, log2f(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, log10, log10f(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, sin, sinf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, cos, cosf(x))                                                     \
  VX_SMALL_FLOAT_FUNCTION(T, T2, tanh, tanhf(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, tanh_approx, tanhf(x))                                            \
  VX_SMALL_FLOAT_FUNCTION(T, T2, floor, floorf(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, ceil, ceilf(x))                                                   \
  VX_SMALL_FLOAT_FUNCTION(T, T2, trunc, truncf(x))                                                 \
  VX_SMALL_FLOAT_FUNCTION(T, T2, rint, rintf(x))

// Shuffles, read-only loads and atomics; LANE is what the shuffle counts with.
#define VX_SMALL_FLOAT_SHUFFLE(T, T2, NAME, LANE)                                                  \
  VX_DEV T NAME(unsigned mask, T value, LANE lane, int width = 32) {                               \
    value.__x = (unsigned short)NAME(mask, (unsigned)value.__x, lane, width);                      \
    return value;                                                                                  \
  }                                                                                                \
  VX_DEV T2 NAME(unsigned mask, T2 value, LANE lane, int width = 32) {                             \
    unsigned word = value.x.__x | (unsigned)value.y.__x << 16;                                     \
    word = NAME(mask, word, lane, width);                                                          \
    value.x.__x = (unsigned short)word;                                                            \
    value.y.__x = (unsigned short)(word >> 16);                                                    \
    return value;                                                                                  \
  }
#define VX_SMALL_FLOAT_DEVICE(T, T2)                                                               \
  VX_SMALL_FLOAT_FUNCTIONS(T, T2)                                                                  \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_sync, int)                                                  \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_up_sync, unsigned)                                          \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_down_sync, unsigned)                                        \
  VX_SMALL_FLOAT_SHUFFLE(T, T2, __shfl_xor_sync, int)                                              \
  VX_CACHE_HINTED(T)                                                                               \
  VX_CACHE_HINTED(T2)                                                                              \
  VX_DEV T atomicAdd(T *address, T value) {                                                        \
    unsigned short *bits = (unsigned short *)address;                                              \
    unsigned short seen = *bits, expected;                                                         \
    do {                                                                                           \
      expected = seen;                                                                             \
      T old;                                                                                       \
      old.__x = expected;                                                                          \
      seen = atomicCAS(bits, expected, __hadd(old, value).__x);                                    \
    } while (seen != expected);                                                                    \
    T before;                                                                                      \
    before.__x = seen;                                                                             \
    return before;                                                                                 \
  }                                                                                                \
  VX_DEV T2 atomicAdd(T2 *address, T2 value) {                                                     \
    return T2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));                   \
  }

#endif // VX_CUDA_SMALL_FLOAT_DEVICE_H
