// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson values of cuRAND's states, and values of distributions that the host has prepared;
// included by curand_kernel.h.

#ifndef VX_CURAND_POISSON_H
#define VX_CURAND_POISSON_H

#include "curand_normal.h"

/// Knuth, The Art of Computer Programming, volume 2: factors in (0, 1] until the product is small
/// enough.
template <typename State> VX_RAND unsigned __vx_rand_poisson_knuth(State *state, float lambda) {
  unsigned k = 0;
  float product = expf(lambda);
  do {
    ++k;
    product *= curand_uniform(state);
  } while (product > 1.0f);
  return k - 1;
}

/// Hörmann, "The transformed rejection method for generating Poisson random variables", 1993: PTRS.
template <typename State>
VX_RAND unsigned __vx_rand_poisson_rejection(State *state, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double scale = 1.1239 + 1.1328 / (b - 3.4), fit = 0.9277 - 3.6224 / (b - 2.0);
  const double logLambda = log(lambda);
  while (true) {
    double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    double distance = 0.5 - fabs(u);
    double k = floor((2.0 * a / distance + b) * u + lambda + 0.43);
    if (distance >= 0.07 && v <= fit)
      return (unsigned)k;
    if (k < 0.0 || (distance < 0.013 && v > distance))
      continue;
    if (log(v) + log(scale) - log(a / (distance * distance) + b) <=
        k * logLambda - lambda - lgamma(k + 1.0))
      return (unsigned)k;
  }
}

VX_RAND unsigned __vx_rand_poisson_of_normal(double normal, double lambda) {
  double value = sqrt(lambda) * normal + lambda + 0.5;
  return value > 0 ? (unsigned)value : 0u;
}

/// Inverts the distribution at u in (0, 1) by adding up its terms. Their common factor exp(-lambda)
/// is taken in steps that do not underflow.
VX_RAND unsigned __vx_rand_poisson_inverse(double u, double lambda) {
  double term = 1.0, sum = 1.0, left = lambda;
  unsigned k = 0;
  do {
    double step = left > 500.0 ? 500.0 : left, factor = exp(-step);
    term *= factor;
    sum *= factor;
    left -= step;
    while (u > sum && term > 0) {
      ++k;
      term *= lambda / k;
      sum += term;
    }
  } while (left > 0);
  return k;
}
VX_RAND double __vx_rand_open_uniform(unsigned x) { return (double)x * 0x1p-32 + 0x1p-33; }
VX_RAND double __vx_rand_open_uniform(unsigned long long x) {
  return (double)(x >> 11) * 0x1p-53 + 0x1p-55;
}

template <typename State>
VX_RAND VX_RAND_PSEUDO(unsigned) curand_poisson(State *state, double lambda) {
  if (lambda < 64)
    return __vx_rand_poisson_knuth(state, (float)lambda);
  if (lambda > 4000)
    return __vx_rand_poisson_of_normal(curand_normal_double(state), lambda);
  return __vx_rand_poisson_rejection(state, lambda);
}
template <typename State>
VX_RAND VX_RAND_QUASI(unsigned) curand_poisson(State *state, double lambda) {
  auto x = curand(state);
  if (lambda < 1000)
    return __vx_rand_poisson_inverse(__vx_rand_open_uniform(x), lambda);
  return __vx_rand_poisson_of_normal(_curand_normal_icdf_double(x), lambda);
}
VX_RAND uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  unsigned k[4];
#pragma unroll 1
  for (int i = 0; i < 4; ++i)
    k[i] = curand_poisson(state, lambda);
  return make_uint4(k[0], k[1], k[2], k[3]);
}

#endif // VX_CURAND_POISSON_H
