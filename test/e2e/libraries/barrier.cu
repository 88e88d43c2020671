// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::barrier and cuda::pipeline of libcu++ as Debian has it, with copies of single threads and of
// groups: a barrier of the block, one with a completion function, a pipeline of one thread, one whose producers and consumers are warps
// of the block, and one of the whole block.
// RUN: %vxcc -O2 -std=c++17 -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t

#include "harness.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kBatches = 5, kStages = 2;

__global__ void viaBarrier(int *out, const int *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int4 values[kThreads];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&barrier, block.size());
  block.sync();
  const int t = threadIdx.x;
  int sum = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    cuda::memcpy_async(&values[t], reinterpret_cast<const int4 *>(in) + batch * kThreads + t,
                       sizeof(int4), barrier);
    barrier.arrive_and_wait();
    int4 v = values[(t + 7) % kThreads];
    sum = 3 * sum + v.x - v.y + v.z - v.w;
    barrier.wait(barrier.arrive());
  }
  out[t] = sum;
}

/// A completion function runs once in each phase, before any thread that waits proceeds, in one of the
/// threads: what it refers to are variables of thread 0. The second warp leaves before the last phase.
__global__ void viaCompletion(int *out, const int *in) {
  __shared__ int values[kThreads], total, phases;
  const int t = threadIdx.x;
  int count = blockDim.x, factor = in[0] | 1;
  auto complete = [&] {
    total = ++phases;
    for (int i = 0; i < count; ++i)
      total += factor * values[i];
  };
  using Barrier = cuda::barrier<cuda::thread_scope_block, decltype(complete)>;
  __shared__ alignas(Barrier) char place[sizeof(Barrier)];
  auto &barrier = *reinterpret_cast<Barrier *>(place);
  if (t == 0) {
    init(&barrier, count, complete);
    phases = 0;
  }
  __syncthreads();
  int sum = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    values[t] = in[batch * kThreads + t];
    barrier.arrive_and_wait();
    sum = 3 * sum + total;
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
  if (t < 32) {
    barrier.arrive_and_wait();
    sum += phases - 2 * kBatches - 1;
    barrier.arrive_and_wait();
    sum += phases - 2 * kBatches - 2;
  } else {
    barrier.arrive_and_drop();
  }
  out[t] = sum;
}

__global__ void viaThread(int *out, const int *in) {
  __shared__ int values[kStages][kThreads];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  int sum = 0;
  for (int batch = 0, fetch = 0; batch < kBatches; ++batch) {
    for (; fetch < kBatches && fetch < batch + kStages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(&values[fetch % kStages][t], in + fetch * kThreads + t, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum = 3 * sum + values[batch % kStages][(t + 1) % kThreads];
    __syncthreads();
    pipe.consumer_release();
  }
  out[t] = sum;
}

/// The first warp copies for the others.
__global__ void viaRoles(int *out, const int *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int values[kStages][32];
  auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  bool produces = t < 32;
  auto pipe = cuda::make_pipeline(block, &state,
                                  produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int batch = 0; batch < kBatches; ++batch)
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&values[batch % kStages][t], in + batch * 32 + t, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum = 3 * sum + values[batch % kStages][(t + 1) % 32];
      pipe.consumer_release();
    }
  out[t] = sum;
}

/// All threads copy and use; the group shares each copy.
__global__ void viaBlock(int *out, const int *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int values[kStages][kThreads];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int batch = 0, fetch = 0; batch < kBatches; ++batch) {
    for (; fetch < kBatches && fetch < batch + kStages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, values[fetch % kStages], in + fetch * kThreads,
                         sizeof(int) * kThreads, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = 3 * sum + values[batch % kStages][kThreads - 1 - threadIdx.x];
    block.sync(); // without roles, producers do not wait for consumers
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  std::vector<int> numbers(4 * kThreads * kBatches);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(i * 2654435761u >> 20);
  DeviceArray<int> in(numbers), out(kThreads);
  auto check = [&](const char *what, auto &&term) {
    std::vector<int> got = out.host();
    for (int t = 0; t < kThreads; ++t) {
      unsigned sum = 0;
      for (int batch = 0; batch < kBatches; ++batch)
        sum = 3 * sum + static_cast<unsigned>(term(batch, t));
      expectEqual(got[t], static_cast<int>(sum), what, t);
    }
  };
  viaBarrier<<<1, kThreads>>>(out, in);
  check("barrier", [&](int batch, int t) {
    const int *v = &numbers[4 * (batch * kThreads + (t + 7) % kThreads)];
    return v[0] - v[1] + v[2] - v[3];
  });
  viaCompletion<<<1, kThreads>>>(out, in);
  check("completion function", [&](int batch, int) {
    unsigned total = 2 * batch + 1;
    for (int i = 0; i < kThreads; ++i)
      total += static_cast<unsigned>((numbers[0] | 1) * numbers[batch * kThreads + i]);
    return total;
  });
  viaThread<<<1, kThreads>>>(out, in);
  check("pipeline of a thread",
        [&](int batch, int t) { return numbers[batch * kThreads + (t + 1) % kThreads]; });
  viaRoles<<<1, kThreads>>>(out, in);
  check("producers and consumers",
        [&](int batch, int t) { return t < 32 ? 0 : numbers[batch * 32 + (t + 1) % 32]; });
  viaBlock<<<1, kThreads>>>(out, in);
  check("pipeline of the block",
        [&](int batch, int t) { return numbers[batch * kThreads + kThreads - 1 - t]; });
  return finish();
}
