// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of a CUDA block on the host, so that code with barriers can be compared with
// itself: each thread is a fiber that runs until it reaches a barrier or ends, and nobody passes a
// barrier before all threads that have not ended are there. The functions below mean the same on
// both sides; a `__host__ __device__` function that uses them instead of CUDA's names runs on both.

#ifndef TEST_E2E_LOCKSTEP_H
#define TEST_E2E_LOCKSTEP_H

#include "harness.h"
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

class Lockstep {
public:
  /// Runs BODY once for each thread of a block.
  void runBlock(dim3 gridDim, dim3 blockIdx, dim3 blockDim, const std::function<void()> &body) {
    grid = gridDim;
    bid = blockIdx;
    dim = blockDim;
    work = &body;
    unsigned count = dim.x * dim.y * dim.z;
    while (fibers.size() < count)
      fibers.push_back(std::make_unique<Fiber>());
    for (now = 0; now < count; ++now)
      start(*fibers[now]);
    for (unsigned live = count; live > 0;) {
      live = 0;
      reduce(count);
      for (now = 0; now < count; ++now) {
        if (fibers[now]->ended)
          continue;
        swapcontext(&home, &fibers[now]->context);
        live += !fibers[now]->ended;
      }
    }
  }

  /// Number of threads that meet at this barrier, and how many of them have a non-zero OPERAND.
  struct Votes {
    unsigned all, set;
  };
  Votes meet(unsigned operand) {
    fibers[now]->operand = operand;
    swapcontext(&fibers[now]->context, &home);
    return votes;
  }

  dim3 grid, bid, dim;
  unsigned thread() const { return now; }

private:
  static constexpr size_t kStackBytes = 64 * 1024;
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[kStackBytes]};
    bool ended = false;
    unsigned operand = 0;
  };

  static void enter();

  void start(Fiber &fiber) {
    fiber.ended = false;
    fiber.operand = 0;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = &home;
    makecontext(&fiber.context, enter, 0);
  }

  void reduce(unsigned count) {
    votes = {0, 0};
    for (unsigned i = 0; i < count; ++i) {
      votes.all += !fibers[i]->ended;
      votes.set += !fibers[i]->ended && fibers[i]->operand != 0;
    }
  }

  std::vector<std::unique_ptr<Fiber>> fibers;
  const std::function<void()> *work = nullptr;
  ucontext_t home;
  Votes votes;
  unsigned now = 0;
};

inline Lockstep &lockstep() {
  static Lockstep instance;
  return instance;
}

inline void Lockstep::enter() {
  Lockstep &self = lockstep();
  (*self.work)();
  self.fibers[self.now]->ended = true;
}

// The device's side …
__device__ inline unsigned tidX() { return threadIdx.x; }
__device__ inline unsigned tidY() { return threadIdx.y; }
__device__ inline unsigned tidZ() { return threadIdx.z; }
__device__ inline unsigned bidX() { return blockIdx.x; }
__device__ inline unsigned bidY() { return blockIdx.y; }
__device__ inline dim3 blockSize() { return blockDim; }
__device__ inline dim3 gridSize() { return gridDim; }
__device__ inline void sync() { __syncthreads(); }
__device__ inline unsigned syncCount(unsigned v) { return __syncthreads_count(v); }
__device__ inline unsigned syncAnd(unsigned v) { return __syncthreads_and(v) != 0; }
__device__ inline unsigned syncOr(unsigned v) { return __syncthreads_or(v) != 0; }
__device__ inline void addTo(unsigned *p, unsigned v) { atomicAdd(p, v); }

// … and the host's.
__host__ inline unsigned tidX() { return lockstep().thread() % lockstep().dim.x; }
__host__ inline unsigned tidY() { return lockstep().thread() / lockstep().dim.x % lockstep().dim.y; }
__host__ inline unsigned tidZ() { return lockstep().thread() / (lockstep().dim.x * lockstep().dim.y); }
__host__ inline unsigned bidX() { return lockstep().bid.x; }
__host__ inline unsigned bidY() { return lockstep().bid.y; }
__host__ inline dim3 blockSize() { return lockstep().dim; }
__host__ inline dim3 gridSize() { return lockstep().grid; }
__host__ inline void sync() { lockstep().meet(0); }
__host__ inline unsigned syncCount(unsigned v) { return lockstep().meet(v).set; }
__host__ inline unsigned syncAnd(unsigned v) {
  Lockstep::Votes votes = lockstep().meet(v);
  return votes.set == votes.all;
}
__host__ inline unsigned syncOr(unsigned v) { return lockstep().meet(v).set != 0; }
__host__ inline void addTo(unsigned *p, unsigned v) { *p += v; }

/// Linear number of the thread in its block, and of its block in the grid.
__host__ __device__ inline unsigned linearThread() {
  return tidX() + blockSize().x * (tidY() + blockSize().y * tidZ());
}
__host__ __device__ inline unsigned linearBlock() { return bidX() + gridSize().x * bidY(); }

/// Runs BODY for every thread of a two-dimensional grid, block after block.
inline void runOnHost(dim3 grid, dim3 block, const std::function<void()> &beforeBlock,
                      const std::function<void()> &body) {
  for (unsigned y = 0; y < grid.y; ++y)
    for (unsigned x = 0; x < grid.x; ++x) {
      beforeBlock();
      lockstep().runBlock(grid, dim3(x, y, 0), block, body);
    }
}

#endif // TEST_E2E_LOCKSTEP_H
