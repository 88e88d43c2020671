// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DPX functions on the device and on the host, against plain arithmetic; functions of <string.h> in
// device code against the C library's.
// RUN: %vxcc -O2 -I%inputs %s -o %t
// RUN: %shapes --few %t

#include "harness.h"
#include <algorithm>

// Small numbers are equal often, large ones overflow.
__host__ __device__ inline unsigned narrowed(unsigned x) {
  return x & 1 ? x : x & 0x00070007;
}
#define PAIRS(NAME)                                                                                \
  __host__ __device__ unsigned NAME##_(unsigned a, unsigned b) {                                   \
    return NAME(narrowed(a), narrowed(b), narrowed(a ^ b >> 7));                                   \
  }
PAIRS(__vimax3_s16x2)
PAIRS(__vimin3_u16x2)
PAIRS(__viaddmax_s16x2)
PAIRS(__viaddmin_u16x2)
PAIRS(__viaddmin_s16x2_relu)
PAIRS(__viaddmax_s16x2_relu)
PAIRS(__viaddmax_s32)
PAIRS(__viaddmin_u32)
PAIRS(__vimin3_s32_relu)

__host__ __device__ unsigned which(unsigned a, unsigned b) {
  bool first, high, low;
  unsigned x = __vibmax_s32((int)narrowed(a), (int)narrowed(b), &first);
  unsigned y = __vibmin_u16x2(narrowed(a), narrowed(b), &high, &low);
  return x * 3 + y * 5 + first + high * 2 + low * 4;
}

short part(unsigned x, int i) {
  return short(x >> 16 * i);
}
void checkValues() {
  for (unsigned i = 0; i < 2000; ++i) {
    unsigned a = narrowed(mixed(i)), b = narrowed(mixed(i + 1)), c = narrowed(mixed(i + 2));
    bool high, low;
    unsigned most = __vibmax_s16x2(a, b, &high, &low);
    for (int k = 0; k < 2; ++k) {
      short x = part(a, k), y = part(b, k), z = part(c, k), sum = short(x + y);
      expectEqual(part(__viaddmax_s16x2(a, b, c), k), std::max(sum, z), "__viaddmax_s16x2", i);
      expectEqual(part(__viaddmin_s16x2_relu(a, b, c), k), std::max(std::min(sum, z), short(0)),
                  "__viaddmin_s16x2_relu", i);
      expectEqual(part(__vimin3_s16x2(a, b, c), k), std::min({x, y, z}), "__vimin3_s16x2", i);
      expectEqual(part(most, k), std::max(x, y), "__vibmax_s16x2", i);
      expectEqual(k ? high : low, x >= y, "__vibmax_s16x2's predicate", i);
    }
    expectEqual(__viaddmax_u32(a, b, c), std::max(a + b, c), "__viaddmax_u32", i);
    expectEqual(__viaddmin_s32_relu((int)a, (int)b, (int)c),
                std::max(std::min(int(a + b), (int)c), 0), "__viaddmin_s32_relu", i);
  }
}

__host__ __device__ unsigned strings(unsigned a, unsigned b) {
  char s[24], t[24], u[48];
  for (unsigned i = 0; i < 24; ++i) {
    s[i] = char('a' + (a >> i) % 2);
    t[i] = char('a' + (b >> i) % 2);
  }
  s[a % 12] = 0;
  t[b % 12] = 0;
  auto sign = [](int x) { return x < 0 ? 1u : x > 0 ? 2u : 0u; };
  unsigned result = (unsigned)strlen(s) + 16 * sign(strcmp(s, t)) +
                    64 * sign(memcmp(s, t, b % 12)) + 256 * sign(strncmp(s, t, 4));
  strcpy(u, s);
  strcat(u, t);
  result += 1024 * (unsigned)strlen(u);
  strncpy(u, t, 20);
  for (int i = 0; i < 20; ++i)
    result = result * 31 + (unsigned char)u[i];
  return result;
}

// Old code declares variables so.
__host__ __device__ unsigned declared(unsigned a, unsigned b) {
  unsigned x = a;
  return x + b;
}

int main() {
  COMPARE(__vimax3_s16x2_);
  COMPARE(__vimin3_u16x2_);
  COMPARE(__viaddmax_s16x2_);
  COMPARE(__viaddmin_u16x2_);
  COMPARE(__viaddmin_s16x2_relu_);
  COMPARE(__viaddmax_s16x2_relu_);
  COMPARE(__viaddmax_s32_);
  COMPARE(__viaddmin_u32_);
  COMPARE(__vimin3_s32_relu_);
  COMPARE(which);
  COMPARE(strings);
  COMPARE(declared);
  checkValues();
  return finish();
}
