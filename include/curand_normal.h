// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal values of cuRAND's states; included by curand_kernel.h. Pseudorandom states make pairs by
// the method of Box and Muller; the second value of a pair waits in the state. Quasirandom states
// go through the inverse of the distribution, which keeps their structure.

#ifndef VX_CURAND_NORMAL_H
#define VX_CURAND_NORMAL_H

#include "curand_uniform.h"

// What boxmuller_flag says of boxmuller_extra.
#define EXTRA_FLAG_NORMAL 1
#define EXTRA_FLAG_LOG_NORMAL 2

/// A pair of normal values of u in (0, 1] and an angle.
VX_RAND float2 __vx_rand_box_muller(float u, float angle) {
  float sine, cosine, radius = sqrtf(-2.0f * logf(u));
  sincosf(angle, &sine, &cosine);
  return make_float2(sine * radius, cosine * radius);
}
/// Does the same in double; the angle is in halves of a turn.
VX_RAND double2 __vx_rand_box_muller_double(double u, double angle) {
  double sine, cosine, radius = sqrt(-2.0 * log(u));
#if defined(__CUDA_ARCH__)
  sincospi(angle, &sine, &cosine);
#else
  sine = sin(angle * 3.1415926535897932);
  cosine = cos(angle * 3.1415926535897932);
#endif
  return make_double2(sine * radius, cosine * radius);
}

VX_RAND float2 _curand_box_muller(unsigned x, unsigned y) {
  return __vx_rand_box_muller(_curand_uniform(x),
                              (float)y * CURAND_2POW32_INV_2PI + CURAND_2POW32_INV_2PI / 2);
}
VX_RAND double2 _curand_box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  return __vx_rand_box_muller_double(_curand_uniform_double_hq(x0, x1),
                                     2 * _curand_uniform_double_hq(y0, y1));
}

template <typename State> VX_RAND float2 curand_box_muller(State *state) {
  unsigned x = curand(state), y = curand(state);
  return _curand_box_muller(x, y);
}
VX_RAND float2 curand_box_muller(curandStateMRG32k3a_t *state) {
  float x = curand_uniform(state), y = curand_uniform(state);
  return __vx_rand_box_muller(x, y * CURAND_2PI);
}
template <typename State> VX_RAND double2 curand_box_muller_double(State *state) {
  unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return _curand_box_muller_double(x0, x1, y0, y1);
}
VX_RAND double2 curand_box_muller_double(curandStateMRG32k3a_t *state) {
  double x = curand_uniform_double(state), y = curand_uniform_double(state);
  return __vx_rand_box_muller_double(x, y * 2.0);
}

template <typename State> VX_RAND VX_RAND_PSEUDO(float2) curand_normal2(State *state) {
  return curand_box_muller(state);
}
template <typename State> VX_RAND VX_RAND_PSEUDO(double2) curand_normal2_double(State *state) {
  return curand_box_muller_double(state);
}
VX_RAND float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
VX_RAND double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_box_muller_double(state), b = curand_box_muller_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

template <typename State> VX_RAND VX_RAND_PSEUDO(float) curand_normal(State *state) {
  if (state->boxmuller_flag == EXTRA_FLAG_NORMAL) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 pair = curand_box_muller(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = EXTRA_FLAG_NORMAL;
  return pair.x;
}
template <typename State> VX_RAND VX_RAND_PSEUDO(double) curand_normal_double(State *state) {
  if (state->boxmuller_flag_double == EXTRA_FLAG_NORMAL) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  double2 pair = curand_box_muller_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;
  return pair.x;
}

/// The inverse of the distribution at p in (0, 0.5]. On the host: Acklam's rational approximation,
/// and one step of Halley's method.
VX_RAND double __vx_rand_normal_inverse(double p) {
#if defined(__CUDA_ARCH__)
  return normcdfinv(p);
#else
  double z;
  if (p < 0.02425) {
    double q = sqrt(-2 * log(p));
    z = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q -
           2.549732539343734) *
              q +
          4.374664141464968) *
             q +
         2.938163982698783) /
        ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q +
          3.754408661907416) *
             q +
         1);
  } else {
    double q = p - 0.5, r = q * q;
    z = (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
           1.383577518672690e+02) *
              r -
          3.066479806614716e+01) *
             r +
         2.506628277459239) *
        q /
        (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
           6.680131188771972e+01) *
              r -
          1.328068155288572e+01) *
             r +
         1);
  }
  double step = (0.5 * erfc(-z * 0.7071067811865476) - p) * 2.5066282746310002 * exp(z * z / 2);
  return z - step / (1 + z * step / 2);
#endif
}

// The inverse of the distribution at a number of 32 or 64 bits. The upper half is mirrored, so that
// both tails are equally exact.
VX_RAND float _curand_normal_icdf(unsigned x) {
  bool upper = x > 0x80000000u;
  float z = (float)__vx_rand_normal_inverse(_curand_uniform(upper ? ~x : x));
  return upper ? -z : z;
}
VX_RAND float _curand_normal_icdf(unsigned long long x) {
  return _curand_normal_icdf((unsigned)(x >> 32));
}
VX_RAND double _curand_normal_icdf_double(unsigned x) {
  bool upper = x > 0x80000000u;
  double z = __vx_rand_normal_inverse((double)(upper ? ~x : x) * 0x1p-32 + 0x1p-33);
  return upper ? -z : z;
}
VX_RAND double _curand_normal_icdf_double(unsigned long long x) {
  x >>= 11;
  bool upper = x > (1ull << 52);
  double z =
      __vx_rand_normal_inverse((double)(upper ? (1ull << 53) - 1 - x : x) * 0x1p-53 + 0x1p-54);
  return upper ? -z : z;
}
template <typename State> VX_RAND VX_RAND_QUASI(float) curand_normal(State *state) {
  return _curand_normal_icdf(curand(state));
}
template <typename State> VX_RAND VX_RAND_QUASI(double) curand_normal_double(State *state) {
  return _curand_normal_icdf_double(curand(state));
}

#endif // VX_CURAND_NORMAL_H
