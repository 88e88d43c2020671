// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %shapes %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: %vxcc -O3 --target=host %s -o %t.host && %t.host
//
// Barriers in shared memory at which threads arrive and wait separately: phases of a whole block, producers
// and consumers in different warps and in the lanes of one warp, threads that drop out, bytes of copies.

#include "../Inputs/harness.h"
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

using nvcuda::experimental::awbarrier;

constexpr int kThreads = 96, kRounds = 5, kStages = 2, kItems = 7;

/// In each phase, threads read what their neighbours wrote before it.
__global__ void phases(int *out) {
  __shared__ awbarrier barrier;
  __shared__ int values[kThreads];
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  values[t] = t + blockIdx.x;
  __syncthreads();
  for (int round = 0; round < kRounds; ++round) {
    barrier.arrive_and_wait();
    int next = values[(t + 1) % kThreads];
    auto token = barrier.arrive();
    next = 3 * next + round;
    barrier.wait(token);
    values[t] = next;
  }
  out[blockIdx.x * kThreads + t] = values[t];
}

/// The first SPLIT threads write items into a ring of buffers, the others read them.
__global__ void ring(int *out, int split, int items) {
  __shared__ __mbarrier_t full[kStages], empty[kStages];
  __shared__ int buffers[kStages][kThreads];
  const int t = threadIdx.x, readers = blockDim.x - split;
  if (t == 0)
    for (int s = 0; s < kStages; ++s) {
      __mbarrier_init(&full[s], split);
      __mbarrier_init(&empty[s], readers);
    }
  __syncthreads();
  int sum = 0;
  if (t < split) {
    for (int i = 0; i < items; ++i) {
      int stage = i % kStages, turn = i / kStages;
      if (turn > 0)
        while (!__mbarrier_test_wait_parity(&empty[stage], (turn - 1) & 1))
          ;
      buffers[stage][t] = 100 * i + t;
      __mbarrier_arrive(&full[stage]);
    }
  } else {
    for (int i = 0; i < items; ++i) {
      int stage = i % kStages, turn = i / kStages;
      while (!__mbarrier_test_wait_parity(&full[stage], turn & 1))
        ;
      for (int k = 0; k < split; ++k)
        sum = sum * 5 + buffers[stage][k] + t;
      __mbarrier_arrive(&empty[stage]);
    }
  }
  out[t] = sum;
}

/// Returns how many threads are left in phase ROUND: thread T takes part in T % kRounds + 1 phases.
__host__ __device__ int participants(int round) {
  int count = 0;
  for (int t = 0; t < kThreads; ++t)
    count += t % kRounds >= round;
  return count;
}

/// Each phase counts its threads; those that are still there see the number.
__global__ void dropOut(int *out) {
  __shared__ awbarrier barrier;
  __shared__ int counts[kRounds];
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  if (t < kRounds)
    counts[t] = 0;
  __syncthreads();
  for (int round = 0; round < t % kRounds; ++round) {
    atomicAdd(&counts[round], 1);
    barrier.arrive_and_wait();
    if (counts[round] != participants(round))
      atomicAdd(&out[kThreads], 1);
  }
  atomicAdd(&counts[t % kRounds], 1);
  barrier.arrive_and_drop();
  __syncthreads();
  out[t] = t < kRounds ? counts[t] : 0;
}

/// A phase that lacks an arrival and bytes; what a state says.
__global__ void bytes(int *out) {
  __shared__ __mbarrier_t barrier;
  unsigned at = __cvta_generic_to_shared(&barrier);
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, blockDim.x);
    out[0] = __mbarrier_test_wait_parity(&barrier, 1); // the phase before the first one
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 24;" ::"r"(at) : "memory");
  }
  __syncthreads();
  __mbarrier_token_t token;
  if (t == 0)
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], 32;"
                 : "=l"(token)
                 : "r"(at)
                 : "memory");
  else
    token = __mbarrier_arrive(&barrier);
  atomicAdd(&out[1], __mbarrier_token_pending_count(token));
  __syncthreads();
  if (t == 0) {
    out[2] = __mbarrier_test_wait(&barrier, token);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 8;" ::"r"(at) : "memory");
  }
  while (!__mbarrier_try_wait(&barrier, token, 100))
    ;
  out[3 + t] = __mbarrier_test_wait(&barrier, token);
}

/// Threads copy an element each; who waits for the barrier sees all of them.
__global__ void copies(int *out, const int *in) {
  __shared__ awbarrier barrier;
  __shared__ int values[kThreads];
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  nvcuda::experimental::pipeline pipe;
  __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));
  pipe.arrive_on(barrier);
  barrier.arrive_and_wait();
  out[t] = values[kThreads - 1 - t];
}

static std::vector<int> expectPhases(int block) {
  std::vector<int> v(kThreads), next(kThreads);
  for (int t = 0; t < kThreads; ++t)
    v[t] = t + block;
  for (int round = 0; round < kRounds; ++round) {
    for (int t = 0; t < kThreads; ++t)
      next[t] = 3 * v[(t + 1) % kThreads] + round;
    v = next;
  }
  return v;
}

static void checkRing(int split, int items) {
  DeviceArray<int> out(kThreads);
  ring<<<1, kThreads>>>(out, split, items);
  std::vector<int> got = out.host();
  for (int t = 0; t < kThreads; ++t) {
    unsigned sum = 0;
    for (int i = 0; t >= split && i < items; ++i)
      for (int k = 0; k < split; ++k)
        sum = sum * 5 + 100 * i + k + t;
    expectEqual(got[t], static_cast<int>(sum), "ring", split * 1000 + t);
  }
}

int main() {
  constexpr int kBlocks = 3;
  DeviceArray<int> rounds(kBlocks * kThreads), counts(kThreads + 1), states(3 + kThreads);
  phases<<<kBlocks, kThreads>>>(rounds);
  std::vector<int> got = rounds.host();
  for (int block = 0; block < kBlocks; ++block) {
    std::vector<int> want = expectPhases(block);
    for (int t = 0; t < kThreads; ++t)
      expectEqual(got[block * kThreads + t], want[t], "phases", t);
  }
  checkRing(32, kItems);
  checkRing(1, kItems);
  checkRing(40, kItems);

  dropOut<<<1, kThreads>>>(counts);
  got = counts.host();
  for (int round = 0; round < kRounds; ++round)
    expectEqual(got[round], participants(round), "threads of a phase", round);
  expectEqual(got[kThreads], 0, "threads that went on before all had arrived");

  bytes<<<1, kThreads>>>(states);
  got = states.host();
  expectEqual(got[0], 1, "the phase before the first");
  expectEqual(got[1], kThreads * (kThreads + 1) / 2, "pending arrivals");
  expectEqual(got[2], 0, "complete before all bytes are there");
  for (int t = 0; t < kThreads; ++t)
    expectEqual(got[3 + t], 1, "complete", t);

  std::vector<int> numbers(kThreads);
  for (int t = 0; t < kThreads; ++t)
    numbers[t] = t * t;
  DeviceArray<int> in(numbers), reversed(kThreads);
  copies<<<1, kThreads>>>(reversed, in);
  got = reversed.host();
  for (int t = 0; t < kThreads; ++t)
    expectEqual(got[t], numbers[kThreads - 1 - t], "copies", t);
  return finish();
}
