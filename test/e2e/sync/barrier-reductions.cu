// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
//
// __syncthreads_count, _and and _or: in straight code, in loops, several in one expression, in
// blocks with partial warps and blocks much larger than the core.

#include "../Inputs/harness.h"
#include <algorithm>

__global__ void reductions(int *out, int rounds) {
  const int t = threadIdx.x;
  int hash = 0;
  for (int round = 0; round < rounds; ++round) {
    int count = __syncthreads_count((t + round) % 3 == 0);
    int all = __syncthreads_and(t < 5 + round * 200);
    int any = __syncthreads_or((t == round * 31) << 20);
    hash = hash * 7 + count * 4 + (all != 0) * 2 + (any != 0);
    if (__syncthreads_count(t & 1) + __syncthreads_or(0) > 400)
      hash ^= 0x100;
  }
  out[blockIdx.x * blockDim.x + t] = hash;
}

static int wanted(int threads, int rounds) {
  int hash = 0;
  for (int round = 0; round < rounds; ++round) {
    int count = 0, odd = threads / 2;
    for (int t = 0; t < threads; ++t)
      count += (t + round) % 3 == 0;
    bool all = threads - 1 < 5 + round * 200, any = round * 31 < threads;
    hash = hash * 7 + count * 4 + all * 2 + any;
    if (odd > 400)
      hash ^= 0x100;
  }
  return hash;
}

__global__ void untilAllDone(int *steps, const unsigned *work) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned left = work[i];
  int rounds = 0;
  while (__syncthreads_or(left != 0)) {
    if (left != 0)
      left -= 1;
    ++rounds;
  }
  steps[i] = rounds;
}

int main() {
  const int rounds = 4;
  for (int threads : {1, 7, 33, 64, 200, 1000, 1024}) {
    DeviceArray<int> out(threads * 2);
    reductions<<<2, threads>>>(out, rounds);
    CHECK(cudaGetLastError());
    std::vector<int> got = out.host();
    for (int i = 0; i < threads * 2; ++i)
      expectEqual(got[i], wanted(threads, rounds), "reductions", threads * 10000 + i);

    std::vector<unsigned> work(threads * 2);
    for (size_t i = 0; i < work.size(); ++i)
      work[i] = mixed(i) % 6;
    DeviceArray<unsigned> deviceWork(work);
    untilAllDone<<<2, threads>>>(out, deviceWork);
    CHECK(cudaGetLastError());
    got = out.host();
    for (int i = 0; i < threads * 2; ++i) {
      unsigned most = 0;
      for (int t = 0; t < threads; ++t)
        most = std::max(most, work[i / threads * threads + t]);
      expectEqual(got[i], static_cast<int>(most), "untilAllDone", i);
    }
  }
  return finish();
}
