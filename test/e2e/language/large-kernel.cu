// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A large kernel without barriers has one entry for blocks of all sizes; a small one has two.
// RUN: %vxcc -I%inputs --emit=asm %s -o - | FileCheck %s --check-prefix=ENTRIES
// RUN: %vxcc -I%inputs %s -o %t && %shapes --few %t
// RUN: %shapes --few --lower=sw %t
//
// ENTRIES-DAG: __vx_entry.direct._Z5smallPjj:
// ENTRIES-DAG: __vx_entry.chunked._Z5smallPjj:
// ENTRIES-DAG: __vx_entry.any._Z5largePjj:
// ENTRIES-NOT: __vx_entry.{{direct|chunked}}._Z5largePjj:

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
  }
  return finish();
}
