// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half arithmetic has no branches, also in a module with so much of it that its functions are simplified before they are
// inlined. Results are those of the host, for all halves, and for sums of products that are near the middle of two halves.
// RUN: %vxcc -O3 --lower=hw --vx-coarsen=false --emit=asm %s -o %t.s
// RUN: awk '/vx.split/ {++n} END {print n + 0; exit n > 50}' %t.s
// RUN: %vxcc -O3 %s -o %t && %t | FileCheck %s
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && env VX_SET=isa.xlen=32 %t.32 | FileCheck %s
// CHECK: PASS
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

#define FOUR(x) x x x x

__global__ void chain(__half2 *p, __half2 a) {
  __half2 v = p[threadIdx.x];
  FOUR(FOUR(FOUR(FOUR(v = __hfma2(v, a, v); v = __hfma2(a, v, a);))))
  p[threadIdx.x] = v;
}

/// Returns the half nearest to VALUE, found without the conversion that is tested.
static unsigned short nearest(double value) {
  double magnitude = std::fabs(value);
  unsigned short sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return 0x7fff;
  int exponent = 0;
  std::frexp(magnitude, &exponent); // magnitude < 2^exponent
  double unit = std::ldexp(1.0, (exponent < -13 ? -13 : exponent) - 11);
  double rounded = std::nearbyint(magnitude / unit) * unit;
  if (!(rounded < 65536.0))
    return sign | 0x7c00;
  if (rounded < 0x1p-14)
    return sign | (unsigned short)(rounded * 0x1p24);
  std::frexp(rounded, &exponent);
  return sign | (unsigned short)(((exponent + 14) << 10) + (std::ldexp(rounded, 11 - exponent) - 1024));
}

static double valueOf(unsigned short h) {
  int exponent = h >> 10 & 31, fraction = h & 1023;
  double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                 : exponent == 0 ? std::ldexp(fraction, -24)
                                 : std::ldexp(1024 + fraction, exponent - 25);
  return h & 0x8000 ? -value : value;
}

__host__ __device__ unsigned next(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/// Makes the halves of case N: any, or such that a * b ends near the middle of two halves by c.
__host__ __device__ void makeCase(unsigned n, unsigned short (&h)[3]) {
  unsigned state = n * 2654435761u + 17;
  for (unsigned short &x : h)
    x = next(state);
  if (n % 4 == 1)
    h[2] = next(state) & 0x83ff; // a subnormal
  if (n % 4 == 2) {
    h[0] = 0x3c00 | (next(state) & 0x83ff);
    h[1] = 0x3c00 | (next(state) & 0x03f0);
  }
  if (n % 4 == 3)
    h[1] = 0x1400 | (h[1] & 0x83ff);
}

__global__ void convert(unsigned *floats) {
  for (unsigned h = blockIdx.x * blockDim.x + threadIdx.x; h < 65536; h += gridDim.x * blockDim.x)
    floats[h] = __float_as_uint(__half2float(__half(__half_raw{(unsigned short)h})));
}

__global__ void multiplyAdd(unsigned short *results, unsigned count) {
  unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count)
    return;
  unsigned short h[3];
  makeCase(n, h);
  __half r = __hfma(__half(__half_raw{h[0]}), __half(__half_raw{h[1]}), __half(__half_raw{h[2]}));
  results[n] = __half_raw(r).x;
}

int main() {
  constexpr unsigned count = 20000;
  unsigned *floats, wrong = 0;
  unsigned short *results;
  cudaMallocManaged(&floats, 65536 * sizeof *floats);
  cudaMallocManaged(&results, count * sizeof *results);
  convert<<<16, 32>>>(floats);
  multiplyAdd<<<(count + 31) / 32, 32>>>(results, count);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (unsigned h = 0; h < 65536; ++h) {
    float f;
    std::memcpy(&f, &floats[h], sizeof f);
    double expected = valueOf(h);
    bool same = std::isnan(expected) ? std::isnan(f) : f == expected && std::signbit(f) == std::signbit(expected);
    wrong += !same;
  }
  for (unsigned n = 0; n < count; ++n) {
    unsigned short h[3];
    makeCase(n, h);
    // If a sum has more than 64 bits, one part is too small to be near the middle of two halves.
    long double sum = (long double)valueOf(h[0]) * valueOf(h[1]) + valueOf(h[2]);
    unsigned short expected = nearest((double)sum);
    if (results[n] != expected && wrong++ < 5)
      printf("%04x * %04x + %04x is %04x, not %04x\n", h[0], h[1], h[2], results[n], expected);
  }
  printf("%s\n", wrong ? "FAIL" : "PASS");
}
