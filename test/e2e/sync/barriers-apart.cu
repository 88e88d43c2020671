// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_LOWERING=hw %shapes --few %t
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: %vxcc -O0 -I%inputs %s -o %t.0 && env VX_SET=core.num_warps=2,core.num_threads=4 %run %t.0
// RUN: %vxcc --vx-isa=paths -I%inputs %s -o %t.paths
// RUN: env VX_SET=core.divergence=paths,core.num_warps=4,core.num_threads=8 %run %t.paths
// RUN: %vxcc --target=host -I%inputs %s -o %t.host && %run %t.host
//
// The threads of a block meet at __syncthreads() wherever each of them comes from: warps with other
// work, loops with other numbers of iterations, sides of a branch. Each body runs on the host as
// well, a thread for each of the block's.

#include "harness.h"
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

struct DeviceBlock {
  __device__ void sync() { __syncthreads(); }
  __device__ int count(int p) { return __syncthreads_count(p); }
};

/// A barrier that threads which have ended do not count for.
class HostBlock {
public:
  explicit HostBlock(int threads) : alive(threads) {}

  void sync() { count(0); }
  int count(int p) {
    std::unique_lock<std::mutex> lock(mutex);
    unsigned own = phase;
    sum += p != 0;
    ++arrived;
    complete();
    changed.wait(lock, [&] { return phase != own; });
    return result;
  }
  void end() {
    std::lock_guard<std::mutex> lock(mutex);
    --alive;
    complete();
  }

private:
  void complete() {
    if (arrived == 0 || arrived < alive)
      return;
    result = sum;
    sum = arrived = 0;
    ++phase;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  int alive, arrived = 0, sum = 0, result = 0;
  unsigned phase = 0;
};

#define BODY template <class B> static __host__ __device__ int run(B &block, int *shared, int t, int n)

/// The first warp produces, the others read what it has written.
struct Specialised {
  BODY {
    int v = 0;
    if (t < 32) {
      for (int round = 0; round < 3; ++round) {
        shared[t] = round * 100 + t;
        block.sync();
        block.sync();
      }
    } else {
      int step = 0;
      do {
        block.sync();
        v = v * 3 + shared[(t * 7 + step) & 31];
        block.sync();
      } while (++step < 3);
    }
    return v;
  }
};

/// The threads meet at as many barriers in loops of other lengths, and after them.
struct TripCounts {
  BODY {
    int own = t / 32 % 3 + 1, v = 0;
    for (int i = 0; i < own; ++i) {
      if (i == 0)
        shared[t] = own * 50 + t;
      block.sync();
    }
    v = shared[(t + 32) % n];
    for (int i = own; i < 4; ++i)
      block.sync();
    shared[t] = v;
    block.sync();
    return shared[n - 1 - t] + own;
  }
};

/// Threads of one warp on both sides.
struct Sides {
  BODY {
    if (t & 1) {
      shared[t] = t;
      block.sync();
    } else {
      shared[t] = -t;
      block.sync();
      shared[t] *= 2;
    }
    block.sync();
    return shared[(t + 1) % n];
  }
};

struct Counts {
  BODY {
    if (t % 5 == 0)
      return block.count(t % 2) + 1000;
    return block.count(t % 3 == 0);
  }
};

/// A warp ends after its first barrier.
struct Ends {
  BODY {
    shared[t] = t * 3;
    if (t / 32 == 1) {
      block.sync();
      return shared[t ^ 1] + 5;
    }
    block.sync();
    int v = shared[32 % n] + shared[t];
    block.sync();
    shared[t] = v;
    block.sync();
    return shared[t ^ 1];
  }
};

template <class Body> __global__ void runBody(int *out, int n) {
  __shared__ int shared[128];
  DeviceBlock block;
  out[threadIdx.x] = Body::run(block, shared, threadIdx.x, n);
}

template <class Body> void check(const char *name) {
  for (int threads : {64, 96}) {
    std::vector<int> want(threads), shared(128);
    HostBlock block(threads);
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        want[t] = Body::run(block, shared.data(), t, threads);
        block.end();
      });
    for (std::thread &t : all)
      t.join();
    DeviceArray<int> out(threads);
    runBody<Body><<<1, threads>>>(out, threads);
    std::vector<int> got = out.host();
    for (int t = 0; t < threads; ++t)
      expectEqual(got[t], want[t], name, threads * 1000 + t);
  }
}

int main() {
#define TRY(B) check<B>(#B)
  TRY(Specialised);
  TRY(TripCounts);
  TRY(Sides);
  TRY(Counts);
  TRY(Ends);
  return finish();
}
