// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sobol.h"
#include <array>

namespace vx::rand {
namespace {

/// A primitive polynomial modulo 2, x^degree + … + 1 with the bits of MIDDLE between, and the first
/// odd integers of its recurrence.
struct Dimension {
  int degree;
  unsigned middle;
  unsigned initial[7];
};

/// Joe and Kuo's search criterion D(6); the first dimension is van der Corput's sequence.
constexpr Dimension kDimensions[kSobolDimensions] = {
    {0, 0, {}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/// Vector k is integer k of the recurrence as a fraction of k + 1 bits, at the top of a word.
template <class Word> std::array<Word[8 * sizeof(Word)], kSobolDimensions> makeVectors() {
  constexpr int bits = 8 * sizeof(Word);
  std::array<Word[bits], kSobolDimensions> all;
  for (unsigned d = 0; d < kSobolDimensions; ++d) {
    const Dimension &dimension = kDimensions[d];
    const int degree = dimension.degree;
    Word *v = all[d];
    for (int k = 0; k < bits; ++k) {
      if (degree == 0 || k < degree) {
        v[k] = Word(degree == 0 ? 1 : dimension.initial[k]) << (bits - 1 - k);
        continue;
      }
      v[k] = v[k - degree] ^ (v[k - degree] >> degree);
      for (int i = 1; i < degree; ++i)
        if (dimension.middle >> (degree - 1 - i) & 1)
          v[k] ^= v[k - i];
    }
  }
  return all;
}

} // namespace

curandDirectionVectors32_t *sobolVectors32() {
  static auto vectors = makeVectors<unsigned>();
  return vectors.data();
}

curandDirectionVectors64_t *sobolVectors64() {
  static auto vectors = makeVectors<unsigned long long>();
  return vectors.data();
}

} // namespace vx::rand
