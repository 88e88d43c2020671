// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp8.h: every number of both types, and rounding to them, against a reference that searches
// the nearest one; saturation, infinities, NaN, pairs and quadruples.
// RUN: %vxcc -O2 -I%inputs %s -o %t
// RUN: %shapes --few %t

#include "harness.h"
#include <cmath>
#include <cuda_fp8.h>

__host__ __device__ unsigned decode4(unsigned a, unsigned) {
  __nv_fp8_e4m3 x;
  x.__x = (unsigned char)a;
  return ((float)x == (float)x ? __builtin_bit_cast(unsigned, (float)x) : 1) ^ (unsigned)(int)x ^
         (unsigned)((unsigned long long)x >> 32) ^ (bool)x;
}
__host__ __device__ unsigned decode5(unsigned a, unsigned) {
  __nv_fp8_e5m2 x;
  x.__x = (unsigned char)a;
  return ((float)x == (float)x ? __builtin_bit_cast(unsigned, (float)x) : 1) ^
         (unsigned)(signed char)x ^ (unsigned)((long long)x >> 32) ^ (bool)x;
}
__host__ __device__ unsigned encode(unsigned a, unsigned b) {
  float f = __builtin_bit_cast(float, a);
  double d = __builtin_bit_cast(double, (unsigned long long)a << 32 | b);
  return __nv_fp8_e4m3(f).__x | __nv_fp8_e5m2(f).__x << 8 |
         __nv_cvt_double_to_fp8(d, __NV_NOSAT, __NV_E4M3) << 16 |
         __nv_cvt_double_to_fp8(d, __NV_NOSAT, __NV_E5M2) << 24;
}
__host__ __device__ unsigned groups(unsigned a, unsigned b) {
  float x = (int)a * 0x1p-22f, y = (int)b * 0x1p-30f;
  __nv_fp8x4_e5m2 four(make_float4(x, y, -y, 1.0f));
  __nv_fp8x2_e4m3 two{__half2(__half(x), __half(y))};
  float4 back = (float4)four;
  float2 pair = (float2)two;
  return four.__x ^ two.__x << 7 ^ (unsigned)(int)(back.x * 64) ^ (unsigned)(int)(pair.y * 1024);
}

/// Returns the value of the number with these BITS; NaN and infinity too.
double valueOf(unsigned bits, bool e4m3) {
  int exponent = bits >> (e4m3 ? 3 : 2) & (e4m3 ? 15 : 31), fraction = bits & (e4m3 ? 7 : 3);
  double sign = bits & 0x80 ? -1 : 1;
  if (e4m3 ? (bits & 0x7f) == 0x7f : (bits & 0x7f) > 0x7c)
    return NAN;
  if (!e4m3 && (bits & 0x7f) == 0x7c)
    return sign * INFINITY;
  double scale = e4m3 ? 0x1p-10 : 0x1p-17; // half a subnormal's last place
  return sign * (exponent ? std::ldexp(fraction + (e4m3 ? 8 : 4), exponent) : fraction * 2.0) *
         scale;
}

unsigned nearest(double x, bool e4m3, bool saturate, unsigned nan) {
  unsigned sign = std::signbit(x) ? 0x80 : 0, largest = e4m3 ? 0x7e : 0x7b, best = 0;
  if (x != x)
    return nan;
  double size = std::fabs(x);
  // The number after the largest, if there were one, decides what is too large.
  double last = valueOf(largest, e4m3), step = last - valueOf(largest - 1, e4m3);
  if (size > last + step / 2 || (size == last + step / 2 && largest % 2))
    return sign | (saturate ? largest : largest + 1);
  for (unsigned i = 1; i <= largest; ++i) {
    double now = std::fabs(valueOf(i, e4m3) - size), before = std::fabs(valueOf(best, e4m3) - size);
    if (now < before || (now == before && i % 2 == 0))
      best = i;
  }
  return sign | best;
}

/// NaN as a float and as integers.
template <class T> void checkNan(unsigned char bits) {
  T x;
  x.__x = bits;
  expectEqual(__builtin_bit_cast(unsigned, (float)x), 0x7fffffffu, "float of a NaN", bits);
  expectEqual((unsigned long long)x, 1ull << 63, "unsigned long long of a NaN", bits);
  expectEqual((unsigned long long)(long long)x, 1ull << 63, "long long of a NaN", bits);
  expectEqual((int)x, 0, "int of a NaN", bits);
}

int main() {
  for (unsigned char sign : {0, 0x80}) {
    checkNan<__nv_fp8_e4m3>(sign | 0x7f);
    checkNan<__nv_fp8_e5m2>(sign | 0x7d);
  }
  for (unsigned i = 0; i < 256; ++i)
    for (bool e4m3 : {true, false}) {
      __nv_fp8_e4m3 four;
      __nv_fp8_e5m2 five;
      four.__x = five.__x = (unsigned char)i;
      float got = e4m3 ? (float)four : (float)five, want = (float)valueOf(i, e4m3);
      expect(got == want || (got != got && want != want), "value of a number", i);
    }
  for (unsigned i = 0; i < 20000; ++i)
    for (bool e4m3 : {true, false})
      for (bool saturate : {true, false}) {
        double x = (int)mixed(i) * std::ldexp(1.0, int(mixed(i + 7) % 44) - 50);
        if (i % 5 == 0) // between two numbers
          x = (valueOf(i & 0x7f, e4m3) + valueOf((i & 0x7f) + 1, e4m3)) / 2;
        if (i % 997 == 0)
          x = i % 2 ? INFINITY : i % 4 ? NAN : -NAN;
        auto mode = saturate ? __NV_SATFINITE : __NV_NOSAT;
        auto type = e4m3 ? __NV_E4M3 : __NV_E5M2;
        expectEqual<unsigned>(__nv_cvt_double_to_fp8(x, mode, type), nearest(x, e4m3, saturate, std::signbit(x) << 7 | (e4m3 ? 0x7f : 0x7e)),
                              "double to fp8", i);
        expectEqual<unsigned>(__nv_cvt_float_to_fp8((float)x, mode, type),
                              nearest((float)x, e4m3, saturate, 0x7f), "float to fp8", i);
      }
  COMPARE(decode4);
  COMPARE(decode5);
  COMPARE(encode);
  COMPARE(groups);
  return finish();
}
