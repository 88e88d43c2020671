// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generators of cuRAND as their papers have them, for comparison: one number at a time, and
// jumps by powers of the whole matrix of a step.

#ifndef TEST_LIBRARIES_RAND_REFERENCE_H
#define TEST_LIBRARIES_RAND_REFERENCE_H

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace reference {

/// Marsaglia's xorwow with cuRAND's seed; subsequences by squaring a matrix of 160 x 160 bits.
class Xorwow {
public:
  Xorwow(uint64_t seed, uint64_t subsequence) {
    uint32_t a = (uint32_t(seed) ^ 0xaad26b49u) * 1099087573u;
    uint32_t b = (uint32_t(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    weyl = 6615241u + b + a;
    v = {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a};
    for (int i = 0; subsequence >> i; ++i)
      if (subsequence >> i & 1)
        v = apply(jumps()[i], v);
  }
  uint32_t next() {
    v = step(v);
    return v[4] + (weyl += 362437);
  }

private:
  typedef std::array<uint32_t, 5> State;
  typedef std::vector<State> Matrix; ///< The images of the 160 bits.

  static State step(State v) {
    uint32_t t = v[0] ^ v[0] >> 2;
    return {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4 ^ t ^ t << 1};
  }
  static State apply(const Matrix &matrix, const State &v) {
    State result = {};
    for (int i = 0; i < 160; ++i)
      if (v[i / 32] >> i % 32 & 1)
        for (int k = 0; k < 5; ++k)
          result[k] ^= matrix[i][k];
    return result;
  }
  static Matrix square(const Matrix &matrix) {
    Matrix result;
    for (const State &image : matrix)
      result.push_back(apply(matrix, image));
    return result;
  }
  /// Returns jumps by 2^67 times 1, 2, 4, …
  static const std::vector<Matrix> &jumps() {
    static const std::vector<Matrix> powers = [] {
      Matrix matrix;
      for (int i = 0; i < 160; ++i) {
        State bit = {};
        bit[i / 32] = 1u << i % 32;
        matrix.push_back(step(bit));
      }
      for (int i = 0; i < 67; ++i)
        matrix = square(matrix);
      std::vector<Matrix> powers = {matrix};
      while (powers.size() < 64)
        powers.push_back(square(powers.back()));
      return powers;
    }();
    return powers;
  }

  State v;
  uint32_t weyl;
};

/// L'Ecuyer's MRG32k3a with cuRAND's seed; subsequences of 2^76.
class Mrg32k3a {
public:
  static constexpr int64_t kModulus = 4294967087;

  Mrg32k3a(uint64_t seed, uint64_t subsequence) {
    const uint64_t x = uint32_t(seed) ^ 0x55555555u, y = uint32_t(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      a[i] = 12345 * (i % 2 ? y : x) % m[0];
      b[i] = 12345 * (i % 2 ? x : y) % m[1];
    }
    jump(a, {{{0, 1, 0}, {0, 0, 1}, {m[0] - 810728, 1403580, 0}}}, m[0], subsequence);
    jump(b, {{{0, 1, 0}, {0, 0, 1}, {m[1] - 1370589, 0, 527612}}}, m[1], subsequence);
  }
  /// Returns 1 to kModulus.
  int64_t next() {
    uint64_t p = (1403580 * a[1] + (m[0] - 810728) * a[0]) % m[0];
    uint64_t q = (527612 * b[2] + (m[1] - 1370589) * b[0]) % m[1];
    a = {a[1], a[2], p};
    b = {b[1], b[2], q};
    return p > q ? p - q : p + m[0] - q;
  }

private:
  typedef std::array<std::array<uint64_t, 3>, 3> Matrix;

  static void jump(std::array<uint64_t, 3> &s, Matrix matrix, uint64_t modulus, uint64_t n) {
    for (int i = 0; i < 76 + 64; ++i) {
      if (i >= 76 && n >> (i - 76) & 1) {
        std::array<uint64_t, 3> next = {};
        for (int r = 0; r < 3; ++r)
          for (int k = 0; k < 3; ++k)
            next[r] = (next[r] + matrix[r][k] * s[k] % modulus) % modulus;
        s = next;
      }
      Matrix square = {};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          for (int k = 0; k < 3; ++k)
            square[r][c] = (square[r][c] + matrix[r][k] * matrix[k][c] % modulus) % modulus;
      matrix = square;
    }
  }

  static constexpr uint64_t m[2] = {4294967087, 4294944443};
  std::array<uint64_t, 3> a, b;
};

/// Philox4x32-10, number by number: the block is the number's index over four.
class Philox {
public:
  Philox(uint64_t seed, uint64_t subsequence) : seed(seed), subsequence(subsequence) {}
  uint32_t next() {
    uint64_t block = index / 4;
    std::array<uint32_t, 4> x = encrypt({uint32_t(block), uint32_t(block >> 32),
                                         uint32_t(subsequence), uint32_t(subsequence >> 32)},
                                        {uint32_t(seed), uint32_t(seed >> 32)});
    return x[index++ % 4];
  }
  static std::array<uint32_t, 4> encrypt(std::array<uint32_t, 4> x, std::array<uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
      uint64_t a = uint64_t(0xd2511f53) * x[0], b = uint64_t(0xcd9e8d57) * x[2];
      x = {uint32_t(b >> 32) ^ x[1] ^ key[0], uint32_t(b), uint32_t(a >> 32) ^ x[3] ^ key[1],
           uint32_t(a)};
      key[0] += 0x9e3779b9;
      key[1] += 0xbb67ae85;
    }
    return x;
  }

private:
  uint64_t seed, subsequence, index = 0;
};

} // namespace reference

#endif // TEST_LIBRARIES_RAND_REFERENCE_H
