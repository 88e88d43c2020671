// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp16.h and cuda_bf16.h: exact on the host (against the compiler's own half), and the device
// gives the host's bits.
// RUN: %vxcc -O2 %s -o %t && %run %t | FileCheck %s
// RUN: %vxcc -std=c++11 --emit=nvvm %s -o %t.ll

#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__host__ __device__ unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

// One number from many operations on operands cut out of S.
template <class T> __host__ __device__ unsigned digest(unsigned s) {
  T a, b, c;
  a.__x = s >> 16, b.__x = s, c.__x = s >> 7;
  T results[] = {a + b,         a - b,          a * b,         a / b,
                 __hfma(a, b, c), __hneg(a),      __habs(b),     __hmax(a, b),
                 __hmin(a, b),  T(3.3f * (float)a), T(1.1 * (float)b), T((int)s)};
  unsigned r = 0;
  for (T v : results)
    r = r * 31 + (__hisnan(v) ? 0x7fff : v.__x);
  return r * 31 + (a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * __hne(a, b);
}

__global__ void digests(unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = digest<__half>(next(i * 977)) + 3 * digest<__nv_bfloat16>(next(i * 1977));
}

int countWrong() {
  int wrong = 0;
  unsigned s = 1;
  for (unsigned x = 0; x < 65536; ++x) {
    unsigned short bits = x;
    _Float16 expected;
    memcpy(&expected, &bits, 2);
    float f = __half2float(__ushort_as_half(bits));
    if (expected == expected)
      wrong += f != (float)expected || __half_as_ushort(__float2half(f)) != bits;
    // A float near half's range, normal and subnormal, and its three directed roundings.
    s = next(s);
    unsigned wide = (s & 0x80ffffffu) | (0x33u + x % 20) << 24;
    memcpy(&f, &wide, 4);
    expected = (_Float16)f;
    memcpy(&bits, &expected, 2);
    wrong += __half_as_ushort(__float2half(f)) != bits;
    if (__builtin_fabsf(f) < 65504.0f)
      wrong += !(__half2float(__float2half_rd(f)) <= f && __half2float(__float2half_ru(f)) >= f);
    // The tie between this half and the next, and the floats next to it; the last tie is with 2^16.
    if ((x & 0x7fff) >= 0x7c00)
      continue;
    float next = (x & 0x7fff) == 0x7bff ? 0x1p16f : __half2float(__ushort_as_half((x & 0x7fff) + 1));
    float tie = (__half2float(__ushort_as_half(x & 0x7fff)) + next) / 2;
    for (int beside = -1; beside <= 1; ++beside) {
      memcpy(&wide, &tie, 4);
      wide = (wide + beside) | (x & 0x8000) << 16;
      memcpy(&f, &wide, 4);
      expected = (_Float16)f;
      memcpy(&bits, &expected, 2);
      wrong += __half_as_ushort(__float2half(f)) != bits;
    }
  }
  return wrong;
}

int main() {
  // CHECK: host: 0 wrong
  printf("host: %d wrong\n", countWrong());
  const int n = 500;
  unsigned *device, host[n];
  cudaMalloc(&device, sizeof(host));
  digests<<<(n + 63) / 64, 64>>>(device, n);
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  int different = 0;
  for (int i = 0; i < n; ++i)
    different +=
        host[i] != digest<__half>(next(i * 977)) + 3 * digest<__nv_bfloat16>(next(i * 1977));
  // CHECK: device: 0 different, no error
  printf("device: %d different, %s\n", different, cudaGetErrorString(cudaGetLastError()));
  // CHECK: constants: inf 65504 1 -0 inf 3.38953e+38 1 -0
  printf("constants: %g %g %g %g %g %g %g %g\n", __half2float(CUDART_INF_FP16),
         __half2float(CUDART_MAX_NORMAL_FP16), __half2float(CUDART_ONE_FP16),
         __half2float(CUDART_NEG_ZERO_FP16), __bfloat162float(CUDART_INF_BF16),
         __bfloat162float(CUDART_MAX_NORMAL_BF16), __bfloat162float(CUDART_ONE_BF16),
         __bfloat162float(CUDART_NEG_ZERO_BF16));
  // CHECK: pair: 5.5 -2
  half2 p = __floats2half2_rn(2.5f, -4.0f) + __float2half2_rn(3.0f) - __halves2half2(0, 1);
  printf("pair: %g %g\n", __low2float(p), __high2float(p));
}
