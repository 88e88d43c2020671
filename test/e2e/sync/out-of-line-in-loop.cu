// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t.1
// RUN: %shapes --few %t.1
// RUN: env VX_LOWERING=sw %t.1
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --few %t.3
// RUN: env VX_LOWERING=sw %t.3
//
// A function out of line asks for its thread's coordinates in each iteration of a loop that has a barrier
// on one of its paths: the loop becomes part of several parallel regions.

#include "../Inputs/harness.h"

__device__ __noinline__ unsigned thread() {
  return threadIdx.x;
}
__global__ void kernel(unsigned *out, unsigned iterations, unsigned at) {
  unsigned sum = 0, counted = 0;
  for (unsigned i = iterations; i-- > 0;) {
    if (i % 2)
      continue;
    if (i == at)
      counted += __syncthreads_count(threadIdx.x % 16 == 2);
    sum = sum * 3 + thread();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + counted;
}

int main() {
  for (unsigned threads : {16, 64, 100, 512}) {
    DeviceArray<unsigned> out(3 * threads);
    kernel<<<3, threads>>>(out, 6, 4);
    std::vector<unsigned> got = out.host();
    for (unsigned i = 0; i < got.size(); ++i) {
      unsigned sum = 0;
      for (unsigned iteration = 0; iteration < 3; ++iteration)
        sum = sum * 3 + i % threads;
      expectEqual(got[i], sum + (threads + 13) / 16, "sum", i);
    }
  }
  return finish();
}
