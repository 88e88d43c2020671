// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device functions of cuRAND have in common: how they are declared, constants, and which
// kinds of states there are.

#ifndef VX_CURAND_GLOBALS_H
#define VX_CURAND_GLOBALS_H

#include "cuda_runtime.h"
#include <math.h>

// Beyond CUDA's, these functions are also there on the host, where they make the same numbers.
#if defined(__CUDA__)
#define VX_RAND static __inline__ __host__ __device__ __attribute__((always_inline, __nodebug__))
#else
#define VX_RAND static __inline__
#endif

#define CURAND_2POW32_INV 0x1p-32f
#define CURAND_2POW32_INV_DOUBLE 0x1p-32
#define CURAND_2POW53_INV_DOUBLE 0x1p-53
#define CURAND_2PI 6.2831855f
#define CURAND_2POW32_INV_2PI (CURAND_2POW32_INV * CURAND_2PI)

/// How the functions of a state get their random bits.
enum __vx_rand_kind {
  __vx_rand_pseudo, ///< curand() has 32 bits; a normal value is half of a pair that two calls make.
  __vx_rand_quasi32, ///< curand() has 32 bits; every value is made of one call.
  __vx_rand_quasi64  ///< curand() has 64 bits; every value is made of one call.
};

/// The kind of a type of states: specialised next to each of them.
template <typename State> struct __vx_rand_state;

#define VX_RAND_STATE(STATE, KIND)                                                                 \
  template <> struct __vx_rand_state<STATE> {                                                      \
    static constexpr __vx_rand_kind kind = KIND;                                                   \
  };

/// A result type T for functions that are there for one kind of states.
template <bool Kind, typename T> struct __vx_rand_if;
template <typename T> struct __vx_rand_if<true, T> {
  typedef T type;
};
#define VX_RAND_PSEUDO(T)                                                                          \
  typename __vx_rand_if<__vx_rand_state<State>::kind == __vx_rand_pseudo, T>::type
#define VX_RAND_QUASI(T)                                                                           \
  typename __vx_rand_if<__vx_rand_state<State>::kind != __vx_rand_pseudo, T>::type

#endif // VX_CURAND_GLOBALS_H
