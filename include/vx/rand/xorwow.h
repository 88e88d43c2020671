// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XORWOW: Marsaglia, "Xorshift RNGs", 2003: a xorshift of 160 bits, and a Weyl sequence that is
// added.

#ifndef VX_RAND_XORWOW_H
#define VX_RAND_XORWOW_H

#include "curand_globals.h"
#include "vx/rand/xorwow_jumps.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
VX_RAND_STATE(curandStateXORWOW, __vx_rand_pseudo)

VX_RAND void __vx_rand_xorwow_step(unsigned v[5]) {
  unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

VX_RAND unsigned curand(curandStateXORWOW_t *state) {
  __vx_rand_xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}

/// Takes the registers n steps on (TABLE 0), or n subsequences (TABLE 1).
VX_RAND void __vx_rand_xorwow_jump(unsigned v[5], unsigned long long n, int table) {
  for (int digit = 0; n != 0; ++digit, n >>= 4) {
    if ((n & 15) == 0)
      continue;
    const unsigned *polynomial = __vx_rand_xorwow_jumps[table][digit][(n & 15) - 1];
    unsigned sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; ++word) {
      unsigned bits = polynomial[word];
#pragma unroll 1
      for (int i = 0; i < 32; ++i, bits >>= 1) {
        unsigned mask = 0u - (bits & 1);
        for (int k = 0; k < 5; ++k)
          sum[k] ^= v[k] & mask;
        __vx_rand_xorwow_step(v);
      }
    }
    for (int k = 0; k < 5; ++k)
      v[k] = sum[k];
  }
}

/// Skips n numbers.
VX_RAND void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  __vx_rand_xorwow_jump(state->v, n, 0);
  state->d += 362437u * (unsigned)n;
}

/// Skips n subsequences of 2^67 numbers. The Weyl sequence comes back to where it is.
VX_RAND void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  __vx_rand_xorwow_jump(state->v, n, 1);
}

/// Marsaglia's initial state, changed by cuRAND's hash of the seed.
VX_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                         unsigned long long offset, curandStateXORWOW_t *state) {
  unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
  unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif // VX_RAND_XORWOW_H
