// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with one right answer, or one that GPUs give where C++ leaves it open, have the results of a GPU for 8192
// arguments, many of them special: rounding, saturation, conversions, integers, SIMD in a word. A NaN counts as any
// other. Inputs/gpu-results.def has the hashes of the results of an NVIDIA H100 with nvcc of CUDA 13.0, printed by
//   nvcc -O2 -std=c++17 -arch=sm_90 --extended-lambda gpu-results.cu && ./a.out --print
// RUN: %vxcc -O1 -w --lower=hw --vx-coarsen=false --vx-xlen=32,64 %s -o %t && env VX_MODE=functional %t
// RUN: env VX_MODE=functional VX_SET=isa.xlen=32 %t
// RUN: %vxcc --target=host -O1 -w %s -o %t.host && %t.host

#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

using Word = unsigned long long;
constexpr int kCount = 8192;

// --- arguments ---

struct Arguments {
  unsigned a, b, c;
};

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ Arguments argumentsOf(int i) {
  const unsigned special[] = {
      0,           0x80000000u, 0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u,
      0x7fffffffu, 0xffc00001u, 0x7f800001u, 1,           0x007fffffu, 0x7f7fffffu, 0x4f000000u,
      0xcf000000u, 0x5f000000u, 0x3c003c00u, 0x7c007c00u, 0x7fff7fffu, 0x00010001u, 0x80008000u,
      0xffffffffu, 0x7fff,      0x8000,      0x4effffffu, 0x4f800000u, 0x477fe000u, 0x477ff000u,
      0x33000000u, 0x33800000u, 0x387fc000u, 0x43e00000u, 0x43e80000u};
  const int n = sizeof special / sizeof *special;
  if (i < n * n)
    return {special[i / n], special[i % n], special[(i * 7) % n]};
  Arguments r = {mixed(3 * i), mixed(3 * i + 1), mixed(3 * i + 2)};
  if (i % 4 == 0) { // floats near 1
    r.a = 0x3f800000u + r.a % 0x6000000 - 0x3000000;
    r.b = 0x3f800000u + r.b % 0x6000000 - 0x3000000;
  } else if (i % 4 == 1) { // small halves and quarters
    r.a = __float_as_uint((float)((int)(r.a % 4001) - 2000) / 2);
    r.b = __float_as_uint((float)((int)(r.b % 31) - 15) / 4);
  }
  return r;
}

__device__ float f(unsigned u) { return __uint_as_float(u); }
__device__ __half h(unsigned u) { return __ushort_as_half((unsigned short)u); }
__device__ __half2 h2(unsigned u) { return __halves2half2(h(u), h(u >> 16)); }
__device__ __nv_bfloat16 bf(unsigned u) { return __ushort_as_bfloat16((unsigned short)u); }
__device__ __nv_bfloat162 bf2(unsigned u) { return __halves2bfloat162(bf(u), bf(u >> 16)); }
__device__ double d(unsigned a, unsigned b, int i) {
  if (i % 3 == 2)
    return __longlong_as_double((long long)((Word)a << 32 | b));
  return i % 3 ? (double)f(a) * (1 + (double)(b & 0xffff) * 0x1p-40) : (double)f(a);
}
__device__ double number(double x) { return x == x ? x : 1.0; }
__device__ Word wide(unsigned a, unsigned b, int i) { return ((Word)a << 32 | b) >> (i % 64); }

__device__ float fraction(float x) {
  int e;
  return frexpf(x, &e);
}
__device__ int exponent(float x) {
  int e;
  frexpf(x, &e);
  return isfinite(x) ? e : 0;
}
__device__ float parts(float x) {
  float whole, rest = modff(x, &whole);
  return rest + 3 * whole;
}

// --- results ---

template <class T> __device__ Word bitsOf(T x) { return (Word)x; } // sign-extended
__device__ Word bitsOf(float x) { return x == x ? __float_as_uint(x) : 0x7fffffffu; }
__device__ Word bitsOf(double x) { return x == x ? (Word)__double_as_longlong(x) : ~0ull >> 1; }
__device__ Word bitsOf(__half x) { return __hisnan(x) ? 0x7fff : __half_as_ushort(x); }
__device__ Word bitsOf(__nv_bfloat16 x) { return __hisnan(x) ? 0x7fff : __bfloat16_as_ushort(x); }
__device__ Word bitsOf(__half2 x) { return bitsOf(x.x) | bitsOf(x.y) << 16; }
__device__ Word bitsOf(__nv_bfloat162 x) { return bitsOf(x.x) | bitsOf(x.y) << 16; }
__device__ Word bitsOf(__half_raw x) { return bitsOf(__half(x)); }

template <class F> __global__ void evaluate(F function, Word *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Arguments x = argumentsOf(i);
  results[i] = bitsOf(function(x.a, x.b, x.c, i));
}

static Word *deviceResults;
static int wrong;

template <class F> void run(F function, const char *text, Word expected, bool print) {
  static Word results[kCount];
  evaluate<<<kCount / 128, 128>>>(function, deviceResults);
  cudaMemcpy(results, deviceResults, sizeof results, cudaMemcpyDeviceToHost);
  Word hash = 0xcbf29ce484222325ull; // FNV-1a, of words
  for (Word word : results)
    hash = (hash ^ word) * 0x100000001b3ull;
  if (print)
    std::printf("RESULT(%s, 0x%016llx)\n", text, hash);
  else if (hash != expected && ++wrong)
    std::printf("%s: hash %016llx, not %016llx\n", text, hash, expected);
}

int main(int count, char **arguments) {
  bool print = count > 1 && !std::strcmp(arguments[1], "--print");
  cudaMalloc(&deviceResults, kCount * sizeof(Word));
#define RESULT(EXPRESSION, HASH)                                                                   \
  run([] __device__(unsigned a, unsigned b, unsigned c, int i) { return EXPRESSION; },             \
      #EXPRESSION, HASH, print);
#include "Inputs/gpu-results.def"
  if (cudaDeviceSynchronize() || cudaGetLastError())
    wrong = 1;
  if (!print)
    std::printf(wrong ? "FAIL\n" : "PASS\n");
  return wrong != 0;
}
