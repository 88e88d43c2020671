// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %shapes --few %t
// RUN: env VX_LOWERING=sw %run %t
// RUN: %vxcc -O0 %s -o %t.debug && %run %t.debug
//
// Kernels with as many bytes of arguments as CUDA allows, 32764, and with sizes around 4096.
// Launches are queued without waiting: each has the arguments of its call.

#include "../Inputs/harness.h"

template <int N> struct Block {
  int values[N];
};

/// Adds what thread t finds at places t, t + stride, … and the last argument.
template <int N> __global__ void sum(Block<N> block, int *out, int stride, int last) {
  int total = last;
  for (int i = threadIdx.x; i < N; i += stride)
    total += block.values[i];
  atomicAdd(&out[threadIdx.x % 4], total);
}

/// The elements of an argument of as many bytes as are allowed.
constexpr int kMost = 32764 / 4;
__global__ void most(int *out, const Block<kMost - 2> block) {
  out[threadIdx.x] = block.values[threadIdx.x] - block.values[kMost - 3 - threadIdx.x];
}

template <int N> void testSum(int *out) {
  const int threads = 32, launches = 3;
  int want[4] = {}, got[4];
  CHECK(cudaMemset(out, 0, sizeof got));
  Block<N> block;
  for (int k = 0; k < launches; ++k) {
    for (int i = 0; i < N; ++i) {
      block.values[i] = int(mixed(i + k * N));
      want[i % threads % 4] += block.values[i];
    }
    for (int t = 0; t < threads; ++t)
      want[t % 4] += k;
    sum<N><<<1, threads>>>(block, out, threads, k);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i)
    expectEqual(got[i], want[i], "sum", N);
}

int main() {
  int *out, got[32];
  CHECK(cudaMalloc(&out, sizeof got));
  testSum<4>(out);
  testSum<1020>(out); // 4096 bytes with the other arguments
  testSum<1021>(out);
  testSum<(32764 - 16) / 4 - 1>(out);
  testSum<10>(out);
  Block<kMost - 2> block;
  for (int i = 0; i < kMost - 2; ++i)
    block.values[i] = i * i;
  most<<<1, 32>>>(out, block);
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i)
    expectEqual(got[i], i * i - (kMost - 3 - i) * (kMost - 3 - i), "most", i);
  std::puts(wrongResults() ? "FAIL" : "PASS");
  return wrongResults() != 0;
}
