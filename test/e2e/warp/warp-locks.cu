// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks that a warp takes as a whole: one lane gets or frees the lock, a shuffle tells the others.
// The lock is a bit of the record that it guards, so a release before the other lanes have written
// the record loses it: the fence before the release has to synchronize the warp.
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_LOWERING=hw %shapes --warp %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --warp --lower=sw %t
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --warp --lower=sw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --warp --lower=sw %t
// RUN: %vxcc -O0 %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 --target=host %s -o %t.host && env VX_HOST_THREADS=3 %run %t.host

#include "../Inputs/harness.h"

constexpr unsigned kLocked = 0x80000000u, kBuckets = 5, kWords = 32;

__device__ unsigned lane() {
  return threadIdx.x & 31;
}

__device__ bool isTaken(unsigned *record) {
  bool taken = true;
  if (lane() == 1)
    taken = atomicOr(&record[1], kLocked) & kLocked;
  return __shfl_sync(~0u, taken, 1);
}
__device__ void lock(unsigned *record) {
  while (isTaken(record))
    ;
  __threadfence();
}
__device__ void unlock(unsigned *record) {
  __threadfence();
  if (lane() == 1)
    atomicAnd(&record[1], ~kLocked);
}

/// Each warp inserts the keys of its lanes one by one, and tries again if it does not get the lock.
/// Lane 30 writes the word with the lock, as it was read.
__global__ void insert(const unsigned *keys, unsigned count, unsigned *buckets) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, key = 0;
  bool waits = thread < count;
  if (thread - lane() >= count)
    return;
  if (waits)
    key = keys[thread];
  while (unsigned queue = __ballot_sync(~0u, waits)) {
    int first = __ffs(queue) - 1;
    unsigned now = __shfl_sync(~0u, key, first);
    unsigned *record = buckets + now % kBuckets * kWords;
    if (isTaken(record))
      continue;
    __threadfence();
    unsigned word = record[31 - lane()], next = __shfl_sync(~0u, word, (lane() + 1) & 31);
    // All words of a record are one number, except the lock.
    if ((word & ~kLocked) == (next & ~kLocked))
      record[31 - lane()] = word + now;
    unlock(record);
    if (int(lane()) == first)
      waits = false;
  }
}

/// Each warp moves an amount between two records, and holds both locks, in the order of numbers.
__global__ void move(const unsigned *keys, unsigned count, unsigned *buckets) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
  for (unsigned i = warp; i < count; i += warps) {
    unsigned low = keys[i] % (kBuckets - 1), high = low + 1;
    unsigned *from = buckets + low * kWords, *to = buckets + high * kWords;
    lock(from);
    lock(to);
    unsigned a = from[31 - lane()], b = to[31 - lane()];
    from[31 - lane()] = a - 1;
    to[31 - lane()] = b + 1;
    unlock(to);
    unlock(from);
  }
}

int main() {
  const unsigned count = 150;
  std::vector<unsigned> keys(count), want(kBuckets);
  for (unsigned i = 0; i < count; ++i)
    keys[i] = mixed(i) % 1000;
  DeviceArray<unsigned> deviceKeys(keys), buckets(kBuckets * kWords);
  auto compare = [&](const char *what) {
    std::vector<unsigned> got = buckets.host();
    for (unsigned i = 0; i < kBuckets * kWords; ++i)
      expectEqual(got[i], want[i / kWords], what, i);
  };
  insert<<<3, 64>>>(deviceKeys, count, buckets);
  for (unsigned key : keys)
    want[key % kBuckets] += key;
  compare("insert");
  move<<<4, 96>>>(deviceKeys, count, buckets);
  for (unsigned key : keys) {
    --want[key % (kBuckets - 1)];
    ++want[key % (kBuckets - 1) + 1];
  }
  compare("move");
  return finish();
}
