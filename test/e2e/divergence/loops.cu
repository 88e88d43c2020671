// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: %vxcc -O3 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
// RUN: %vxcc -O0 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
//
// Loops that lanes leave at different times: for, while, do; nested; break and continue at several
// depths; several exits; returns from inside; values that live out of the loop.

#include "../Inputs/harness.h"

__host__ __device__ unsigned tripCounts(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < a % 37; ++i)
    sum += i * b;
  unsigned k = b % 23;
  while (k > 0) {
    sum ^= k << (k % 9);
    k -= 1 + (sum & 1 & k >> 1);
  }
  unsigned n = a % 5;
  do
    sum = sum * 3 + n;
  while (n-- != 0);
  return sum;
}

__host__ __device__ unsigned nestedLoops(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < a % 9; ++i) {
    for (unsigned j = i; j < b % 11; j += 1 + (a >> j & 1)) {
      unsigned k = (a >> 8) % 4;
      while (k--)
        sum += i * j + k;
      if (sum & 64)
        sum += 3;
    }
    sum ^= i;
  }
  return sum;
}

__host__ __device__ unsigned breakContinue(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 40; ++i) {
    if ((a >> (i % 32)) & 1)
      continue;
    if (i > b % 40)
      break;
    for (unsigned j = 0; j < 10; ++j) {
      if (((b >> j) & 3) == 3)
        break;
      if ((i + j) % 3 == a % 3)
        continue;
      sum += i + j;
      if (sum % 97 == 5)
        goto nextOuter;
    }
    sum += 1000;
  nextOuter:
    sum ^= i;
  }
  return sum;
}

__host__ __device__ unsigned collatz(unsigned a, unsigned b) {
  unsigned n = a % 1000 + 1, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    if (++steps > 60 + b % 60)
      return 0xffff0000u | steps;
  }
  return steps;
}

__host__ __device__ unsigned multiExit(unsigned a, unsigned b) {
  unsigned x = a, y = b, r = 0;
  for (unsigned i = 0;; ++i) {
    if (i == 50) {
      r = 1;
      break;
    }
    x = x * 1664525u + 1013904223u;
    if ((x >> 28) == 3) {
      r = x;
      break;
    }
    y ^= x >> 7;
    if ((y & 31) == 9)
      return y + i;
    if ((y & 63) == 12) {
      r = y * 2;
      break;
    }
    if ((x & y & 15) == 15)
      r += i;
    else if ((x | y) == 0)
      return 3;
  }
  return r ^ x;
}

__host__ __device__ unsigned search(unsigned a, unsigned b) {
  unsigned best = ~0u, where = 0;
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j <= i; ++j) {
      unsigned value = mixed(a + i * 17 + j) % 512;
      if (value == b % 512)
        return i * 16 + j;
      if (value < best) {
        best = value;
        where = i * 16 + j;
      } else if (value > 508) {
        return ~where;
      }
    }
  return where << 16 | best;
}

__host__ __device__ unsigned greatestCommonDivisor(unsigned a, unsigned b) {
  a = a % 5000 + 1;
  b = b % 7000 + 1;
  while (b != 0) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

__host__ __device__ unsigned floatLoop(unsigned a, unsigned b) {
  double x = a % 1000 + 2.0, guess = b % 50 + 1.0;
  unsigned steps = 0;
  while (true) {
    double next = 0.5 * (guess + x / guess);
    double difference = next > guess ? next - guess : guess - next;
    guess = next;
    ++steps;
    if (!(difference > 1e-3) || steps == 60)
      break;
  }
  return static_cast<unsigned>(guess * 16 + 0.5) * 64 + steps;
}

int main() {
  COMPARE(tripCounts);
  COMPARE(nestedLoops);
  COMPARE(breakContinue);
  COMPARE(collatz);
  COMPARE(multiExit);
  COMPARE(search);
  COMPARE(greatestCommonDivisor);
  COMPARE(floatLoop);
  return finish();
}
