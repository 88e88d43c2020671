// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -Rvx-lower %s -o %t.3 2> %t.remarks
// RUN: %if !paths %{ FileCheck %s < %t.remarks %}
// RUN: %shapes %t.3 && env VX_LOWERING=hw %shapes --warp %t.3
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --lower=sw %t.3
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --few --lower=sw %t.3
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --few --lower=sw %t.3
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O0 --lower=sw %s -o %t.sw && %shapes --few %t.sw
// RUN: %vxcc -O3 --target=host %s -o %t.host && env VX_HOST_THREADS=3 %run %t.host
//
// Locks for which all threads contend, with the critical section after the loop that waits, left by
// break, and inside. In the first two the lane that has the lock is parked until the others have
// it, unless they proceed in rounds.

#include "../Inputs/harness.h"

constexpr int kLocks = 3;

__device__ void add(int *count, int value) {
  *static_cast<volatile int *>(count) = *static_cast<volatile int *>(count) + value;
  __threadfence();
}
__device__ unsigned threadNumber() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// CHECK-DAG: kernel 'behind(int*, int*)': lanes of a warp may wait for each other (line [[# @LINE + 2]]); in hw they continue in rounds
__global__ void behind(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  add(count, 1);
  atomicExch(lock, 0);
}

// CHECK-DAG: kernel 'leftByBreak(int*, int*)': lanes of a warp may wait for each other (line [[# @LINE + 3]]); in hw they continue in rounds
__global__ void leftByBreak(int *lock, int *count) {
  while (true)
    if (atomicExch(lock, 1) == 0) {
      add(count, 1);
      atomicExch(lock, 0);
      break;
    }
}

// CHECK-DAG: kernel 'inside(int*, int*)': hw variant with instructions of profile 'base', or {{.*}} (coarsened); auto takes it where
__global__ void inside(int *lock, int *count) {
  for (bool done = false; !done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      add(count, 1);
      atomicExch(lock, 0);
      done = true;
    }
}

// Locks of their own, for threads of one warp and of several blocks; tries are counted.
// CHECK-DAG: kernel 'severalLocks(int*, int*, int*)': lanes of a warp may wait for each other (line [[# @LINE + 3]]); in hw they continue in rounds
__global__ void severalLocks(int *locks, int *counts, int *tries) {
  unsigned i = threadNumber(), which = i % kLocks;
  while (atomicOr(&locks[which], 4) & 4)
    ++tries[i];
  add(&counts[which], 1);
  atomicAnd(&locks[which], ~4);
}

// Two locks at a time, in order; a loop out of line.
struct Mutex {
  int *word;
  __device__ __noinline__ void lock() {
    while (atomicCAS(word, 0, 1))
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(word, 0);
  }
};
// CHECK-DAG: kernel 'twoLocks(int*, int*)': lanes of a warp may wait for each other (line [[# @LINE - 9]]); in hw they continue in rounds
__global__ void twoLocks(int *locks, int *counts) {
  unsigned low = threadNumber() % (kLocks - 1);
  Mutex first{&locks[low]}, second{&locks[low + 1]};
  first.lock();
  second.lock();
  add(&counts[low], -1);
  add(&counts[low + 1], 1);
  second.unlock();
  first.unlock();
}

// Regions before and after the critical section, which has a fence.
// CHECK-DAG: kernel 'amongShuffles(int*, int*)': lanes of a warp may wait for each other (line [[# @LINE + 3]]); in hw they continue in rounds
__global__ void amongShuffles(int *lock, int *count) {
  int value = __shfl_xor_sync(~0u, int(threadIdx.x), 1);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  add(count, value);
  atomicExch(lock, 0);
  if (__any_sync(~0u, value < 0))
    *count = -1;
}

// One thread of a block or of a warp at a time: hw does well.
// CHECK-DAG: kernel 'oneThread(int*, int*)': hw variant with instructions of profile 'base'; auto takes it where
__global__ void oneThread(int *lock, int *count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    add(count, 1);
    atomicExch(lock, 0);
  }
}
// CHECK-DAG: kernel 'oneLane(int*, int*)': hw variant{{.*}} auto takes it where
__global__ void oneLane(int *lock, int *count) {
  unsigned rank = threadIdx.y * blockDim.x + threadIdx.x;
  int lanes = __popc(__ballot_sync(~0u, true));
  if (rank % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    add(count, lanes);
    atomicExch(lock, 0);
  }
  __syncwarp();
}

int main() {
  DeviceArray<int> locks(kLocks);
  for (int threads : {1, 32, 64, 75}) {
    const int blocks = 3, all = blocks * threads;
    DeviceArray<int> counts(8), several(kLocks), tries(all);
    auto expectCount = [&](int index, int want, const char *what) {
      expectEqual(counts.host()[index], want, what, threads);
    };
    behind<<<blocks, threads>>>(locks, counts);
    expectCount(0, all, "behind");
    leftByBreak<<<blocks, threads>>>(locks, counts + 1);
    expectCount(1, all, "left by break");
    inside<<<blocks, threads>>>(locks, counts + 2);
    expectCount(2, all, "inside");
    severalLocks<<<blocks, threads>>>(locks, several, tries);
    twoLocks<<<blocks, threads>>>(locks, several);
    std::vector<int> want(kLocks);
    for (int i = 0; i < all; ++i) {
      ++want[i % kLocks];
      --want[i % (kLocks - 1)];
      ++want[i % (kLocks - 1) + 1];
    }
    std::vector<int> got = several.host();
    for (int i = 0; i < kLocks; ++i)
      expectEqual(got[i], want[i], "several locks", i);
    oneThread<<<blocks, threads>>>(locks, counts + 3);
    expectCount(3, blocks, "one thread");
    if (threads % 32)
      continue;
    amongShuffles<<<blocks, threads>>>(locks, counts + 4);
    expectCount(4, blocks * threads * (threads - 1) / 2, "among shuffles");
    oneLane<<<blocks, dim3(16, threads / 16)>>>(locks, counts + 5);
    expectCount(5, all, "one lane");
  }
  return finish();
}
