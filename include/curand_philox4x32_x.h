// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011: a counter of
// 128 bits that ten rounds of multiplications encrypt with a key of 64.

#ifndef VX_CURAND_PHILOX4X32_X_H
#define VX_CURAND_PHILOX4X32_X_H

#include "curand_globals.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr;      ///< The block that output is of.
  uint4 output;   ///< Four numbers.
  uint2 key;      ///< The seed.
  unsigned STATE; ///< How many numbers of output are used up: 0 to 3.
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
VX_RAND_STATE(curandStatePhilox4_32_10, __vx_rand_pseudo)

VX_RAND uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = make_uint4((unsigned)(b >> 32) ^ counter.y ^ key.x, (unsigned)b,
                         (unsigned)(a >> 32) ^ counter.w ^ key.y, (unsigned)a);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

/// Adds n blocks to the counter, n times 2^64 blocks if HIGH.
VX_RAND void __vx_rand_philox_advance(curandStatePhilox4_32_10_t *state, unsigned long long n,
                                      bool high) {
  unsigned long long words[2] = {(unsigned long long)state->ctr.y << 32 | state->ctr.x,
                                 (unsigned long long)state->ctr.w << 32 | state->ctr.z};
  if (high)
    words[1] += n;
  else
    words[1] += (words[0] += n) < n;
  state->ctr = make_uint4((unsigned)words[0], (unsigned)(words[0] >> 32), (unsigned)words[1],
                          (unsigned)(words[1] >> 32));
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

VX_RAND unsigned curand(curandStatePhilox4_32_10_t *state) {
  const uint4 x = state->output;
  unsigned result = state->STATE == 0   ? x.x
                    : state->STATE == 1 ? x.y
                    : state->STATE == 2 ? x.z
                                        : x.w;
  if (++state->STATE == 4) {
    state->STATE = 0;
    __vx_rand_philox_advance(state, 1, false);
  }
  return result;
}

/// Four numbers at once: the next four, wherever in a block the sequence is.
VX_RAND uint4 curand4(curandStatePhilox4_32_10_t *state) {
  const uint4 a = state->output;
  __vx_rand_philox_advance(state, 1, false);
  const uint4 b = state->output;
  switch (state->STATE) {
  case 1:
    return make_uint4(a.y, a.z, a.w, b.x);
  case 2:
    return make_uint4(a.z, a.w, b.x, b.y);
  case 3:
    return make_uint4(a.w, b.x, b.y, b.z);
  default:
    return a;
  }
}

/// Skips n numbers.
VX_RAND void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  unsigned place = state->STATE + (unsigned)(n & 3);
  state->STATE = place & 3;
  __vx_rand_philox_advance(state, n / 4 + place / 4, false);
}

/// Skips n subsequences of 2^66 numbers.
VX_RAND void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  __vx_rand_philox_advance(state, n, true);
}

VX_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                         unsigned long long offset, curandStatePhilox4_32_10_t *state) {
  state->ctr = make_uint4(0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32));
  state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  state->STATE = 0;
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif // VX_CURAND_PHILOX4X32_X_H
