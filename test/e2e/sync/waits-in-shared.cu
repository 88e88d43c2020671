// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %shapes %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
//
// Loops that do nothing but wait for what other threads of the block write to shared memory, in
// blocks of all sizes: at a latch, for one thread, and one thread for the others.

#include "../Inputs/harness.h"

constexpr int kBlocks = 3;

/// Reads in a function of its own, as a header-only library does; so do waits.
__device__ int look(const int *p) {
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
__device__ void waitForZero(const int *p) {
  while (look(p) != 0)
    ;
}
__global__ void latchOfFunctions(int *seen) {
  __shared__ int missing;
  if (threadIdx.x == 0)
    missing = blockDim.x;
  __syncthreads();
  atomicSub(&missing, 1);
  waitForZero(&missing);
  seen[blockIdx.x * blockDim.x + threadIdx.x] = look(&missing);
}

/// Each thread counts down and waits until all have.
__global__ void latch(int *seen) {
  __shared__ int missing;
  if (threadIdx.x == 0)
    missing = blockDim.x;
  __syncthreads();
  atomicSub(&missing, 1);
  while (*static_cast<volatile int *>(&missing) != 0)
    ;
  seen[blockIdx.x * blockDim.x + threadIdx.x] = *static_cast<volatile int *>(&missing);
}

/// All wait for the last thread, which comes there last.
__global__ void forOne(int *seen) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    flag = blockIdx.x + 1;
  else
    while (flag == 0)
      ;
  seen[blockIdx.x * blockDim.x + threadIdx.x] = flag;
}

/// One thread, not of the first warp if there are several, waits for all others.
__global__ void oneForAll(int *seen) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x / 2) {
    while (atomicAdd(&count, 0) + 1 != blockDim.x)
      ;
    seen[blockIdx.x] = count;
  } else {
    atomicAdd(&count, 1);
  }
}

/// Uses the same latch next to a warp function.
__global__ void latchAndVote(int *seen) {
  __shared__ int missing;
  if (threadIdx.x == 0)
    missing = blockDim.x;
  __syncthreads();
  unsigned even = __ballot_sync(__activemask(), threadIdx.x % 2 == 0);
  atomicSub(&missing, 1);
  while (*static_cast<volatile int *>(&missing) != 0)
    ;
  seen[blockIdx.x * blockDim.x + threadIdx.x] = __popc(even);
}

/// Runs KERNEL in blocks of THREADS; WANTED(k) is the value at k of the first COUNT.
template <class Wanted>
void run(const char *name, void (*kernel)(int *), int threads, int count, Wanted wanted) {
  DeviceArray<int> seen(std::vector<int>(kBlocks * threads, -1));
  kernel<<<kBlocks, threads>>>(seen);
  std::vector<int> got = seen.host();
  for (int k = 0; k < count; ++k)
    expectEqual(got[k], wanted(k), name, k);
}

int main() {
  for (int threads : {1, 2, 32, 33, 96, 256}) {
    const int n = kBlocks * threads;
    run("latch", latch, threads, n, [](int) { return 0; });
    run("latchOfFunctions", latchOfFunctions, threads, n, [](int) { return 0; });
    run("forOne", forOne, threads, n, [=](int k) { return k / threads + 1; });
    run("oneForAll", oneForAll, threads, kBlocks, [=](int) { return threads - 1; });
    run("latchAndVote", latchAndVote, threads, n, [=](int k) {
      int first = k % threads / 32 * 32;
      int lanes = threads - first < 32 ? threads - first : 32;
      return (lanes + 1) / 2;
    });
  }
  return finish();
}
