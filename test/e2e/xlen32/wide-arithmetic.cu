// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --vx-xlen=32,64 %s -o %t && %shapes --few --xlen=32 %t && %shapes --few %t
// RUN: %vxcc -O0 --vx-xlen=32 %s -o %t.0 && %shapes --few --xlen=32 %t.0
//
// Arithmetic wider than the registers gives what the host computes: division and remainder of 64
// and 128 bits, conversions between 64-bit integers and floating point, shifts and comparisons.

#include "../Inputs/harness.h"

using u64 = unsigned long long;
using s64 = long long;
using u128 = unsigned __int128;
using s128 = __int128;

/// Numbers of every magnitude: A's low bits choose how many bits are left.
__host__ __device__ u64 spread(unsigned a, unsigned b) {
  return (((u64)b << 32) | (a * 2654435761u)) >> (a % 64);
}
__host__ __device__ u64 nonZero(u64 x) { return x ? x : 1; }

__host__ __device__ u64 udivide(unsigned a, unsigned b) {
  return spread(a, b) / nonZero(spread(b, a));
}
__host__ __device__ u64 uremain(unsigned a, unsigned b) {
  return spread(a, b) % nonZero(spread(b, a));
}
__host__ __device__ s64 sdivide(unsigned a, unsigned b) {
  s64 x = (s64)spread(a, b) * (a & 64 ? -1 : 1), y = (s64)nonZero(spread(b, a));
  return x / ((b & 64) && y != -1 ? -y : y);
}
__host__ __device__ s64 sremain(unsigned a, unsigned b) {
  s64 x = (s64)spread(a, b) * (a & 64 ? -1 : 1), y = (s64)nonZero(spread(b, a));
  return x % ((b & 64) && y != -1 ? -y : y);
}
__host__ __device__ u64 byConstants(unsigned a, unsigned b) {
  u64 x = spread(a, b);
  s64 y = (s64)x;
  return x / 10 + x % 1000 * 7 + (u64)(y / 16) + (u64)(y % 12345678901LL) + x / 4294967296ull;
}

__host__ __device__ u128 wide(unsigned a, unsigned b) {
  return ((u128)spread(a, b) << 64 | spread(b, a)) >> (b % 128);
}
__host__ __device__ u64 divide128(unsigned a, unsigned b) {
  u128 x = wide(a, b), y = wide(b, a);
  u128 q = x / (y ? y : 1), r = x % (y ? y : 1);
  s128 s = -(s128)(x >> 1) / (s128)((y >> 1) | 1), t = -(s128)(x >> 1) % (s128)((y >> 1) | 1);
  return (u64)q ^ (u64)(q >> 64) ^ (u64)r * 3 ^ (u64)(r >> 64) * 5 ^ (u64)s * 7 ^
         (u64)(s >> 64) * 11 ^ (u64)t * 13;
}
__host__ __device__ u64 multiply128(unsigned a, unsigned b) {
  u128 p = wide(a, b) * wide(b, a) + wide(a, a);
  return (u64)p ^ (u64)(p >> 64);
}

__host__ __device__ double toDouble(unsigned a, unsigned b) {
  return (double)spread(a, b) - (double)(s64)spread(b, a);
}
__host__ __device__ float unsignedToFloat(unsigned a, unsigned b) { return (float)spread(a, b); }
__host__ __device__ float signedToFloat(unsigned a, unsigned b) {
  // Half-way cases of a float's rounding and their neighbours are among the inputs.
  s64 half = (s64)((0x1000001ull | a % 4) << (b % 39)) + (s64)(a % 3) - 1;
  return (float)(b & 64 ? -half : half);
}
__host__ __device__ u64 fromFloat(unsigned a, unsigned b) {
  double d = (double)(spread(a, b) >> 1) * 0.75; // no sum that could be fused
  float f = (float)(spread(b, a) >> 2);
  return (u64)d + (u64)(s64)-d + (u64)f * 3 + (u64)(s64)(f * -0.5f) + (u64)(d * 1.3);
}

__host__ __device__ u64 shifts(unsigned a, unsigned b) {
  u64 x = spread(a, b);
  unsigned n = b % 64;
  return (x << n) ^ (x >> n) ^ (u64)((s64)(x * 0x9e3779b97f4a7c15ull) >> n);
}
__host__ __device__ u64 comparisons(unsigned a, unsigned b) {
  u64 x = spread(a, b), y = spread(b, a);
  s64 p = (s64)(x * 0x9e3779b97f4a7c15ull), q = (s64)(y * 0x9e3779b97f4a7c15ull);
  u64 r = (x < y) | (p < q) << 1 | (x == y) << 2 | (p >= q) << 3;
  r += x < y ? x : y;
  r ^= (u64)(p > q ? p : q);
  return r + (p < 0 ? -(u64)p : (u64)p);
}

int main() {
  compareWithHost<u64, udivide>("udivide");
  compareWithHost<u64, uremain>("uremain");
  compareWithHost<s64, sdivide>("sdivide");
  compareWithHost<s64, sremain>("sremain");
  compareWithHost<u64, byConstants>("byConstants");
  compareWithHost<u64, divide128>("divide128", 120);
  compareWithHost<u64, multiply128>("multiply128");
  compareWithHost<double, toDouble>("toDouble");
  compareWithHost<float, unsignedToFloat>("unsignedToFloat");
  compareWithHost<float, signedToFloat>("signedToFloat");
  compareWithHost<u64, fromFloat>("fromFloat");
  compareWithHost<u64, shifts>("shifts");
  compareWithHost<u64, comparisons>("comparisons");
  return finish();
}
