// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0
// RUN: %shapes --warp %t.0
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa %t.0
// RUN: %vxcc -O3 %s -o %t.3
// RUN: %shapes --warp %t.3
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa,core.num_threads=8 %t.3
// RUN: %vxcc -O0 --target=host %s -o %t.host
// RUN: %t.host
//
// Functions out of line that ask for their thread's coordinates, called from a function with warp
// functions: before and after the threads of the warp have synchronized.

#include "../Inputs/harness.h"

__device__ __noinline__ unsigned thread() {
  return threadIdx.y * blockDim.x + threadIdx.x;
}
__device__ __noinline__ unsigned next(unsigned lane) {
  return thread() % 32 == lane ? lane + 1 : ~0u;
}
__device__ __noinline__ unsigned countLanes(unsigned lane) {
  unsigned before = next(lane);
  unsigned members = __ballot_sync(~0u, before == lane + 1);
  unsigned after = next(lane);
  unsigned neighbour = __shfl_down_sync(~0u, after, 1);
  return members >> (lane + 1) % 32 & 1 && lane < 31 ? neighbour + next(lane) : after;
}
__global__ void kernel(unsigned *out) {
  unsigned t = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
  out[blockIdx.x * all + t] = countLanes(t % 32);
}

int main() {
  for (dim3 block : {dim3(32), dim3(12, 4), dim3(40), dim3(20, 10)}) {
    unsigned threads = block.x * block.y;
    DeviceArray<unsigned> out(3 * threads);
    kernel<<<3, block>>>(out);
    CHECK(cudaGetLastError());
    std::vector<unsigned> got = out.host();
    for (unsigned i = 0; i < got.size(); ++i) {
      unsigned t = i % threads, lane = t % 32;
      bool hasNext = lane < 31 && t + 1 < threads;
      expectEqual(got[i], hasNext ? lane + 2 + lane + 1 : lane + 1, "sum", i);
    }
  }
  return finish();
}
