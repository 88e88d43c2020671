// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc --vx-isa=paths --vx-xlen=32,64 -I%inputs %s -o %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=1,core.num_threads=32 %run %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=2,core.num_threads=16,isa.xlen=32 %run %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=4,core.num_threads=8,num_cores=2 %run %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=2,core.num_threads=32 %run %t.paths
// RUN: env VX_MODE=timing VX_SET=core.divergence=paths,core.num_threads=8 %run %t.paths
// RUN: %vxcc -O0 --vx-isa=paths -I%inputs %s -o %t.0
// RUN: env VX_SET=core.divergence=paths,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc --target=host -I%inputs %s -o %t.host && %run %t.host
//
// Some threads of a warp end before the warp functions of the others, in blocks that a core runs in
// several chunks and in grids of more blocks than it has room for: lanes that have ended are not at
// those of the next thread or block.

#include "harness.h"
#include <algorithm>

enum { Blocks = 9, MostThreads = 200 };

/// Stores which threads of the warp are left, and a number that only the first of them computes.
__global__ void leave(int *out, unsigned every) {
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t % 32 == 31 - blockIdx.x)
    return;
  unsigned left = ~(1u << (31 - blockIdx.x));
  if (t / 32 == (blockDim.x - 1) / 32 && blockDim.x % 32)
    left &= (1u << blockDim.x % 32) - 1;
  int sum = 0;
  for (unsigned round = 0; round < 3; ++round) {
    unsigned odd = __ballot_sync(left, t % every == round);
    int first = __ffs(left) - 1;
    sum += __popc(odd) * 1000 + __shfl_sync(left, int(i), first);
  }
  out[i] = sum;
}

static int expectLeave(unsigned block, unsigned threads, unsigned t, unsigned every) {
  unsigned first = t / 32 * 32, end = std::min(first + 32, threads), out = first + 31 - block;
  if (t == out)
    return -1;
  int sum = 0;
  for (unsigned round = 0; round < 3; ++round) {
    int odd = 0;
    for (unsigned other = first; other < end; ++other)
      odd += other != out && other % every == round;
    sum += odd * 1000 + int(block * threads + (first == out ? first + 1 : first));
  }
  return sum;
}

/// With __syncwarp and memory of the warp; the second part of it ends before the first.
__global__ void leaveOneByOne(int *out) {
  __shared__ int values[MostThreads];
  unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
  unsigned warp = t / 32, members = min(32u, blockDim.x - warp * 32);
  for (unsigned left = members; left > 1; left -= left / 4 + 1) {
    if (lane >= left)
      return;
    unsigned mask = left == 32 ? ~0u : (1u << left) - 1;
    values[t] = int(i * left);
    __syncwarp(mask);
    out[i] = values[warp * 32 + (lane + 1) % left];
    __syncwarp(mask);
  }
}

static int expectOneByOne(unsigned block, unsigned threads, unsigned t) {
  unsigned lane = t % 32, warp = t / 32, members = std::min(32u, threads - warp * 32);
  int result = -1;
  for (unsigned left = members; left > 1 && lane < left; left -= left / 4 + 1)
    result = int((block * threads + warp * 32 + (lane + 1) % left) * left);
  return result;
}

/// Threads that ask who is with them are of one warp.
__global__ void aggregate(int *out, int *warps) {
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t % 5 == blockIdx.x % 5)
    return;
  if (t % 3) {
    unsigned mask = __activemask();
    int leader = __ffs(mask) - 1;
    int warp = __shfl_sync(mask, int(i / 32 + blockIdx.x), leader);
    out[i] = warp == int(i / 32 + blockIdx.x);
    if (int(t % 32) == leader)
      atomicAdd(&warps[blockIdx.x], __popc(mask));
  }
}

int main() {
  for (unsigned threads : {32u, 64u, 72u, 96u, 200u}) {
    std::vector<int> empty(Blocks * threads, -1);
    for (unsigned every : {1u, 2u, 5u}) {
      DeviceArray<int> out(empty);
      leave<<<Blocks, threads>>>(out, every);
      CHECK(cudaGetLastError());
      std::vector<int> got = out.host();
      for (unsigned i = 0; i < got.size(); ++i)
        expectEqual(got[i], expectLeave(i / threads, threads, i % threads, every), "leave", i);
    }
    DeviceArray<int> out(empty);
    leaveOneByOne<<<Blocks, threads>>>(out);
    CHECK(cudaGetLastError());
    std::vector<int> got = out.host();
    for (unsigned i = 0; i < got.size(); ++i)
      expectEqual(got[i], expectOneByOne(i / threads, threads, i % threads), "leaveOneByOne", i);

    DeviceArray<int> same(empty), warps(Blocks);
    aggregate<<<Blocks, threads>>>(same, warps);
    CHECK(cudaGetLastError());
    got = same.host();
    std::vector<int> counts = warps.host(), expected(Blocks, 0);
    for (unsigned i = 0; i < got.size(); ++i) {
      unsigned t = i % threads, block = i / threads;
      bool asks = t % 5 != block % 5 && t % 3;
      expected[block] += asks;
      if (threads % 32 == 0)
        expectEqual(got[i], asks ? 1 : -1, "aggregate", i);
    }
    for (unsigned block = 0; block < Blocks; ++block)
      expectEqual(counts[block], expected[block], "aggregate, warps", block);
  }
  return finish();
}
