// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Discrete distributions that curandCreatePoissonDistribution has prepared; included by
// curand_kernel.h.

#ifndef VX_CURAND_DISCRETE_H
#define VX_CURAND_DISCRETE_H

#include "curand.h"
#include "curand_uniform.h"

/// Lies in memory of the device.
struct curandDiscreteDistribution_st {
  unsigned first;     ///< The smallest value.
  unsigned length;    ///< How many values there are from it on.
  const double *sums; ///< Their probabilities added up; the last one is 1.
};

/// The value at u in (0, 1]: the first one whose sum is not smaller.
VX_RAND unsigned __vx_rand_discrete(double u, const curandDiscreteDistribution_st *distribution) {
  unsigned low = 0, high = distribution->length - 1;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (u <= distribution->sums[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return distribution->first + low;
}

template <typename State>
VX_RAND unsigned curand_discrete(State *state, curandDiscreteDistribution_t distribution) {
  return __vx_rand_discrete(curand_uniform_double(state), distribution);
}
VX_RAND uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                               curandDiscreteDistribution_t distribution) {
  uint4 x = curand4(state);
  return make_uint4(__vx_rand_discrete(_curand_uniform_double(x.x), distribution),
                    __vx_rand_discrete(_curand_uniform_double(x.y), distribution),
                    __vx_rand_discrete(_curand_uniform_double(x.z), distribution),
                    __vx_rand_discrete(_curand_uniform_double(x.w), distribution));
}

#endif // VX_CURAND_DISCRETE_H
