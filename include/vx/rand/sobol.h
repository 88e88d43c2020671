// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol sequences in the order of the Gray code (Antonov and Saleev, 1979), of 32 and 64 bits,
// plain and scrambled. The direction vectors are those that the program gives.

#ifndef VX_RAND_SOBOL_H
#define VX_RAND_SOBOL_H

#include "curand.h"
#include "curand_globals.h"

// i: the index of the next number; x: the number; c: the scrambling constant, or 0.
#define VX_RAND_SOBOL_STATE(NAME, WORD, BITS)                                                      \
  struct NAME {                                                                                    \
    WORD i, x, c;                                                                                  \
    WORD direction_vectors[BITS];                                                                  \
  };                                                                                               \
  typedef struct NAME NAME##_t;                                                                    \
  VX_RAND_STATE(NAME, __vx_rand_quasi##BITS)

/// The index of the lowest bit that is 0; the last one if there is none.
VX_RAND int __vx_rand_lowest_zero(unsigned x) { return ~x ? __builtin_ctz(~x) : 31; }
VX_RAND int __vx_rand_lowest_zero(unsigned long long x) { return ~x ? __builtin_ctzll(~x) : 63; }

#define VX_RAND_SOBOL_FUNCTIONS(NAME, WORD, BITS)                                                  \
  VX_RAND WORD curand(NAME##_t *state) {                                                           \
    WORD result = state->x;                                                                        \
    state->x ^= state->direction_vectors[__vx_rand_lowest_zero(state->i)];                         \
    ++state->i;                                                                                    \
    return result;                                                                                 \
  }                                                                                                \
  /* Skips n numbers. */                                                                           \
  VX_RAND void skipahead(WORD n, NAME##_t *state) {                                                \
    state->i += n;                                                                                 \
    WORD gray = state->i ^ (state->i >> 1);                                                        \
    state->x = state->c;                                                                           \
    for (int k = 0; k < BITS; ++k)                                                                 \
      state->x ^= (gray >> k & 1) ? state->direction_vectors[k] : 0;                               \
  }                                                                                                \
  VX_RAND void __vx_rand_init(const WORD *vectors, WORD scramble, WORD offset, NAME##_t *state) {  \
    state->i = 0;                                                                                  \
    state->c = scramble;                                                                           \
    for (int k = 0; k < BITS; ++k)                                                                 \
      state->direction_vectors[k] = vectors[k];                                                    \
    skipahead(offset, state);                                                                      \
  }

VX_RAND_SOBOL_STATE(curandStateSobol32, unsigned, 32)
VX_RAND_SOBOL_STATE(curandStateScrambledSobol32, unsigned, 32)
VX_RAND_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
VX_RAND_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
VX_RAND_SOBOL_FUNCTIONS(curandStateSobol32, unsigned, 32)
VX_RAND_SOBOL_FUNCTIONS(curandStateScrambledSobol32, unsigned, 32)
VX_RAND_SOBOL_FUNCTIONS(curandStateSobol64, unsigned long long, 64)
VX_RAND_SOBOL_FUNCTIONS(curandStateScrambledSobol64, unsigned long long, 64)
#undef VX_RAND_SOBOL_STATE
#undef VX_RAND_SOBOL_FUNCTIONS

VX_RAND void curand_init(curandDirectionVectors32_t vectors, unsigned offset,
                         curandStateSobol32_t *state) {
  __vx_rand_init(vectors, 0, offset, state);
}
VX_RAND void curand_init(curandDirectionVectors32_t vectors, unsigned scramble, unsigned offset,
                         curandStateScrambledSobol32_t *state) {
  __vx_rand_init(vectors, scramble, offset, state);
}
VX_RAND void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset,
                         curandStateSobol64_t *state) {
  __vx_rand_init(vectors, 0, offset, state);
}
VX_RAND void curand_init(curandDirectionVectors64_t vectors, unsigned long long scramble,
                         unsigned long long offset, curandStateScrambledSobol64_t *state) {
  __vx_rand_init(vectors, scramble, offset, state);
}

#endif // VX_RAND_SOBOL_H
