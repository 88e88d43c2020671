// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of two registers (64 bits on RV32, 128 on RV64) and saturating ones where there are no
// conditional-zero instructions: comparisons, shifts, counts, against the host.
// RUN: %vxcc -O3 -I%inputs --vx-xlen=32,64 --vx-zicond=true,false %s -o %t
// RUN: env VX_SET=isa.zicond=false %run %t
// RUN: env VX_SET=isa.zicond=false,isa.xlen=32 %run %t
// RUN: env VX_SET=isa.xlen=32 %run %t

#include "harness.h"

typedef long long I;
typedef unsigned long long U;

/// Inputs at the edges: many high halves are equal.
__host__ __device__ inline U edge(unsigned a, unsigned b) {
  U high = a % 7 == 0 ? 0 : a % 7 == 1 ? ~0u : a % 7 == 2 ? 0x80000000u : a % 7 == 3 ? 0x7fffffffu : a;
  return high << 32 | (b % 5 == 0 ? 0 : b % 5 == 1 ? ~0u : b);
}

__host__ __device__ U compares(unsigned a, unsigned b) {
  U x = edge(a, b), y = edge(b, a * 3), z = edge(a, b ^ 1);
  return (x < y) | (x <= z) << 1 | (I(x) < I(y)) << 2 | (I(x) >= I(z)) << 3 | (x > z) << 4 |
         (I(x) <= I(y)) << 5 | (x == z) << 6 | (I(x) > I(z)) << 7;
}
__host__ __device__ U shifts(unsigned a, unsigned b) {
  U x = edge(a, b);
  unsigned n = a >> 3 & 63;
  return (x << n) ^ (x >> n) * 3 ^ U(I(x) >> n) * 5 ^ (x << n | x >> (-n & 63)) * 7;
}
__host__ __device__ U extremes(unsigned a, unsigned b) {
  U x = edge(a, b), y = edge(b * 5, a);
  U absolute = I(x) < 0 ? 0 - x : x, least = I(x) < I(y) ? x : y, most = x > y ? x : y;
  U sum = x + y < x ? ~U(0) : x + y, difference = x < y ? 0 : x - y;
  int order = I(x) < I(y) ? -1 : I(x) > I(y);
  return absolute + least * 3 + most * 5 + sum * 7 + difference * 11 + order;
}
__host__ __device__ U counts(unsigned a, unsigned b) {
  U x = edge(a, b);
  int leading = 0, trailing = 0;
#ifdef __CUDA_ARCH__
  leading = __clzll(I(x));
  trailing = __ffsll(I(x));
#else
  leading = x ? __builtin_clzll(x) : 64;
  trailing = __builtin_ffsll(I(x));
#endif
  return leading * 100 + trailing;
}
__host__ __device__ unsigned saturated(unsigned a, unsigned b) {
  unsigned sum = a + b < a ? ~0u : a + b, difference = a > b ? a - b : 0;
  I exact = I(int(a)) + int(b);
  int clamped = exact > 0x7fffffff ? 0x7fffffff : exact < -0x7fffffff - 1 ? -0x7fffffff - 1 : int(exact);
  return sum ^ difference * 3 ^ unsigned(clamped) * 5;
}
__host__ __device__ U wider(unsigned a, unsigned b) {
#ifdef __SIZEOF_INT128__
  __int128 x = (__int128)(I)edge(a, b) << 64 | edge(b, a), y = (__int128)(I)edge(a, b * 7) << 64 | edge(a, b);
  unsigned n = b & 127;
  unsigned __int128 v = (unsigned __int128)x;
  __int128 least = x < y ? x : y;
  U folded = U(least) ^ U(least >> 64) * 3 ^ U(v << n) ^ U((v << n) >> 64) ^ U(x >> n) * 5 ^ U((v >> n) >> 64) * 7;
  return folded + (x <= y) + (v > (unsigned __int128)y);
#else
  return 0;
#endif
}

int main() {
  compareWithHost<U, compares>("comparisons");
  compareWithHost<U, shifts>("shifts");
  compareWithHost<U, extremes>("extremes");
  compareWithHost<U, counts>("counts");
  compareWithHost<unsigned, saturated>("saturation");
  compareWithHost<U, wider>("128 bits");
  return finish();
}
