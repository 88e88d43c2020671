// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of a CUDA block on the host, so that code with barriers can be compared with
// itself: each thread is a fiber that runs until it reaches a barrier or ends, and nobody passes a
// barrier before all threads that have not ended are there. A warp function is a meeting of the
// lanes that its member mask names (lockstep-warp.h). The functions below mean the same on both
// sides; a `__host__ __device__` function that uses them instead of CUDA's names runs on both.

#ifndef TEST_E2E_LOCKSTEP_H
#define TEST_E2E_LOCKSTEP_H

#include "harness.h"
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

class Lockstep {
public:
  /// Runs BODY once for each thread of a block. Threads that wait for each other, or lanes that meet
  /// at different functions, are a wrong result: the program is no valid CUDA.
  void runBlock(dim3 gridDim, dim3 blockIdx, dim3 blockDim, const std::function<void()> &body) {
    grid = gridDim;
    bid = blockIdx;
    dim = blockDim;
    work = &body;
    count = dim.x * dim.y * dim.z;
    while (fibers.size() < count)
      fibers.push_back(std::make_unique<Fiber>());
    for (now = 0; now < count; ++now)
      start(*fibers[now]);
    while (runReady())
      if (!releaseLanes() && !releaseBlock()) {
        expect(false, "threads that wait for each other in block", bid.x);
        return;
      }
  }

  /// Number of threads that meet at this barrier, and how many of them have a non-zero OPERAND.
  struct Votes {
    unsigned all, set;
  };
  Votes meet(unsigned operand) {
    fibers[now]->operand = operand;
    wait(AtBarrier);
    return votes;
  }

  /// What the lanes of a warp that met know of each other.
  struct Exchange {
    unsigned members; ///< those that took part
    unsigned long long values[32];
  };
  /// The lanes of MASK that have not ended meet, at the same FUNCTION.
  const Exchange &meetLanes(unsigned mask, unsigned function, unsigned long long value) {
    Fiber &self = *fibers[now];
    self.mask = mask;
    self.function = function;
    self.value = value;
    wait(AtExchange);
    return self.exchange;
  }
  /// The lanes that took part in this thread's last meeting.
  unsigned lastMembers() const { return fibers[now]->exchange.members; }

  dim3 grid, bid, dim;
  unsigned thread() const { return now; }

private:
  static constexpr size_t kStackBytes = 64 * 1024;
  enum State { Ready, AtBarrier, AtExchange, Ended };
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[kStackBytes]};
    State state = Ready;
    unsigned operand = 0;
    unsigned mask = 0, function = 0;
    unsigned long long value = 0;
    Exchange exchange;
  };

  static void enter();

  void start(Fiber &fiber) {
    fiber.state = Ready;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = &home;
    makecontext(&fiber.context, enter, 0);
  }

  void wait(State state) {
    fibers[now]->state = state;
    swapcontext(&fibers[now]->context, &home);
  }

  /// Runs each thread as far as it gets; false when all have ended.
  bool runReady() {
    unsigned live = 0;
    for (now = 0; now < count; ++now) {
      if (fibers[now]->state == Ready)
        swapcontext(&home, &fibers[now]->context);
      live += fibers[now]->state != Ended;
    }
    return live > 0;
  }

  bool releaseBlock() {
    votes = {0, 0};
    for (unsigned i = 0; i < count; ++i) {
      if (fibers[i]->state != AtBarrier && fibers[i]->state != Ended)
        return false;
      votes.all += fibers[i]->state == AtBarrier;
      votes.set += fibers[i]->state == AtBarrier && fibers[i]->operand != 0;
    }
    for (unsigned i = 0; i < count; ++i)
      if (fibers[i]->state == AtBarrier)
        fibers[i]->state = Ready;
    return true;
  }

  bool releaseLanes() {
    bool any = false;
    for (unsigned i = 0; i < count; ++i)
      if (fibers[i]->state == AtExchange)
        any |= release(i);
    return any;
  }

  /// Lets the lanes go that thread FIRST names, if all of them are there.
  bool release(unsigned first) {
    unsigned warp = first / 32 * 32, mask = fibers[first]->mask;
    Exchange exchange = {};
    for (unsigned lane = 0; lane < 32 && warp + lane < count; ++lane) {
      Fiber &fiber = *fibers[warp + lane];
      if (!(mask >> lane & 1) || fiber.state == Ended)
        continue;
      if (fiber.state != AtExchange || fiber.mask != mask ||
          fiber.function != fibers[first]->function)
        return false;
      exchange.members |= 1u << lane;
      exchange.values[lane] = fiber.value;
    }
    if (!(exchange.members >> (first - warp) & 1))
      return false; // a lane that is not in its own mask
    for (unsigned lane = 0; lane < 32; ++lane)
      if (exchange.members >> lane & 1) {
        fibers[warp + lane]->exchange = exchange;
        fibers[warp + lane]->state = Ready;
      }
    return true;
  }

  std::vector<std::unique_ptr<Fiber>> fibers;
  const std::function<void()> *work = nullptr;
  ucontext_t home;
  Votes votes;
  unsigned now = 0, count = 0;
};

inline Lockstep &lockstep() {
  static Lockstep instance;
  return instance;
}

inline void Lockstep::enter() {
  Lockstep &self = lockstep();
  (*self.work)();
  self.fibers[self.now]->state = Ended;
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
