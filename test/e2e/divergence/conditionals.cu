// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: %vxcc -O3 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
// RUN: %vxcc -O0 --emit=elf %s -o %t.elf && %vx_objdump --check-divergence %t.elf
//
// Ifs that diverge: nested, chained, with empty arms, selects of every type, short-circuit && and
// || with side effects, conditions that are uniform for some warps only.

#include "../Inputs/harness.h"

__host__ __device__ unsigned nested(unsigned a, unsigned b) {
  unsigned r = 0;
  if (a & 1) {
    r += 1;
    if (b & 1) {
      r += 10;
      if ((a ^ b) & 2) {
        r *= 7;
        if (a & 4)
          r += 3;
        else if (b & 4)
          r ^= a;
      } else {
        r -= b & 15;
      }
      r += 100;
    } else if (b & 2) {
      r ^= 0x55;
    }
    r = r * 3 + 1;
  } else if (a & 2) {
    if (b & 8)
      r = a % 13;
    r += 5;
  } else {
    r = b % 11;
    if (r > 5)
      r += a & 0xff;
  }
  return r;
}

__host__ __device__ unsigned ladder(unsigned a, unsigned b) {
  unsigned k = a % 12;
  if (k == 0)
    return b;
  else if (k < 3)
    return b * 2;
  else if (k == 5 || k == 7)
    return b ^ a;
  else if (k > 9 && (b & 1))
    return 17;
  else if (k > 9)
    return a - b;
  return k;
}

__host__ __device__ __attribute__((noinline)) bool countCall(unsigned &calls, bool result) {
  ++calls;
  return result;
}

__host__ __device__ unsigned shortCircuit(unsigned a, unsigned b) {
  unsigned calls = 0, r = 0;
  if (countCall(calls, a & 1) && countCall(calls, a & 2) && countCall(calls, b & 1))
    r |= 1;
  if (countCall(calls, a & 4) || countCall(calls, a & 8) || countCall(calls, b & 2))
    r |= 2;
  if ((countCall(calls, a & 16) && countCall(calls, b & 4)) ||
      (countCall(calls, a & 32) && !countCall(calls, b & 8)))
    r |= 4;
  if (!(countCall(calls, b & 16) || (countCall(calls, b & 32) && countCall(calls, a & 64))))
    r |= 8;
  while (calls < 40 && (countCall(calls, (a >> (calls % 31)) & 1) || countCall(calls, b & 1)))
    r += 16;
  return r * 100 + calls;
}

__host__ __device__ unsigned selects(unsigned a, unsigned b) {
  int i = static_cast<int>(a) < static_cast<int>(b) ? static_cast<int>(a) : static_cast<int>(b);
  long long l = (a & 1) ? (static_cast<long long>(a) << 20) : -static_cast<long long>(b);
  float f = (b & 1) ? static_cast<float>(a % 1000) : static_cast<float>(b % 1000) * 0.5f;
  double d = f > 250.0f ? f * 2.0 : f - 1.0;
  unsigned char c = a > b ? a : b;
  bool flag = (a & 2) ? b > 100 : a < 100;
  short s = flag ? static_cast<short>(a) : static_cast<short>(-1);
  int absolute = i < 0 ? -(i + 1) : i;
  unsigned m = a > b ? a : b;
  unsigned n = static_cast<int>(a) > 0 ? 1 : 0;
  return static_cast<unsigned>(l) + static_cast<unsigned>(l >> 32) +
         static_cast<unsigned>(static_cast<int>(d * 4)) + c + s + absolute + m * 3 + n + flag;
}

__host__ __device__ unsigned minimaMaxima(unsigned a, unsigned b) {
  int x = static_cast<int>(a), y = static_cast<int>(b);
  int low = x < y ? x : y, high = x > y ? x : y;
  unsigned ulow = a < b ? a : b;
  long long wide = static_cast<long long>(x) * y;
  long long clamped = wide < -1000000 ? -1000000 : wide > 1000000 ? 1000000 : wide;
  double p = x * 0.25, q = y * 0.5;
  double m = p < q ? p : q;
  return static_cast<unsigned>(high - (low >> 1)) + ulow + static_cast<unsigned>(clamped) +
         static_cast<unsigned>(static_cast<long long>(m));
}

__host__ __device__ unsigned emptyArms(unsigned a, unsigned b) {
  unsigned r = a;
  if (a & 1) {
  } else {
    r += b;
  }
  if (b & 1)
    ;
  if (a % 3 == 0 && b % 3 == 0) {
    r = ~r;
  }
  bool odd = (a ^ b) & 1;
  if (odd)
    if (a & 4)
      r -= 9;
  return r;
}

int main() {
  COMPARE(nested);
  COMPARE(ladder);
  COMPARE(shortCircuit);
  COMPARE(selects);
  COMPARE(minimaMaxima);
  COMPARE(emptyArms);
  return finish();
}
