// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: %python %S/run-cases.py --tool=synccheck --configurations=hw,sw --set=core.num_warps=8 --set=run.max_instructions=2000000 %t %s not-named missing-lanes some-first two-barriers not-cooperative block-left loop-then-end barrier-in-branch branch-at-end loop-at-end in-lambda count-in-branch returns-first lane-passes-by tile-passes-by grid-passed named-barrier named-of-some
// RUN: %vxcc -O2 -fvx-check -I%inputs %S/../warp/meetings.cu -o %t.meetings
// RUN: %vxcc -O2 -fvx-check -I%inputs %S/../sync/barriers-apart.cu -o %t.apart
// RUN: env VX_LOWERING=hw vxcc-check --tool=synccheck --error-exitcode=1 %run %t.meetings
// RUN: env VX_LOWERING=sw vxcc-check --tool=synccheck --error-exitcode=1 %run %t.meetings
// RUN: env VX_LOWERING=hw vxcc-check --tool=synccheck,racecheck --error-exitcode=1 %run %t.apart
// RUN: env VX_LOWERING=sw vxcc-check --tool=synccheck,racecheck --error-exitcode=1 %run %t.apart
//
// synccheck: wrong synchronization, found at its line; none in the corrected twin, and none where
// threads meet that come from different places.
// All cases, with more ways to run them: programs.py.

#include "cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// --- barriers ------------------------------------------------------------------------------------

/// Threads may meet at different places, but not at different kinds of barriers.
__global__ void twoBarriers(int *to, bool bad) {
  if (threadIdx.x < 32) {
    to[threadIdx.x] = 1;
    __syncthreads(); // FINDS two-barriers: different-barriers
  } else {
    to[threadIdx.x] = 2;
    if (bad)
      __syncthreads_or(1); // FINDS two-barriers: different-barriers
    else
      __syncthreads();
  }
}
static void runTwoBarriers(bool bad) { twoBarriers<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void inBranch(int *to, int n) {
  if (threadIdx.x < n) {
    to[threadIdx.x] = 1;
    __syncthreads(); // FINDS barrier-in-branch: different-barriers
  }
  to[threadIdx.x] += 1;
  __syncthreads(); // FINDS barrier-in-branch: different-barriers
  to[threadIdx.x] += 1;
}
static void runInBranch(bool bad) { inBranch<<<1, 64>>>(numbers<int>(64), bad ? 40 : 64); }

__global__ void inLoop(int *to, int odd) {
  for (int i = 0; i < 1 + int(threadIdx.x & odd); ++i)
    __syncthreads(); // FINDS barrier-in-loop: different-barriers
  to[threadIdx.x] = 1;
  __syncthreads(); // FINDS barrier-in-loop: different-barriers
}
static void runInLoop(bool bad) { inLoop<<<1, 64>>>(numbers<int>(64), bad ? 1 : 0); }

__global__ void counts(int *to, bool bad) {
  int n = 0;
  if (!bad || threadIdx.x < 32)
    n = __syncthreads_count(threadIdx.x & 1); // FINDS count-in-branch: different-barriers
  to[threadIdx.x] = n;
  __syncthreads(); // FINDS count-in-branch: different-barriers
}
static void runCounts(bool bad) { counts<<<1, 64>>>(numbers<int>(64), bad); }

// Threads that go past a barrier and end, with no other barrier after it.

__global__ void branchThenEnd(int *to, int n) {
  if (threadIdx.x < n)
    __syncthreads(); // FINDS branch-then-end: missing-threads
  to[threadIdx.x] = 1;
}
static void runBranchThenEnd(bool bad) { branchThenEnd<<<1, 64>>>(numbers<int>(64), bad ? 40 : 64); }

__global__ void loopThenEnd(int *to, int n) {
  for (int i = threadIdx.x; i < n; i += 64) {
    to[i] += 1;
    __syncthreads(); // FINDS loop-then-end: missing-threads
  }
  if (threadIdx.x == 0)
    to[0] += to[63];
}
static void runLoopThenEnd(bool bad) { loopThenEnd<<<1, 64>>>(numbers<int>(256), bad ? 200 : 256); }

/// Nothing comes after the branch. The right one lets threads leave by a `return`.
__global__ void branchAtEnd(int *to, bool bad) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  if (bad) {
    if (t < 20) {
      __syncthreads(); // FINDS branch-at-end: missing-threads
      to[t] = tile[63 - t];
    } else {
      to[t] = 0;
    }
    return;
  }
  if (t >= 20) {
    to[t] = 0;
    return;
  }
  __syncthreads();
  to[t] = tile[63 - t];
}
static void runBranchAtEnd(bool bad) { branchAtEnd<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void loopAtEnd(int *to, int n, bool returns) {
  for (int i = threadIdx.x;; i += 64) {
    if (i >= n) {
      if (returns)
        return;
      break;
    }
    to[i] += 1;
    __syncthreads(); // FINDS loop-at-end: missing-threads
  }
}
static void runLoopAtEnd(bool bad) { loopAtEnd<<<1, 64>>>(numbers<int>(256), 200, !bad); }

/// A lambda, which is a function of its own.
template <typename F> __global__ void apply(F f) { f(int(threadIdx.x)); }
static void runInLambda(bool bad) {
  int *to = numbers<int>(64);
  apply<<<1, 64>>>([=] __device__(int t) {
    if (bad ? t < 20 : t < 64) {
      to[t] = 1;
      __syncthreads(); // FINDS in-lambda: missing-threads
    }
  });
}

__device__ void meetIf(bool comes) {
  if (comes)
    __syncthreads(); // FINDS in-function: missing-threads
}
__global__ void inFunction(int *to, bool bad) {
  meetIf(!bad || threadIdx.x < 32);
  to[threadIdx.x] = 1;
}
static void runInFunction(bool bad) { inFunction<<<1, 64>>>(numbers<int>(64), bad); }

/// Threads may leave early, wherever: before barriers, between them, out of a loop, and in a
/// function after which nothing comes. What they went past before, they did with all others.
__device__ void leavesEarly(int *to, int rounds, bool bad) {
  if (threadIdx.x >= 60)
    return;
  for (int i = 0; i < rounds; ++i) {
    if (i % 2)
      __syncthreads();
    to[threadIdx.x] += i;
    if (threadIdx.x >= 48 && i == 3)
      return;
    if (!bad || threadIdx.x < 8)
      __syncthreads(); // FINDS early: missing-threads
    to[threadIdx.x] += 1;
  }
}
__global__ void early(int *to, int rounds, bool bad) { leavesEarly(to, rounds, bad); }
static void runEarly(bool bad) { early<<<1, 64>>>(numbers<int>(64), bad ? 1 : 6, bad); }

/// A thread that returns out of a loop leaves its scope as all others do.
__global__ void returnsFromLoop(int *to, bool bad) {
  int t = threadIdx.x;
  for (int o = 32; o > 0; o /= 2) {
    int other = o;
    if (t < other)
      to[t] += to[t + other];
    if (!bad || t % 2)
      __syncthreads(); // FINDS returns-from-loop: missing-threads
    if (t >= other)
      return;
  }
  to[0] += 1;
}
static void runReturnsFromLoop(bool bad) { returnsFromLoop<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void namedBarrier(int *to, int n) {
  if (threadIdx.x < n)
    asm volatile("bar.sync 1, 64;"); // FINDS named-barrier: missing-threads
  to[threadIdx.x] = 1;
}
/// It is not known which threads it is for.
__global__ void namedOfSome(int *to, int n) {
  if (threadIdx.x < n)
    asm volatile("barrier.cta.sync 2, 64;"); // FINDS named-of-some: deadlock
  else
    asm volatile("bar.arrive 3, 32;");
  to[threadIdx.x] = 1;
}
static void runNamedOfSome(bool bad) { namedOfSome<<<1, 96>>>(numbers<int>(96), bad ? 32 : 64); }

static void runNamedBarrier(bool bad) { namedBarrier<<<1, 64>>>(numbers<int>(64), bad ? 32 : 64); }

// --- warp functions ------------------------------------------------------------------------------

__global__ void notNamed(int *to, unsigned mask) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_sync(mask, v, 0); // FINDS not-named: lane-not-named
  to[threadIdx.x] = v;
}
static void runNotNamed(bool bad) { notNamed<<<1, 32>>>(numbers<int>(32), bad ? 0x7fff : 0xffff); }

__global__ void missing(int *to, unsigned mask) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
    v += __shfl_xor_sync(mask, v, 1); // FINDS missing-lanes: missing-lanes
  __syncthreads();
  to[threadIdx.x] = v;
}
static void runMissing(bool bad) { missing<<<1, 32>>>(numbers<int>(32), bad ? ~0u : 0xffff); }

__global__ void syncInBranch(int *to, unsigned mask) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x >= 8) {
    __syncwarp(mask); // FINDS syncwarp-in-branch: missing-lanes
    s[threadIdx.x] += 1;
  }
  __syncthreads();
  to[threadIdx.x] = s[threadIdx.x];
}
static void runSyncInBranch(bool bad) {
  syncInBranch<<<1, 32>>>(numbers<int>(32), bad ? ~0u : ~0xffu);
}

__global__ void different(int *to, unsigned low, unsigned high) {
  int v;
  if (threadIdx.x < 16)
    v = __ballot_sync(low, threadIdx.x & 1); // FINDS different-functions: different-warp-functions
  else
    v = __any_sync(high, threadIdx.x & 1); // FINDS different-functions: different-warp-functions
  to[threadIdx.x] = v;
}
static void runDifferent(bool bad) {
  different<<<1, 32>>>(numbers<int>(32), bad ? ~0u : 0xffff, bad ? ~0u : 0xffff0000);
}

/// Some lanes vote among themselves before all do, or before they end; where a lane is a round of a loop,
/// the first ones wait for all by then.
__global__ void someFirst(int *to, unsigned some) {
  unsigned lane = threadIdx.x, v = lane;
  if (lane >= 8) {
    v += __any_sync(some, lane & 1); // FINDS some-first: different-warp-functions
    if (lane >= 24) {
      to[lane] = v;
      return;
    }
  }
  to[lane] = v + __ballot_sync(~0u, v & 2); // FINDS some-first: different-warp-functions
}
static void runSomeFirst(bool bad) { someFirst<<<1, 32>>>(numbers<int>(32), bad ? ~0u : ~0xffu); }

__global__ void divergentLoop(int *to, bool bad) {
  int v = threadIdx.x;
  for (unsigned i = 0; i < (bad ? threadIdx.x % 4 + 1 : 4); ++i)
    v += __shfl_down_sync(0xffffffff, v, 1); // FINDS loop-of-lanes: missing-lanes
  __syncthreads();
  to[threadIdx.x] = v;
}
static void runDivergentLoop(bool bad) { divergentLoop<<<1, 32>>>(numbers<int>(32), bad); }

__global__ void ended(int *to, bool bad) {
  if (threadIdx.x >= 16)
    return; // lanes that have ended need not come
  if (!bad || threadIdx.x < 8)
    __syncwarp(); // FINDS others-ended: missing-lanes
  __syncthreads();
  to[threadIdx.x] = 1;
}
static void runEnded(bool bad) { ended<<<1, 32>>>(numbers<int>(32), bad); }

/// A thread that returns a value has left the function; lanes of both ways meet before that.
__device__ int sumOrLess(int v, unsigned mask) {
  if (threadIdx.x >= 20) {
    v = __reduce_add_sync(~0u, v);
    return v;
  }
  v = __reduce_add_sync(~0u, 1);
  if (threadIdx.x < 10)
    v += __ballot_sync(mask, v & 1); // FINDS returns-first: different-warp-functions
  return v + __any_sync(0xfffff, v == 3); // FINDS returns-first: different-warp-functions
}
__global__ void returnsFirst(int *to, unsigned mask) { to[threadIdx.x] = sumOrLess(threadIdx.x, mask); }
static void runReturnsFirst(bool bad) {
  returnsFirst<<<1, 32>>>(numbers<int>(32), bad ? 0xfffff : 0x3ff);
}

__global__ void passesBy(int *to, unsigned mask) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_sync(mask, v, 3); // FINDS lane-passes-by: missing-lanes
  to[threadIdx.x] = v;
}
static void runPassesBy(bool bad) { passesBy<<<1, 32>>>(numbers<int>(32), bad ? ~0u : 0xffff); }

__global__ void voteAmongFewer(int *to, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += __ballot_sync(0xffffffff, i & 1) & 1; // FINDS ragged-loop: missing-lanes
  to[threadIdx.x] = sum;
}
static void runVoteAmongFewer(bool bad) { voteAmongFewer<<<1, 32>>>(numbers<int>(32), bad ? 80 : 96); }

// --- tiles ---------------------------------------------------------------------------------------

__global__ void halfTile(int *to, bool bad) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = threadIdx.x;
  if (!bad || tile.thread_rank() < 8)
    v = tile.shfl(v, 3); // FINDS half-tile: missing-lanes
  __syncthreads();
  to[threadIdx.x] = v;
}
static void runHalfTile(bool bad) { halfTile<<<1, 32>>>(numbers<int>(32), bad); }

__global__ void tilePassedBy(int *to, bool bad) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int v = 0;
  if (!bad || tile.thread_rank() < 4)
    v = tile.any(threadIdx.x == 9); // FINDS tile-passes-by: missing-lanes
  to[threadIdx.x] = v;
}
static void runTilePassedBy(bool bad) { tilePassedBy<<<1, 32>>>(numbers<int>(32), bad); }

__global__ void wideTile(int *to) {
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  tile.sync(); // FINDS incomplete-tile: incomplete-tile
  to[threadIdx.x] = tile.meta_group_rank();
}
static void runWideTile(bool bad) { wideTile<<<1, bad ? 96 : 128>>>(numbers<int>(128)); }

// --- grids ---------------------------------------------------------------------------------------

__global__ void wholeGrid(int *to) {
  to[threadIdx.x] = 1;
  cg::this_grid().sync(); // FINDS not-cooperative: not-cooperative
  to[threadIdx.x] = 2;
}
static void runNotCooperative(bool bad) {
  int *to = numbers<int>(32);
  void *args[] = {&to};
  if (bad)
    wholeGrid<<<2, 16>>>(to);
  else
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(wholeGrid), 2, 16, args, 0, nullptr);
}

__global__ void blockLeft(int *to, bool bad) {
  if (bad && blockIdx.x == 1)
    return;
  cg::this_grid().sync(); // FINDS block-left: deadlock
  to[threadIdx.x] = 2;
}
static void runBlockLeft(bool bad) {
  int *to = numbers<int>(32);
  void *args[] = {&to, &bad};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(blockLeft), 2, 16, args, 0, nullptr);
}

__global__ void gridPassed(int *to, bool bad) {
  if (!bad || threadIdx.x < 8)
    cg::this_grid().sync(); // FINDS grid-passed: missing-threads
  to[threadIdx.x] = 2;
}
static void runGridPassed(bool bad) {
  int *to = numbers<int>(32);
  void *args[] = {&to, &bad};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(gridPassed), 2, 16, args, 0, nullptr);
}

// --- threads that wait forever -------------------------------------------------------------------

__device__ volatile int released;
__global__ void spins(int *to, bool bad) {
  if (threadIdx.x == 0 && !bad)
    released = 1;
  if (threadIdx.x >= 32)
    while (released == 0)
      ;
  __syncthreads(); // FINDS spins-before-barrier: deadlock
  if (threadIdx.x == 0)
    released = 1;
  to[threadIdx.x] = 1;
}
static void runSpins(bool bad) { spins<<<1, 64>>>(numbers<int>(64), bad); }

static const Case cases[] = {
    {"two-barriers", runTwoBarriers},
    {"barrier-in-branch", runInBranch},
    {"barrier-in-loop", runInLoop},
    {"count-in-branch", runCounts},
    {"branch-then-end", runBranchThenEnd},
    {"loop-then-end", runLoopThenEnd},
    {"in-function", runInFunction},
    {"branch-at-end", runBranchAtEnd},
    {"loop-at-end", runLoopAtEnd},
    {"in-lambda", runInLambda},
    {"early", runEarly},
    {"returns-from-loop", runReturnsFromLoop},
    {"named-barrier", runNamedBarrier},
    {"named-of-some", runNamedOfSome},
    {"not-named", runNotNamed},
    {"missing-lanes", runMissing},
    {"syncwarp-in-branch", runSyncInBranch},
    {"different-functions", runDifferent},
    {"some-first", runSomeFirst},
    {"loop-of-lanes", runDivergentLoop},
    {"others-ended", runEnded},
    {"returns-first", runReturnsFirst},
    {"lane-passes-by", runPassesBy},
    {"ragged-loop", runVoteAmongFewer},
    {"half-tile", runHalfTile},
    {"tile-passes-by", runTilePassedBy},
    {"incomplete-tile", runWideTile},
    {"not-cooperative", runNotCooperative},
    {"block-left", runBlockLeft},
    {"grid-passed", runGridPassed},
    {"spins-before-barrier", runSpins},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
