// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA kernels for the way through SPIR-V and back: this program prints what they compute here,
// device.cpp what they compute from SPIR-V.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct Setting {
  int shift;
  float factor;
};

__constant__ float table[4] = {1, 2, 4, 8};

extern "C" __global__ void scale(float *y, const float *x, int n, Setting s) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i] * s.factor + table[(i + s.shift) & 3] + sinf(x[i]) + sqrtf(x[i]);
}

extern "C" __global__ void sums(int *out, const int *in, int n) {
  extern __shared__ int dynamic[];
  __shared__ int partial[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = i < n ? in[i] : 0;
  dynamic[threadIdx.x] = value;
  for (int d = 16; d; d /= 2)
    value += __shfl_down_sync(~0u, value, d);
  if (lane == 0)
    partial[threadIdx.x / 32] = value;
  int any = __syncthreads_or(i == 5);
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w)
      value += partial[w];
    atomicAdd(&out[0], value + dynamic[blockDim.x - 1]);
    atomicMax(&out[1], any);
  }
}

extern "C" __global__ void votes(unsigned *out, const int *in) {
  int i = threadIdx.x, lane = i % 32;
  unsigned even = __ballot_sync(~0u, in[i] % 2 == 0);
  unsigned equal = __match_any_sync(~0u, in[i] % 3);
  int up = __shfl_up_sync(~0u, in[i], 3, 16), at = __shfl_sync(~0u, in[i], lane + 5, 8);
  int mixed = __shfl_xor_sync(~0u, in[i], 9);
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = cg::reduce(tile, in[i], cg::plus<int>());
  int all = tile.all(in[i] > 2), any = __any_sync(~0u, in[i] == 7);
  unsigned low = 0;
  if (lane < 11)
    low = __ballot_sync(0x7ff, in[i] & 1) + __reduce_add_sync(0x7ff, in[i]);
  out[i] = even ^ equal * 3 ^ unsigned(up + at * 5 + mixed * 7 + sum * 11 + all * 13 + any * 17) ^
           low * 19;
}

extern "C" __global__ void floats(float *sum, double *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, i * 0.5f);
  atomicAdd(most, i * 0.25); // the order does not matter: all sums are exact
  unsigned long long *bits = (unsigned long long *)(most + 1);
  atomicMax(bits, (unsigned long long)i << 33);
}

struct Polynomial {
  float c[4];
};

__device__ __noinline__ float valueAt(Polynomial p, float x) {
  float value = 0;
  for (float c : p.c)
    value = value * x + c;
  return value;
}

// Values that functions take by value, in a loop.
extern "C" __global__ void polynomials(float *y, Polynomial p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    p.c[0] = i;
    y[i] = valueAt(p, i * 0.125f) - p.c[0];
  }
}

template <class T> static T *device(int n, T value(int)) {
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  for (int i = 0; i < n; ++i)
    p[i] = value(i);
  return p;
}

int main() {
  constexpr int n = 200;
  float *x = device<float>(n, [](int i) { return i * 0.25f; });
  float *y = device<float>(n, [](int) { return 0.0f; });
  scale<<<3, 64>>>(y, x, n, Setting{1, 1.5f});
  int *in = device<int>(n, [](int i) { return i * 7 % 31; });
  int *out = device<int>(2, [](int) { return 0; });
  sums<<<2, 128, 128 * sizeof(int)>>>(out, in, n);
  unsigned *bits = device<unsigned>(64, [](int) { return 0u; });
  votes<<<1, 64>>>(bits, in);
  float *sum = device<float>(1, [](int) { return 0.0f; });
  double *most = device<double>(2, [](int) { return 0.0; });
  floats<<<2, 64>>>(sum, most, 100);
  float *values = device<float>(n, [](int) { return 0.0f; });
  polynomials<<<1, 64>>>(values, Polynomial{{1, 2, 3, 4}}, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    std::printf("%a\n", y[i]);
  std::printf("%d %d\n", out[0], out[1]);
  for (int i = 0; i < 64; ++i)
    std::printf("%08x\n", bits[i]);
  std::printf("%a %a %a\n", *sum, most[0], most[1]);
  for (int i = 0; i < n; ++i)
    std::printf("%a\n", values[i]);
}
