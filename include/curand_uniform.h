// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniform values in (0, 1] of cuRAND's states; included by curand_kernel.h.

#ifndef VX_CURAND_UNIFORM_H
#define VX_CURAND_UNIFORM_H

#include "curand_mrg32k3a.h"
#include "curand_philox4x32_x.h"
#include "vx/rand/sobol.h"
#include "vx/rand/xorwow.h"

VX_RAND float _curand_uniform(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
VX_RAND float _curand_uniform(unsigned long long x) { return _curand_uniform((unsigned)(x >> 32)); }
VX_RAND double _curand_uniform_double(unsigned x) { return (double)x * 0x1p-32 + 0x1p-32; }
VX_RAND double _curand_uniform_double(unsigned long long x) {
  return (double)(x >> 11) * 0x1p-53 + 0x1p-54;
}
/// 53 bits of two numbers.
VX_RAND double _curand_uniform_double_hq(unsigned x, unsigned y) {
  return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

template <typename State> VX_RAND float curand_uniform(State *state) {
  return _curand_uniform(curand(state));
}
VX_RAND float curand_uniform(curandStateMRG32k3a_t *state) {
  return (float)(curand_MRG32k3a(state) * MRG32K3A_NORM);
}

/// Takes one number for each, of 32 bits or of 64; XORWOW takes two.
template <typename State> VX_RAND double curand_uniform_double(State *state) {
  return _curand_uniform_double(curand(state));
}
VX_RAND double curand_uniform_double(curandStateXORWOW_t *state) {
  unsigned x = curand(state), y = curand(state);
  return _curand_uniform_double_hq(x, y);
}
VX_RAND double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return curand_MRG32k3a(state) * MRG32K3A_NORM;
}

VX_RAND float4 _curand_uniform4(uint4 x) {
  return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                     _curand_uniform(x.w));
}
VX_RAND float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  return _curand_uniform4(curand4(state));
}
VX_RAND double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
VX_RAND double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

#endif // VX_CURAND_UNIFORM_H
