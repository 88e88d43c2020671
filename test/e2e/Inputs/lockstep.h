// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of a CUDA block on the host, so that code with barriers can be compared with
// itself: each thread is a fiber that runs until it reaches a barrier or ends, and no fiber passes a
// barrier before all threads that have not ended are there. A warp function synchronizes the
// lanes that its member mask names (lockstep-warp.h). The functions below mean the same on both
// sides; a `__host__ __device__` function that uses them instead of CUDA's names runs on both.

#ifndef TEST_E2E_LOCKSTEP_H
#define TEST_E2E_LOCKSTEP_H

#include "harness.h"
#include <functional>
#include <memory>
#include <setjmp.h>
#include <ucontext.h>
#include <vector>

class Lockstep {
public:
  /// Runs BODY once for each thread of BLOCKS blocks, from number FIRST on. Threads that wait for
  /// each other, or lanes that synchronize at different functions, are a wrong result: the program
  /// is not valid CUDA.
  void run(dim3 gridDim, dim3 blockDim, unsigned first, unsigned blocks,
           const std::function<void()> &body) {
    grid = gridDim;
    dim = blockDim;
    work = &body;
    firstBlock = first;
    count = dim.x * dim.y * dim.z;
    all = count * blocks;
    while (fibers.size() < all)
      fibers.push_back(std::make_unique<Fiber>());
    for (now = 0; now < all; ++now)
      start(*fibers[now]);
    while (runReady())
      if (!releaseLanes() && !releaseBlocks() && !releaseGrid()) {
        expect(false, "threads that wait for each other in block", first);
        return;
      }
  }

  /// Number of threads at this barrier, and how many of them have a non-zero OPERAND.
  struct Votes {
    unsigned all, set;
  };
  Votes vote(unsigned operand) {
    fibers[now]->operand = operand;
    wait(AtBarrier);
    return votes;
  }
  /// Returns the VALUEs of all threads of the block at this barrier; they are gone at the next one.
  const std::vector<unsigned long long> &exchangeInBlock(unsigned long long value) {
    fibers[now]->value = value;
    wait(AtBarrier);
    return values;
  }
  /// Waits for all threads of all blocks that run.
  void waitForGrid() { wait(AtGrid); }

  /// The data that lanes of a warp have of each other after an exchange.
  struct Exchange {
    unsigned members; ///< those that took part
    unsigned long long values[32];
  };
  /// Exchanges values of the lanes of MASK that have not ended, at the same FUNCTION.
  const Exchange &exchangeInWarp(unsigned mask, unsigned function, unsigned long long value) {
    Fiber &self = *fibers[now];
    self.mask = mask;
    self.function = function;
    self.value = value;
    wait(AtExchange);
    return self.exchange;
  }
  /// Returns the lanes that took part in this thread's last exchange.
  unsigned lastMembers() const { return fibers[now]->exchange.members; }

  dim3 grid, dim;
  unsigned thread() const { return now % count; }
  dim3 bid() const {
    unsigned block = firstBlock + now / count;
    return dim3(block % grid.x, block / grid.x, 0);
  }

private:
  static constexpr size_t kStackBytes = 64 * 1024;
  enum State { Ready, AtBarrier, AtExchange, AtGrid, Ended };
  /// A fiber begins as a context and is then switched by jumps: a context's switch is a system call.
  struct Fiber {
    ucontext_t context;
    jmp_buf at;
    bool hasBegun = false;
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
    fiber.hasBegun = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
  }

  void wait(State state) {
    fibers[now]->state = state;
    if (!_setjmp(fibers[now]->at))
      _longjmp(scheduler, 1);
  }
  void resume(Fiber &fiber) {
    if (_setjmp(scheduler))
      return;
    if (fiber.hasBegun)
      _longjmp(fiber.at, 1);
    fiber.hasBegun = true;
    setcontext(&fiber.context);
  }

  /// Runs each thread as far as it gets, until all of a block wait; false when all have ended.
  bool runReady() {
    unsigned live = 0;
    for (now = 0; now < all; ++now) {
      if (fibers[now]->state == Ready)
        resume(*fibers[now]);
      live += fibers[now]->state != Ended;
    }
    return live > 0;
  }

  /// Releases the first block whose threads are all at a barrier, and runs it on: what it knows of
  /// the barrier is overwritten by the next block's.
  bool releaseBlocks() {
    for (unsigned first = 0; first < all; first += count)
      if (releaseBlock(first))
        return true;
    return false;
  }
  bool releaseBlock(unsigned first) {
    Votes found = {0, 0};
    for (unsigned i = first; i < first + count; ++i) {
      State state = fibers[i]->state;
      if (state != AtBarrier && state != Ended)
        return false;
      found.all += state == AtBarrier;
      found.set += state == AtBarrier && fibers[i]->operand != 0;
    }
    votes = found;
    values.resize(count);
    for (unsigned i = first; i < first + count; ++i)
      values[i - first] = fibers[i]->value;
    return release(AtBarrier, first, first + count);
  }

  bool releaseGrid() {
    for (unsigned i = 0; i < all; ++i)
      if (fibers[i]->state != AtGrid && fibers[i]->state != Ended)
        return false;
    return release(AtGrid, 0, all);
  }

  /// Makes threads ready that wait in STATE; false if there is none.
  bool release(State state, unsigned first, unsigned end) {
    bool any = false;
    for (unsigned i = first; i < end; ++i)
      if (fibers[i]->state == state) {
        fibers[i]->state = Ready;
        any = true;
      }
    return any;
  }

  bool releaseLanes() {
    bool any = false;
    for (unsigned i = 0; i < all; ++i)
      if (fibers[i]->state == AtExchange)
        any |= releaseWarp(i);
    return any;
  }

  /// Releases the lanes that thread FIRST names, if all of them are there.
  bool releaseWarp(unsigned first) {
    unsigned block = first / count * count, warp = block + (first - block) / 32 * 32;
    unsigned mask = fibers[first]->mask;
    Exchange exchange = {};
    for (unsigned lane = 0; lane < 32 && warp + lane < block + count; ++lane) {
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
  jmp_buf scheduler;
  Votes votes = {0, 0};
  std::vector<unsigned long long> values;
  unsigned now = 0, count = 1, all = 0, firstBlock = 0;
};

inline Lockstep &lockstep() {
  static Lockstep instance;
  return instance;
}

inline void Lockstep::enter() {
  Lockstep &self = lockstep();
  (*self.work)();
  self.fibers[self.now]->state = Ended;
  _longjmp(self.scheduler, 1);
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
__host__ inline unsigned bidX() { return lockstep().bid().x; }
__host__ inline unsigned bidY() { return lockstep().bid().y; }
__host__ inline dim3 blockSize() { return lockstep().dim; }
__host__ inline dim3 gridSize() { return lockstep().grid; }
__host__ inline void sync() { lockstep().vote(0); }
__host__ inline unsigned syncCount(unsigned v) { return lockstep().vote(v).set; }
__host__ inline unsigned syncAnd(unsigned v) {
  Lockstep::Votes votes = lockstep().vote(v);
  return votes.set == votes.all;
}
__host__ inline unsigned syncOr(unsigned v) { return lockstep().vote(v).set != 0; }
__host__ inline void addTo(unsigned *p, unsigned v) { *p += v; }

/// Returns the linear number of the thread in its block, and of its block in the grid.
__host__ __device__ inline unsigned linearThread() {
  return tidX() + blockSize().x * (tidY() + blockSize().y * tidZ());
}
__host__ __device__ inline unsigned linearBlock() { return bidX() + gridSize().x * bidY(); }

/// Runs BODY for every thread of a two-dimensional grid, block after block.
inline void runOnHost(dim3 grid, dim3 block, const std::function<void()> &beforeBlock,
                      const std::function<void()> &body) {
  for (unsigned i = 0; i < grid.x * grid.y; ++i) {
    beforeBlock();
    lockstep().run(grid, block, i, 1, body);
  }
}
/// Runs BODY with all blocks at once, so that the grid can synchronize.
inline void runGridOnHost(dim3 grid, dim3 block, const std::function<void()> &body) {
  lockstep().run(grid, block, 0, grid.x * grid.y, body);
}

#endif // TEST_E2E_LOCKSTEP_H
