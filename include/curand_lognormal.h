// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Log-normal values of cuRAND's states; included by curand_kernel.h.

#ifndef VX_CURAND_LOGNORMAL_H
#define VX_CURAND_LOGNORMAL_H

#include "curand_normal.h"

// The second value of a pair waits in the state, with the mean and the deviation of the first call.
#define VX_RAND_LOG_NORMAL(T, SUFFIX, EXP)                                                         \
  template <typename State>                                                                        \
  VX_RAND VX_RAND_PSEUDO(T##2) curand_log_normal2##SUFFIX(State *state, T mean, T stddev) {        \
    T##2 pair = curand_box_muller##SUFFIX(state);                                                  \
    return make_##T##2(EXP(mean + stddev * pair.x), EXP(mean + stddev * pair.y));                  \
  }                                                                                                \
  VX_RAND T##4 curand_log_normal4##SUFFIX(curandStatePhilox4_32_10_t *state, T mean, T stddev) {   \
    T##4 z = curand_normal4##SUFFIX(state);                                                        \
    return make_##T##4(EXP(mean + stddev * z.x), EXP(mean + stddev * z.y),                         \
                       EXP(mean + stddev * z.z), EXP(mean + stddev * z.w));                        \
  }                                                                                                \
  template <typename State>                                                                        \
  VX_RAND VX_RAND_PSEUDO(T) curand_log_normal##SUFFIX(State *state, T mean, T stddev) {            \
    if (state->boxmuller_flag##SUFFIX == EXTRA_FLAG_LOG_NORMAL) {                                  \
      state->boxmuller_flag##SUFFIX = 0;                                                           \
      return state->boxmuller_extra##SUFFIX;                                                       \
    }                                                                                              \
    T##2 pair = curand_log_normal2##SUFFIX(state, mean, stddev);                                   \
    state->boxmuller_extra##SUFFIX = pair.y;                                                       \
    state->boxmuller_flag##SUFFIX = EXTRA_FLAG_LOG_NORMAL;                                         \
    return pair.x;                                                                                 \
  }                                                                                                \
  template <typename State>                                                                        \
  VX_RAND VX_RAND_QUASI(T) curand_log_normal##SUFFIX(State *state, T mean, T stddev) {             \
    return EXP(mean + stddev * curand_normal##SUFFIX(state));                                      \
  }

VX_RAND_LOG_NORMAL(float, , expf)
VX_RAND_LOG_NORMAL(double, _double, exp)
#undef VX_RAND_LOG_NORMAL

#endif // VX_CURAND_LOGNORMAL_H
