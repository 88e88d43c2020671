// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// The last block to finish sums what all blocks wrote: __threadfence, an atomic ticket and volatile
// reads. Also a clock that moves forward.

#include "../Inputs/harness.h"

__device__ unsigned ticket = 0;

__global__ void sumAll(const int *in, int n, volatile int *partial, int *total) {
  __shared__ int blockTotal;
  __shared__ bool last;
  if (threadIdx.x == 0)
    blockTotal = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  atomicAdd(&blockTotal, mine);
  __threadfence_block();
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockTotal;
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      sum += partial[b];
    *total = sum;
    __threadfence_system();
  }
}

__global__ void clocks(long long *out) {
  long long begin = clock64();
  clock_t shortBegin = clock();
  volatile int work = 0;
  for (int i = 0; i < 50; ++i)
    work = work + i;
  out[threadIdx.x * 2] = clock64() - begin;
  out[threadIdx.x * 2 + 1] = clock() - shortBegin;
}

int main() {
  const int n = 3000, blocks = 11;
  std::vector<int> in(n);
  int want = 0;
  for (int i = 0; i < n; ++i)
    want += in[i] = static_cast<int>(mixed(i) % 100);
  DeviceArray<int> deviceIn(in), partial(blocks), total(1);
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaMemset(total, 0, sizeof(int)));
    sumAll<<<blocks, 70>>>(deviceIn, n, partial, total);
    expectEqual(total.host()[0], want, "sumAll", round);
  }
  DeviceArray<long long> times(2 * 40);
  clocks<<<1, 40>>>(times);
  std::vector<long long> got = times.host();
  for (int i = 0; i < 80; ++i)
    expect(got[i] > 0 && got[i] < 1000000000, "clock", i);
  return finish();
}
