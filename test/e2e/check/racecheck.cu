// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 -fvx-check %s -o %t
// RUN: %python %S/run-cases.py --tool=racecheck --configurations=hw,sw --set=core.num_warps=8 %t %s shared-raw global-ww missing-fence past-caches shuffle tile counter named-barrier block-scope mixed-scopes volatile-warp zeroed ends-apart ends-after-read warp-ends
//
// racecheck: accesses that nothing orders, found with both their lines; none in the corrected twin.
// All cases, with more ways to run them: programs.py.

#include "cases.h"
#include <cooperative_groups.h>
#include <cuda_awbarrier.h>
#include <utility>
namespace cg = cooperative_groups;

// --- shared memory -------------------------------------------------------------------------------

__global__ void reverse(int *to, bool bad) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x; // FINDS shared-raw: race-read-write
  if (!bad)
    __syncthreads();
  to[threadIdx.x] = tile[127 - threadIdx.x]; // FINDS shared-raw: race-read-write
}
static void runSharedRaw(bool bad) { reverse<<<1, 128>>>(numbers<int>(128), bad); }

__global__ void shift(int *to, bool bad) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int next = tile[(threadIdx.x + 33) % 64]; // FINDS shared-war: race-read-write
  if (!bad)
    __syncthreads();
  tile[threadIdx.x] = next + 1; // FINDS shared-war: race-read-write
  __syncthreads();
  to[threadIdx.x] = tile[63 - threadIdx.x];
}
static void runSharedWar(bool bad) { shift<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void last(int *to, bool bad) {
  __shared__ int winner[2];
  if (threadIdx.x % 32 == 0)
    winner[bad ? 0 : threadIdx.x / 32] = threadIdx.x; // FINDS shared-ww: race-write-write
  __syncthreads();
  to[threadIdx.x] = winner[0];
}
static void runSharedWw(bool bad) { last<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void dynamicReverse(int *to, bool bad) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x; // FINDS dynamic: race-read-write
  if (!bad)
    __syncthreads();
  to[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x]; // FINDS dynamic: race-read-write
}
static void runDynamic(bool bad) { dynamicReverse<<<1, 96, 1024>>>(numbers<int>(96), bad); }

__global__ void histogram(const int *from, int *to, bool bad) {
  __shared__ int bins[4];
  if (threadIdx.x < 4)
    bins[threadIdx.x] = 0;
  __syncthreads();
  int *bin = &bins[from[threadIdx.x] % 4];
  if (bad)
    *bin += threadIdx.x + 1; // FINDS histogram: race-read-write FINDS histogram: race-write-write
  else
    atomicAdd(bin, threadIdx.x + 1);
  __syncthreads();
  if (threadIdx.x < 4)
    to[threadIdx.x] = bins[threadIdx.x];
}
static void runHistogram(bool bad) {
  histogram<<<1, 64>>>(numbers<int>(64), numbers<int>(4), bad);
}

__global__ void reduce(const int *from, int *to, bool bad) {
  __shared__ int part[128];
  part[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s]; // FINDS reduction: race-read-write
    if (!bad)
      __syncthreads();
  }
  if (threadIdx.x == 0)
    *to = part[0];
}
static void runReduction(bool bad) { reduce<<<1, 128>>>(numbers<int>(128), numbers<int>(1), bad); }

__global__ void buffers(int *to, int rounds, int count) {
  __shared__ int buffer[2][64];
  int v = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    buffer[i % count][threadIdx.x] = v; // FINDS one-buffer: race-read-write
    __syncthreads();
    v += buffer[i % count][(threadIdx.x + 32) % 64]; // FINDS one-buffer: race-read-write
  }
  to[threadIdx.x] = v;
}
static void runOneBuffer(bool bad) { buffers<<<1, 64>>>(numbers<int>(64), 4, bad ? 1 : 2); }

__global__ void bytes(char *to, bool bad) {
  __shared__ char row[64];
  row[bad ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x; // FINDS bytes: race-write-write
  __syncthreads();
  to[threadIdx.x] = row[threadIdx.x];
}
static void runBytes(bool bad) { bytes<<<1, 64>>>(numbers<char>(64), bad); }

__global__ void overlap(int *to, int offset) {
  __shared__ long long wide[65];
  int *narrow = reinterpret_cast<int *>(wide);
  wide[threadIdx.x] = threadIdx.x * 5; // FINDS overlap: race-read-write
  to[threadIdx.x] = narrow[2 * threadIdx.x + offset]; // FINDS overlap: race-read-write
}
static void runOverlap(bool bad) { overlap<<<1, 64>>>(numbers<int>(64), bad ? 2 : 1); }

// --- warps and tiles -----------------------------------------------------------------------------

__global__ void neighbour(int *to, bool bad) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // FINDS missing-syncwarp: race-read-write
  if (!bad)
    __syncwarp();
  to[threadIdx.x] = s[threadIdx.x ^ 1]; // FINDS missing-syncwarp: race-read-write
}
static void runMissingSyncwarp(bool bad) { neighbour<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void halves(int *to, int distance) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x; // FINDS half-warp: race-read-write
  if (threadIdx.x < 16)
    __syncwarp(0xffff);
  else
    __syncwarp(0xffff0000);
  to[threadIdx.x] = s[threadIdx.x ^ distance]; // FINDS half-warp: race-read-write
}
static void runHalfWarp(bool bad) { halves<<<1, 32>>>(numbers<int>(32), bad ? 16 : 8); }

__global__ void otherWarp(int *to, int distance) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // FINDS other-warp: race-read-write
  __syncwarp();
  to[threadIdx.x] = s[threadIdx.x ^ distance]; // FINDS other-warp: race-read-write
}
static void runOtherWarp(bool bad) { otherWarp<<<1, 64>>>(numbers<int>(64), bad ? 32 : 16); }

__global__ void shuffled(int *to, bool bad) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x; // FINDS shuffle: race-read-write
  int v = __shfl_xor_sync(0xffffffff, threadIdx.x, 3);
  if (!bad)
    __syncwarp();
  to[threadIdx.x] = v + s[threadIdx.x ^ 1]; // FINDS shuffle: race-read-write
}
static void runShuffle(bool bad) { shuffled<<<1, 32>>>(numbers<int>(32), bad); }

__global__ void tiles(int *to, int distance) {
  __shared__ int s[64];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x; // FINDS tile: race-read-write
  tile.sync();
  to[threadIdx.x] = s[threadIdx.x ^ distance]; // FINDS tile: race-read-write
}
static void runTile(bool bad) { tiles<<<1, 64>>>(numbers<int>(64), bad ? 8 : 4); }

__global__ void wideTiles(int *to, int distance) {
  __shared__ int s[256];
  __shared__ cg::block_tile_memory<256> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  s[threadIdx.x] = threadIdx.x; // FINDS wide-tile: race-read-write
  tile.sync();
  to[threadIdx.x] = s[threadIdx.x ^ distance]; // FINDS wide-tile: race-read-write
}
static void runWideTile(bool bad) { wideTiles<<<1, 256>>>(numbers<int>(256), bad ? 64 : 32); }

/// Code of before CUDA 9: the lanes of a warp do not run in step any more.
__global__ void inStep(int *to, bool bad) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    int sum = s[threadIdx.x] + s[threadIdx.x ^ d]; // FINDS in-step: race-read-write
    if (!bad)
      __syncwarp();
    s[threadIdx.x] = sum; // FINDS in-step: race-read-write
    if (!bad)
      __syncwarp();
  }
  to[threadIdx.x] = s[threadIdx.x];
}
static void runInStep(bool bad) { inStep<<<1, 32>>>(numbers<int>(32), bad); }

/// A thread that arrives hands on what it has written before, each round.
__global__ void namedBarriers(int *to, bool bad) {
  __shared__ int s[2][32];
  int lane = threadIdx.x % 32, sum = 0;
  for (int r = 0; r < 4; ++r) {
    if (threadIdx.x >= 64) {
      asm volatile("bar.sync %0, 96;" ::"r"(1 + r % 2) : "memory");
      sum += s[r % 2][31 - lane]; // FINDS named-barrier: race-read-write
      asm volatile("bar.arrive %0, 64;" ::"r"(3 + r % 2) : "memory");
    } else if (threadIdx.x >= 32) {
      asm volatile("bar.arrive %0, 96;" ::"r"(1 + r % 2) : "memory");
    } else {
      if (r > 1)
        asm volatile("bar.sync %0, 64;" ::"r"(3 + r % 2) : "memory");
      if (!bad)
        s[r % 2][lane] = lane + r;
      asm volatile("bar.arrive %0, 96;" ::"r"(1 + r % 2) : "memory");
      if (bad)
        s[r % 2][lane] = lane + r; // FINDS named-barrier: race-read-write
    }
  }
  if (threadIdx.x < 32)
    for (int id = 3; id < 5; ++id)
      asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory");
  to[threadIdx.x] = sum;
}
static void runNamedBarrier(bool bad) { namedBarriers<<<1, 96>>>(numbers<int>(96), bad); }

__global__ void volatileWarp(int *to, bool bad) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32)
    for (int d = 32; d > 0; d /= 2) {
      int sum = s[threadIdx.x] + s[threadIdx.x + d]; // FINDS volatile-warp: race-read-write
      if (!bad)
        __syncwarp();
      s[threadIdx.x] = sum; // FINDS volatile-warp: race-read-write
      if (!bad)
        __syncwarp();
    }
  __syncthreads();
  to[threadIdx.x] = s[0];
}
static void runVolatileWarp(bool bad) { volatileWarp<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void zeroed(int *to, bool bad) {
  __shared__ int bins[8];
  if (threadIdx.x < 8)
    bins[threadIdx.x] = 0; // FINDS zeroed: race-write-write
  if (!bad)
    __syncthreads();
  atomicAdd(bins + threadIdx.x % 8, 1); // FINDS zeroed: race-write-write
  __syncthreads();
  to[threadIdx.x] = bins[threadIdx.x % 8];
}
static void runZeroed(bool bad) { zeroed<<<1, 64>>>(numbers<int>(64), bad); }

// --- global memory -------------------------------------------------------------------------------

__global__ void allToOne(int *to, bool bad) {
  to[bad ? 0 : threadIdx.x] = threadIdx.x; // FINDS global-ww: race-write-write
}
static void runGlobalWw(bool bad) { allToOne<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void sameValue(int *to, bool bad) {
  to[0] = bad ? int(threadIdx.x) : 7; // FINDS same-value: race-write-write
}
static void runSameValue(bool bad) { sameValue<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void inBlock(int *p, int *to, bool bad) {
  p[threadIdx.x] = threadIdx.x; // FINDS global-raw: race-read-write
  if (!bad)
    __syncthreads();
  to[threadIdx.x] = p[127 - threadIdx.x]; // FINDS global-raw: race-read-write
}
static void runGlobalRaw(bool bad) {
  inBlock<<<1, 128>>>(numbers<int>(128), numbers<int>(128), bad);
}

__global__ void stencil(int *p, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0)
    to[i] = p[i - 1] + 1; // FINDS stencil: race-read-write
}
static void runStencil(bool bad) {
  int *p = numbers<int>(128), *q = numbers<int>(128);
  stencil<<<4, 32>>>(p, bad ? p : q);
}

__global__ void produce(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void consume(int *p, int *to) { to[threadIdx.x] = p[threadIdx.x ^ 1]; }
__global__ void both(int *p, int *to) {
  if (blockIdx.x == 0)
    p[threadIdx.x] = threadIdx.x; // FINDS two-blocks: race-read-write
  else
    to[threadIdx.x] = p[threadIdx.x ^ 1]; // FINDS two-blocks: race-read-write
}
static void runTwoBlocks(bool bad) {
  int *p = numbers<int>(32), *to = numbers<int>(32);
  if (bad) {
    both<<<2, 32>>>(p, to);
  } else {
    produce<<<1, 32>>>(p);
    consume<<<1, 32>>>(p, to);
  }
}

__device__ int total;
__global__ void count(bool bad) {
  if (bad)
    total += threadIdx.x + 1; // FINDS counter: race-read-write FINDS counter: race-write-write
  else
    atomicAdd(&total, threadIdx.x + 1);
}
static void runCounter(bool bad) { count<<<2, 32>>>(bad); }

// Atomic operations of the block's scope order nothing of other blocks.
__global__ void countOfBlock(int *counters, bool bad) {
  atomicAdd_block(counters + (bad ? 0 : blockIdx.x), 1); // FINDS block-scope: race-write-write
}
static void runBlockScope(bool bad) { countOfBlock<<<2, 32>>>(numbers<int>(2), bad); }

__global__ void mixedScopes(unsigned *counters, bool bad) {
  if (blockIdx.x == 0)
    atomicAdd_block(counters, 1u); // FINDS mixed-scopes: race-write-write
  else
    atomicAdd(counters + !bad, 1u); // FINDS mixed-scopes: race-write-write
}
static void runMixedScopes(bool bad) { mixedScopes<<<2, 32>>>(numbers<unsigned>(2), bad); }

__global__ void readsCounter(int *counter, int *to, bool bad) {
  atomicAdd(counter, 1); // FINDS mixed: race-read-write
  if (!bad)
    __syncthreads();
  to[threadIdx.x] = *counter; // FINDS mixed: race-read-write
}
static void runMixed(bool bad) { readsCounter<<<1, 64>>>(numbers<int>(1), numbers<int>(64), bad); }

__global__ void unused(int *p, bool bad) {
  p[threadIdx.x] = threadIdx.x; // FINDS unused-read: race-read-write
  if (bad) {
    int other = p[threadIdx.x ^ 1]; // FINDS unused-read: race-read-write
    (void)other;
  }
}
static void runUnusedRead(bool bad) { unused<<<1, 32>>>(numbers<int>(32), bad); }

__global__ void overwritten(int *p, bool bad) {
  if (bad)
    p[threadIdx.x / 2] = threadIdx.x; // FINDS overwritten: race-write-write
  p[threadIdx.x / 2] = 5;             // FINDS overwritten: race-write-write
}
static void runOverwritten(bool bad) { overwritten<<<1, 32>>>(numbers<int>(32), bad); }

__global__ void heap(int **place, int *to, bool bad) {
  if (threadIdx.x == 0)
    *place = static_cast<int *>(malloc(64 * sizeof(int)));
  __syncthreads();
  int *p = *place;
  p[threadIdx.x] = threadIdx.x; // FINDS heap: race-read-write
  if (!bad)
    __syncthreads();
  to[threadIdx.x] = p[63 - threadIdx.x]; // FINDS heap: race-read-write
  __syncthreads();
  if (threadIdx.x == 0)
    free(p);
}
static void runHeap(bool bad) {
  int **place;
  cudaMalloc(&place, sizeof(int *));
  heap<<<1, 64>>>(place, numbers<int>(64), bad);
}

__global__ void managed(int *p, bool bad) {
  p[bad ? 0 : threadIdx.x] = threadIdx.x; // FINDS managed: race-write-write
}
static void runManaged(bool bad) {
  int *p;
  cudaMallocManaged(&p, 64 * sizeof(int));
  managed<<<1, 64>>>(p, bad);
}

__global__ void addByCas(int *sum, int *to, bool bad) {
  int old = *sum; // the compare-and-swap checks it FINDS cas-loop: race-read-write
  if (bad)
    to[threadIdx.x + 1] = old;
  else
    for (int seen = ~old; seen != old;) {
      seen = old;
      old = atomicCAS(sum, seen, seen + int(threadIdx.x));
    }
  if (bad && threadIdx.x == 0)
    atomicAdd(sum, 1); // FINDS cas-loop: race-read-write
}
static void runCasLoop(bool bad) { addByCas<<<1, 63>>>(numbers<int>(1), numbers<int>(64), bad); }

// --- fences, flags and locks ---------------------------------------------------------------------

__device__ int flag;
__global__ void clearFlag() { flag = 0; }

__global__ void message(int *data, bool bad) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // FINDS missing-fence: race-read-write
    if (!bad)
      __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0)
      ;
    data[1] = data[0]; // FINDS missing-fence: race-read-write
  }
}
static void runMissingFence(bool bad) {
  clearFlag<<<1, 1>>>();
  message<<<2, 32>>>(numbers<int>(2), bad);
}

__global__ void narrowFence(int *data, bool bad) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // FINDS block-fence: race-read-write
    if (bad)
      __threadfence_block();
    else
      __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0)
      ;
    data[1] = data[0]; // FINDS block-fence: race-read-write
  }
}
static void runBlockFence(bool bad) {
  clearFlag<<<1, 1>>>();
  narrowFence<<<2, 32>>>(numbers<int>(2), bad);
}

__global__ void plainFlag(volatile int *ready, int *data, bool bad) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // FINDS plain-flag: race-read-write
    __threadfence();
    if (bad)
      *const_cast<int *>(ready) = 1; // FINDS plain-flag: race-read-write
    else
      *ready = 1;
  } else {
    while (*ready == 0) // FINDS plain-flag: race-read-write
      ;
    data[1] = data[0]; // FINDS plain-flag: race-read-write
  }
}
static void runPlainFlag(bool bad) {
  plainFlag<<<2, 32>>>(numbers<int>(1), numbers<int>(2), bad);
}

__global__ void pastCaches(int *ready, int *data, bool bad) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // FINDS past-caches: race-read-write
    if (!bad)
      __threadfence();
    asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(ready), "r"(1) : "memory");
  } else {
    int got;
    do
      asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(got) : "l"(ready) : "memory");
    while (got == 0);
    data[1] = data[0]; // FINDS past-caches: race-read-write
  }
}
static void runPastCaches(bool bad) {
  pastCaches<<<2, 32>>>(numbers<int>(1), numbers<int>(2), bad);
}

__global__ void lastBlock(int *parts, unsigned *ticket, int *to, bool bad) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x + 1; // FINDS last-block: race-read-write
    if (!bad)
      __threadfence();
    isLast = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x < gridDim.x)
    to[threadIdx.x] = parts[threadIdx.x]; // FINDS last-block: race-read-write
}
static void runLastBlock(bool bad) {
  lastBlock<<<4, 32>>>(numbers<int>(4), numbers<unsigned>(1), numbers<int>(4), bad);
}

__global__ void locked(int *lock, int *sum, bool bad) {
  if (threadIdx.x != 0)
    return;
  bool done = bad && blockIdx.x == 3;
  if (done)
    *sum += 5; // FINDS no-lock: race-read-write FINDS no-lock: race-write-write
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += blockIdx.x; // FINDS no-lock: race-read-write FINDS no-lock: race-write-write
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}
static void runNoLock(bool bad) { locked<<<4, 32>>>(numbers<int>(1), numbers<int>(1), bad); }

__global__ void arrives(int *to, bool bad) {
  __shared__ nvcuda::experimental::awbarrier barrier;
  __shared__ int s[64];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x; // FINDS arrive: race-read-write
  auto token = barrier.arrive();
  int early = bad ? s[threadIdx.x ^ 32] : 0; // FINDS arrive: race-read-write
  barrier.wait(std::move(token));
  to[threadIdx.x] = s[63 - threadIdx.x] + early;
}
static void runArrive(bool bad) { arrives<<<1, 64>>>(numbers<int>(64), bad); }

__global__ void grid(int *p, int *to, bool bad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  p[i] = i; // FINDS grid: race-read-write
  if (bad)
    __syncthreads();
  else
    cg::this_grid().sync();
  to[i] = p[n - 1 - i]; // FINDS grid: race-read-write
}
static void runGrid(bool bad) {
  int *p = numbers<int>(32), *to = numbers<int>(32);
  void *args[] = {&p, &to, &bad};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(grid), 2, 16, args, 0, nullptr);
}

/// Threads that end without coming to the barrier show nothing by it.
__global__ void endsApart(int *to, bool bad) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t; // FINDS ends-apart: race-read-write
  if (!bad)
    __syncthreads();
  if (t < 20) {
    __syncthreads();
    to[t] = tile[63 - t]; // FINDS ends-apart: race-read-write
  } else {
    to[t] = 0;
  }
}
static void runEndsApart(bool bad) { endsApart<<<1, 64>>>(numbers<int>(64), bad); }

/// A barrier that threads have passed by their end orders nothing that they have done: here a read,
/// which is before a write of others.
__global__ void endsAfterRead(int *to, bool bad) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  if (t >= 32) {
    to[t] = tile[t - 32]; // FINDS ends-after-read: race-read-write
    if (!bad)
      __syncthreads();
    return;
  }
  __syncthreads();
  tile[t] = -t; // FINDS ends-after-read: race-read-write
  to[t] = tile[t];
}
static void runEndsAfterRead(bool bad) { endsAfterRead<<<1, 64>>>(numbers<int>(64), bad); }

/// What lanes have written before a synchronization of their warp is known at a barrier if some of
/// the warp come to it.
__global__ void warpEnds(int *to, bool bad) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t; // FINDS warp-ends: race-read-write
  __syncwarp();
  if (t >= (bad ? 32 : 40))
    return;
  __syncthreads();
  to[t] = tile[t < 32 ? t + 32 : t]; // FINDS warp-ends: race-read-write
}
static void runWarpEnds(bool bad) { warpEnds<<<1, 64>>>(numbers<int>(64), bad); }

static const Case cases[] = {
    {"ends-apart", runEndsApart},
    {"ends-after-read", runEndsAfterRead},
    {"warp-ends", runWarpEnds},
    {"shared-raw", runSharedRaw},
    {"shared-war", runSharedWar},
    {"shared-ww", runSharedWw},
    {"dynamic", runDynamic},
    {"histogram", runHistogram},
    {"reduction", runReduction},
    {"one-buffer", runOneBuffer},
    {"bytes", runBytes},
    {"overlap", runOverlap},
    {"missing-syncwarp", runMissingSyncwarp},
    {"half-warp", runHalfWarp},
    {"other-warp", runOtherWarp},
    {"shuffle", runShuffle},
    {"tile", runTile},
    {"wide-tile", runWideTile},
    {"named-barrier", runNamedBarrier},
    {"in-step", runInStep},
    {"volatile-warp", runVolatileWarp},
    {"zeroed", runZeroed},
    {"global-ww", runGlobalWw},
    {"same-value", runSameValue},
    {"global-raw", runGlobalRaw},
    {"stencil", runStencil},
    {"two-blocks", runTwoBlocks},
    {"counter", runCounter},
    {"block-scope", runBlockScope},
    {"mixed-scopes", runMixedScopes},
    {"mixed", runMixed},
    {"unused-read", runUnusedRead},
    {"overwritten", runOverwritten},
    {"heap", runHeap},
    {"managed", runManaged},
    {"cas-loop", runCasLoop},
    {"missing-fence", runMissingFence},
    {"block-fence", runBlockFence},
    {"plain-flag", runPlainFlag},
    {"past-caches", runPastCaches},
    {"last-block", runLastBlock},
    {"no-lock", runNoLock},
    {"arrive", runArrive},
    {"grid", runGrid},
};

int main(int argc, char **argv) {
  return runCase(cases, argc, argv);
}
