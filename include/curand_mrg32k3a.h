// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MRG32k3a: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators", 1999: the difference of two recurrences of order 3.

#ifndef VX_CURAND_MRG32K3A_H
#define VX_CURAND_MRG32K3A_H

#include "curand_globals.h"
#include "vx/rand/mrg32k3a_jumps.h"

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
VX_RAND_STATE(curandStateMRG32k3a, __vx_rand_pseudo)

/// 1 / m1: takes [1, m1] to (0, 1].
#define MRG32K3A_NORM (2.3283065498378288e-10)
/// Spreads [1, m1] over 32 bits.
#define MRG32K3A_BITS_NORM 1.000000048662

/// The modulus of component 0 or 1.
VX_RAND unsigned __vx_rand_mrg_modulus(int component) {
  return component == 0 ? 4294967087u : 4294944443u;
}

/// x modulo the modulus of COMPONENT, without a division: 2^32 is 209 or 22853 there.
VX_RAND unsigned __vx_rand_mrg_reduce(unsigned long long x, int component) {
  const unsigned modulus = __vx_rand_mrg_modulus(component), fold = 0u - modulus;
  x = (x >> 32) * fold + (unsigned)x;
  x = (x >> 32) * fold + (unsigned)x;
  return (unsigned)(x >= modulus ? x - modulus : x);
}

VX_RAND unsigned __vx_rand_mrg_product(unsigned a, unsigned b, int component) {
  return __vx_rand_mrg_reduce((unsigned long long)a * b, component);
}

/// The next number of L'Ecuyer's generator, from 1 to the first modulus.
VX_RAND double curand_MRG32k3a(curandStateMRG32k3a_t *state) {
  const unsigned m1 = __vx_rand_mrg_modulus(0), m2 = __vx_rand_mrg_modulus(1);
  unsigned *s1 = state->s1, *s2 = state->s2;
  unsigned p1 =
      __vx_rand_mrg_reduce(1403580ull * s1[1] + 810728ull * (unsigned long long)(m1 - s1[0]), 0);
  unsigned p2 =
      __vx_rand_mrg_reduce(527612ull * s2[2] + 1370589ull * (unsigned long long)(m2 - s2[0]), 1);
  s1[0] = s1[1];
  s1[1] = s1[2];
  s1[2] = p1;
  s2[0] = s2[1];
  s2[1] = s2[2];
  s2[2] = p2;
  return p1 - p2 + (p1 <= p2 ? m1 : 0u);
}

VX_RAND unsigned curand(curandStateMRG32k3a_t *state) {
  return (unsigned)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

/// Skips n times 2^FIRST numbers.
VX_RAND void __vx_rand_mrg_jump(unsigned long long n, int first, curandStateMRG32k3a_t *state) {
  for (int i = first; n != 0; ++i, n >>= 1) {
    if ((n & 1) == 0)
      continue;
#pragma unroll
    for (int component = 0; component < 2; ++component) {
      unsigned *s = component == 0 ? state->s1 : state->s2;
      const unsigned (*matrix)[3] = __vx_rand_mrg32k3a_jumps[i][component];
      unsigned next[3];
      for (int row = 0; row < 3; ++row) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; ++k)
          sum += __vx_rand_mrg_product(matrix[row][k], s[k], component);
        next[row] = __vx_rand_mrg_reduce(sum, component);
      }
      for (int k = 0; k < 3; ++k)
        s[k] = next[k];
    }
  }
}

/// Skips n numbers.
VX_RAND void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  __vx_rand_mrg_jump(n, 0, state);
}

/// Skips n subsequences of 2^76 numbers.
VX_RAND void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __vx_rand_mrg_jump(n, 76, state);
}

/// Skips n sequences of 2^127 numbers.
VX_RAND void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  __vx_rand_mrg_jump(n, 127, state);
}

/// L'Ecuyer's initial state, multiplied by cuRAND's hash of a seed that is not 0.
VX_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                         unsigned long long offset, curandStateMRG32k3a_t *state) {
  const unsigned x[2] = {(unsigned)seed ^ 0x55555555u, (unsigned)(seed >> 32) ^ 0xaaaaaaaau};
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = seed == 0 ? 12345u : __vx_rand_mrg_product(x[i & 1], 12345u, 0);
    state->s2[i] = seed == 0 ? 12345u : __vx_rand_mrg_product(x[(i & 1) ^ 1], 12345u, 1);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif // VX_CURAND_MRG32K3A_H
