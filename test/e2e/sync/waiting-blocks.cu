// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3 && %shapes %t.3
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --lower=sw %t.3
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --few --lower=sw %t.3
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
// RUN: %vxcc -O0 %s -o %t.0 && env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t.0
//
// Blocks that wait for others while all of them run: a scan in one pass, in which each block looks
// back at what those before it have published (by one thread, and by a warp); blocks handing a
// value on; a lock that one thread of each block takes in a loop that only waits.

#include "../Inputs/harness.h"

enum : unsigned { Nothing, Own, Total };
struct Published {
  unsigned kind;
  int sum;
};

__device__ unsigned tickets, turn, lock;

__device__ Published read(volatile unsigned long long *word) {
  unsigned long long bits = *word;
  return {unsigned(bits >> 32), int(unsigned(bits))};
}
__device__ void publish(volatile unsigned long long *word, unsigned kind, int sum) {
  __threadfence();
  *word = static_cast<unsigned long long>(kind) << 32 | unsigned(sum);
}

__global__ void lookBack(const int *in, int *out, volatile unsigned long long *words) {
  __shared__ int block, before;
  if (threadIdx.x == 0) {
    block = atomicAdd(&tickets, 1);
    publish(&words[block], Own, in[block]);
    int sum = 0;
    for (int b = block - 1; b >= 0;) {
      Published p = read(&words[b]);
      if (p.kind == Nothing)
        continue;
      sum += p.sum;
      if (p.kind == Total)
        break;
      --b;
    }
    before = sum;
    publish(&words[block], Total, sum + in[block]);
  }
  __syncthreads();
  out[block * blockDim.x + threadIdx.x] = before + in[block];
}

/// Waits by a vote: the warp looks back at 32 blocks at a time.
__global__ void warpLooksBack(const int *in, int *out, volatile unsigned long long *words) {
  const unsigned lane = threadIdx.x;
  int block = lane == 0 ? atomicAdd(&tickets, 1) : 0;
  block = __shfl_sync(~0u, block, 0);
  if (lane == 0)
    publish(&words[block], block ? Own : Total, in[block]);
  int sum = 0;
  for (int last = block - 1; last >= 0; last -= 32) {
    Published p = {Total, 0};
    int b = last - int(lane);
    do {
      if (b >= 0)
        p = read(&words[b]);
    } while (__any_sync(~0u, p.kind == Nothing));
    unsigned totals = __ballot_sync(~0u, p.kind == Total);
    int nearest = totals ? __ffs(totals) - 1 : 31;
    sum += __reduce_add_sync(~0u, int(lane) <= nearest ? p.sum : 0);
    if (totals)
      break;
  }
  if (lane == 0 && block)
    publish(&words[block], Total, sum + in[block]);
  out[block * 32 + lane] = sum + in[block];
}

__global__ void handOn(int *value) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&turn, 0) != blockIdx.x)
      ;
    *value = *value * 3 + int(blockIdx.x);
    __threadfence();
    atomicAdd(&turn, 1);
  }
  __syncthreads();
}

__global__ void lockedCount(int *count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0u, 1u) != 0)
      ;
    __threadfence();
    int old = *static_cast<volatile int *>(count);
    *static_cast<volatile int *>(count) = old + 1;
    __threadfence();
    atomicExch(&lock, 0u);
  }
}

static void restart() {
  unsigned zero = 0;
  CHECK(cudaMemcpyToSymbol(tickets, &zero, sizeof(zero)));
  CHECK(cudaMemcpyToSymbol(turn, &zero, sizeof(zero)));
}

int main() {
  for (int threads : {1, 32, 70}) {
    const int blocks = 41;
    std::vector<int> in(blocks);
    for (int b = 0; b < blocks; ++b)
      in[b] = int(mixed(b) % 1000);
    DeviceArray<int> deviceIn(in), out(blocks * threads), value(1), count(1);
    DeviceArray<unsigned long long> words(blocks), moreWords(blocks);
    auto compare = [&](const std::vector<int> &got, int width, const char *name) {
      int want = 0;
      for (int b = 0; b < blocks; ++b) {
        want += in[b];
        for (int t = 0; t < width; ++t)
          expectEqual(got[b * width + t], want, name, b * width + t);
      }
    };
    restart();
    lookBack<<<blocks, threads>>>(deviceIn, out, words);
    compare(out.host(), threads, "lookBack");
    if (threads == 32) {
      restart();
      warpLooksBack<<<blocks, 32>>>(deviceIn, out, moreWords);
      compare(out.host(), 32, "warpLooksBack");
    }
    handOn<<<blocks, threads>>>(value);
    int want = 0;
    for (int b = 0; b < blocks; ++b)
      want = static_cast<int>(unsigned(want) * 3 + unsigned(b));
    expectEqual(value.host()[0], want, "handOn", threads);
    restart();
    lockedCount<<<blocks, threads>>>(count);
    expectEqual(count.host()[0], blocks, "lockedCount", threads);
  }
  return finish();
}
