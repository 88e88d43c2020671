// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A large kernel has one entry for blocks of all sizes; a small one has two. One with barriers is large where
// its parallel regions are.
// RUN: %vxcc -I%inputs --emit=asm %s -o - | FileCheck %s --check-prefix=ENTRIES
// RUN: %vxcc -I%inputs %s -o %t && %shapes --few %t
// RUN: %shapes --few --lower=sw %t
//
// ENTRIES-DAG: __vx_entry.direct._Z5smallPjj:
// ENTRIES-DAG: __vx_entry.chunked._Z5smallPjj:
// ENTRIES-DAG: __vx_entry.any._Z5largePjj:
// ENTRIES-DAG: __vx_entry.direct._Z9exchangedILi20EEvPjj:
// ENTRIES-DAG: __vx_entry.chunked._Z9exchangedILi20EEvPjj:
// ENTRIES-DAG: __vx_entry.any._Z9exchangedILi2700EEvPjj:
// ENTRIES-NOT: __vx_entry.{{direct|chunked}}.{{_Z5largePjj|_Z9exchangedILi2700EEvPjj}}:

#include "harness.h"
#include <vector>

template <int ROUNDS> __host__ __device__ unsigned mixed(unsigned v) {
#pragma unroll
  for (int i = 0; i < ROUNDS; ++i)
    v = (v ^ v >> (i % 13 + 3)) * (2654435761u + 2 * i);
  return v;
}

__global__ void small(unsigned *data, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = mixed<4>(i);
}
__global__ void large(unsigned *data, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = mixed<400>(i);
}
template <int ROUNDS> __global__ void exchanged(unsigned *data, unsigned n) {
  __shared__ unsigned values[1000];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = blockDim.x - 1 - threadIdx.x;
  values[threadIdx.x] = mixed<ROUNDS>(i);
  __syncthreads();
  if (i < n)
    data[i] = values[other] + threadIdx.x;
}

template <int ROUNDS> void checkExchanged(unsigned *device, unsigned threads, unsigned n) {
  std::vector<unsigned> host(n);
  exchanged<ROUNDS><<<3, threads>>>(device, n);
  CHECK(cudaMemcpy(host.data(), device, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; ++i) {
    unsigned thread = i % threads, other = i - thread + threads - 1 - thread;
    EXPECT(host[i] == mixed<ROUNDS>(other) + thread);
  }
}

int main() {
  constexpr unsigned kMost = 3000;
  unsigned *device;
  CHECK(cudaMalloc(&device, kMost * sizeof(unsigned)));
  for (unsigned threads : {1u, 20u, 32u, 100u, 1000u}) {
    const unsigned n = 3 * threads - threads / 3;
    std::vector<unsigned> host(n);
    large<<<3, threads>>>(device, n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; ++i)
      EXPECT(host[i] == mixed<400>(i));
    small<<<3, threads>>>(device, n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; ++i)
      EXPECT(host[i] == mixed<4>(i));
    checkExchanged<20>(device, threads, n);
    checkExchanged<2700>(device, threads, n);
  }
  return finish();
}
