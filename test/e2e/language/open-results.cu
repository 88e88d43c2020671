// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++ leaves open and GPUs do: shifts by all bits or more, NaN as an integer, functions that end without a return.
// RUN: %vxcc -O0 -w -I%inputs %s -o %t
// RUN: %run %t
// RUN: %vxcc -O3 -w -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc -O3 -w --target=host -I%inputs %s -o %t
// RUN: %run %t
// RUN: %vxcc -O3 -w --vx-xlen=32 -I%inputs %s -o %t
// RUN: env VX_SET=isa.xlen=32 %run %t

#include "harness.h"
#include <cmath>

struct Shifts {
  unsigned left, right;
  int isSigned;
  unsigned long long wideLeft, wideRight;
  long long wideSigned;
  unsigned char byte;
  short half;
};

__global__ void shift(Shifts *out, const int *amounts, unsigned x, unsigned long long y) {
  int n = amounts[threadIdx.x];
  out[threadIdx.x] = {x << n,          x >> n,         (int)x >> n, y << n, y >> n,
                      (long long)y >> n, (unsigned char)(((unsigned char)x << n) - 1),
                      (short)((short)x >> n)};
}

/// PTX's shl and shr: the amount is unsigned, and not more than the width.
template <class T> static T bits(T x, int n, bool left) {
  int width = sizeof(T) * 8;
  bool all = (unsigned)n >= (unsigned)width;
  if (left)
    return all ? 0 : x << n;
  return all ? (x < 0 ? -1 : 0) : x >> n;
}

struct Integers {
  int word, ofDouble;
  unsigned positive, positiveOfDouble;
  long long wide, wideOfDouble;
  unsigned long long widePositive;
};

__global__ void convert(Integers *out, const float *in) {
  float x = in[threadIdx.x];
  double y = x;
  out[threadIdx.x] = {(int)x,        (int)y,       (unsigned)x,          (unsigned)y,
                      (long long)x, (long long)y, (unsigned long long)x};
}

__device__ int positive(int x) {
  if (x > 5)
    return 1;
}
__device__ __noinline__ int stored(int x, int *to) {
  *to = x;
  if (x > 5)
    return 1;
}
template <class T> __device__ __noinline__ T made(T x, int *to) { *to += x > 0; }

__global__ void withoutReturn(int *out, int n) {
  int i = threadIdx.x;
  positive(n);
  stored(n + i, &out[2 * i]);
  made(n, &out[2 * i]);
  made((float)n, &out[2 * i]);
  out[2 * i + 1] = i;
}

int main() {
  std::vector<int> amounts = {0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 255, 1 << 30, -1, -32};
  int count = amounts.size();
  DeviceArray<int> deviceAmounts(amounts);
  DeviceArray<Shifts> out(count);
  unsigned x = 0x9234567b;
  unsigned long long y = 0x89abcdef01234567ull;
  shift<<<1, count>>>(out, deviceAmounts, x, y);
  std::vector<Shifts> got = out.host();
  for (int i = 0; i < count; ++i) {
    int n = amounts[i];
    expectEqual(got[i].left, bits(x, n, true), "left", n);
    expectEqual(got[i].right, bits(x, n, false), "right", n);
    expectEqual(got[i].isSigned, bits((int)x, n, false), "signed", n);
    expectEqual(got[i].wideLeft, bits(y, n, true), "wide left", n);
    expectEqual(got[i].wideRight, bits(y, n, false), "wide right", n);
    expectEqual(got[i].wideSigned, bits((long long)y, n, false), "wide signed", n);
    expectEqual(got[i].byte, (unsigned char)(bits(x & 255, n, true) - 1), "byte", n);
    expectEqual(got[i].half, (short)bits((int)(short)x, n, false), "half", n);
  }
  // The other numbers are clamped to the type.
  std::vector<float> numbers = {NAN, -NAN, 0, -2.5f, 1e6f, 3e9f, INFINITY, -INFINITY};
  DeviceArray<float> deviceNumbers(numbers);
  DeviceArray<Integers> integers(numbers.size());
  convert<<<1, numbers.size()>>>(integers, deviceNumbers);
  std::vector<Integers> integer = integers.host();
  long long wide = -9223372036854775807ll - 1;
  for (int i : {0, 1}) {
    EXPECT(integer[i].word == 0 && integer[i].positive == 0);
    EXPECT(integer[i].ofDouble == -2147483647 - 1 && integer[i].positiveOfDouble == 0x80000000u);
    EXPECT(integer[i].wide == wide && integer[i].wideOfDouble == wide);
    EXPECT(integer[i].widePositive == (unsigned long long)wide);
  }
  for (size_t i = 2; i < numbers.size(); ++i) {
    double x = numbers[i];
    int word = x > 2147483647.0 ? 2147483647 : x < -2147483648.0 ? -2147483647 - 1 : (int)x;
    unsigned positive = x > 4294967295.0 ? ~0u : x < 0 ? 0 : (unsigned)x;
    EXPECT(integer[i].word == word && integer[i].ofDouble == word);
    EXPECT(integer[i].positive == positive && integer[i].positiveOfDouble == positive);
  }
  DeviceArray<int> ends(2 * 40);
  withoutReturn<<<1, 40>>>(ends, 3);
  std::vector<int> end = ends.host();
  for (int i = 0; i < 40; ++i) {
    expectEqual(end[2 * i], 3 + i + 2, "without a return", i);
    expectEqual(end[2 * i + 1], i, "behind it", i);
  }
  return finish();
}
