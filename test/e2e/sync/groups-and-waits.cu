// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3 && %shapes --few --lower=sw %t.3
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Tiles of several warps in kernels whose threads wait for another block, or for a lock.

#include "../Inputs/harness.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int lock, flag, count;

__global__ void reset() {
  lock = flag = count = 0;
}

// Each thread of the second block waits for the first.
__global__ void otherBlock() {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  tile.sync();
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      __threadfence();
      *static_cast<volatile int *>(&flag) = 1;
    }
  } else {
    while (*static_cast<volatile int *>(&flag) == 0)
      ;
  }
  tile.sync();
  atomicAdd(&count, 1);
}

__device__ void addUnderLock() {
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  volatile int *c = &count;
  *c = *c + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void allLock() {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  tile.sync();
  addUnderLock();
  tile.sync();
}

__global__ void leaderLocks() {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (tile.any(threadIdx.x % 64 == 3) && tile.thread_rank() == 0)
    for (int i = 0; i < 64; ++i)
      addUnderLock();
  tile.sync();
}

int main() {
  for (auto *kernel : {otherBlock, allLock, leaderLocks}) {
    reset<<<1, 1>>>();
    kernel<<<2, 128>>>();
    CHECK(cudaDeviceSynchronize());
    int got;
    CHECK(cudaMemcpyFromSymbol(&got, count, sizeof got));
    expectEqual(got, 256, "threads", kernel == otherBlock ? 0 : kernel == allLock ? 1 : 2);
  }
  return finish();
}
