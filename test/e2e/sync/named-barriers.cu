// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %shapes --few %t && env VX_LOWERING=sw %shapes --few %t
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc --target=host -O3 %s -o %t.host && %t.host
//
// Barriers that warps of a block name, in PTX: numbers and counts in registers, arriving without
// waiting, reductions, warps and threads that have ended, groups and mbarriers in the same kernel.

#include "../Inputs/harness.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__device__ __forceinline__ void sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void syncAll(int id) {
  asm volatile("barrier.cta.sync.aligned %0;" ::"r"(id) : "memory");
}
__device__ __forceinline__ void arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ int count(int id, int threads, int p) {
  int n;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; barrier.cta.red.popc.aligned.u32 %0, %2, %3, p; }"
               : "=r"(n)
               : "r"(p), "r"(id), "r"(threads)
               : "memory");
  return n;
}
__device__ __forceinline__ int all(int id, int threads, int p) {
  int n;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.and.pred q, %2, %3, p;"
               " selp.s32 %0, 1, 0, q; }"
               : "=r"(n)
               : "r"(p), "r"(id), "r"(threads)
               : "memory");
  return n;
}
__device__ __forceinline__ int any(int id, int p) {
  int n;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; barrier.red.or.pred q, %2, p;"
               " selp.s32 %0, 1, 0, q; }"
               : "=r"(n)
               : "r"(p), "r"(id)
               : "memory");
  return n;
}
__device__ int rankInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// The first of each three warps fills two buffers in turn, and the others read them: 1, 3, 5 full,
/// 2, 4, 6 empty, of buffer 0; those from 7 on of buffer 1.
__global__ void pipeline(unsigned *out, int rounds) {
  __shared__ unsigned buffer[4][2][32];
  int rank = rankInBlock(), warp = rank / 32, lane = rank % 32, team = warp / 3;
  int full = 1 + 2 * team, empty = 2 + 2 * team;
  if (warp % 3 == 0) {
    for (int r = 0; r < rounds; ++r) {
      sync(empty + 6 * (r & 1), 96);
      buffer[team][r & 1][lane] = r * 1000 + rank + blockIdx.x;
      arrive(full + 6 * (r & 1), 96);
    }
  } else {
    arrive(empty, 96);
    arrive(empty + 6, 96);
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
      sync(full + 6 * (r & 1), 96);
      sum = sum * 3 + buffer[team][r & 1][31 - lane];
      if (r + 2 < rounds)
        arrive(empty + 6 * (r & 1), 96);
    }
    out[blockIdx.x * blockDim.x * blockDim.y * blockDim.z + rank] = sum;
  }
}

static void checkPipeline(int blocks, dim3 dim, int rounds) {
  int threads = dim.x * dim.y * dim.z;
  DeviceArray<unsigned> out(blocks * threads);
  pipeline<<<blocks, dim>>>(out, rounds);
  std::vector<unsigned> got = out.host();
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t) {
      unsigned want = 0;
      if (t / 32 % 3)
        for (int r = 0; r < rounds; ++r)
          want = want * 3 + r * 1000 + t / 96 * 96 + 31 - t % 32 + b;
      expectEqual(got[b * threads + t], want, "pipeline", b * threads + t);
    }
}

/// Pairs of warps hand values to each other, each pair as often as its number says.
__global__ void pairs(unsigned *out) {
  __shared__ volatile unsigned values[1024];
  int t = threadIdx.x, pair = t / 64, id = 1 + pair % 15;
  unsigned v = t;
  for (int r = 0; r <= pair; ++r) {
    values[t] = v;
    __barrier_sync_count(id, 64);
    v = values[t ^ 63] * 5 + r;
    __barrier_sync_count(id, 64);
  }
  out[t] = v;
}

static void checkPairs(int threads) {
  DeviceArray<unsigned> out(threads);
  pairs<<<1, threads>>>(out);
  std::vector<unsigned> got = out.host(), values(threads);
  for (int t = 0; t < threads; ++t)
    values[t] = t;
  for (int pair = 0; pair < threads / 64; ++pair)
    for (int r = 0; r <= pair; ++r) {
      std::vector<unsigned> last = values;
      for (int t = pair * 64; t < pair * 64 + 64; ++t)
        values[t] = last[t ^ 63] * 5 + r;
    }
  for (int t = 0; t < threads; ++t)
    expectEqual(got[t], values[t], "pairs", t);
}

/// Two groups of warps take turns in a section, as CUTLASS orders its warp groups.
__global__ void turns(unsigned *out, int rounds) {
  __shared__ unsigned word, history;
  int half = blockDim.x / 2, group = threadIdx.x / half;
  if (threadIdx.x == 0)
    word = 1, history = 0;
  __syncthreads();
  if (group == 1)
    arrive(8, blockDim.x); // the first group may begin
  for (int r = 0; r < rounds; ++r) {
    sync(8 + group, blockDim.x);
    if (threadIdx.x % half == 0) {
      history = history * 7 + word * 2 + group;
      word = word * 3 + group;
    }
    if (r + 1 < rounds || group == 0)
      arrive(9 - group, blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = history;
}

static void checkTurns(int threads, int rounds) {
  DeviceArray<unsigned> out(1);
  turns<<<1, threads>>>(out, rounds);
  unsigned word = 1, history = 0;
  for (int r = 0; r < 2 * rounds; ++r) {
    history = history * 7 + word * 2 + r % 2;
    word = word * 3 + r % 2;
  }
  expectEqual(out.host()[0], history, "turns", threads);
}

/// Each of the sixteen, with and without a count, and reductions of a part of the block and of all.
__global__ void numbers(int *out) {
  __shared__ int values[256];
  int t = threadIdx.x, threads = blockDim.x, sum = 0;
  int rounded = (threads + 31) / 32 * 32;
  for (int id = 15; id >= 0; --id) {
    values[t] = t * id;
    if (id & 1)
      syncAll(id);
    else
      sync(id, rounded);
    sum += values[threads - 1 - t];
    syncAll(15 - id);
  }
  __syncthreads();
  int inFirst = 0, everywhere = any(7, t == threads - 1) + 2 * any(7, t > threads);
  if (t < 64)
    inFirst = count(3, 64, t % 3 == 0) + 100 * all(4, 64, t < 64) + 1000 * all(5, 64, t != 33);
  else
    inFirst = all(6, rounded - 64, t >= 64);
  out[t] = sum + 100000 * inFirst + 1000000000 * everywhere;
}

static void checkNumbers(int threads) {
  DeviceArray<int> out(threads);
  numbers<<<1, threads>>>(out);
  std::vector<int> got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual(got[t],
                (threads - 1 - t) * 120 + 100000 * (t < 64 ? 22 + 100 : 1) + 1000000000,
                "numbers", t);
}

/// Barriers without a count do not wait for threads that have ended: whole warps, lanes of one, some
/// before the others arrive and some after.
__global__ void ends(int *out, int whole, int odd) {
  __shared__ int values[256];
  int t = threadIdx.x, warp = t / 32;
  values[t] = t;
  if (warp < whole)
    return;
  if (t % 32 >= 30 - odd * (warp & 1))
    return;
  syncAll(2);
  int sum = values[32 * whole + 32 + t % 8];
  if (warp == whole) {
    values[t] = 1000;
    arrive(9, 64);
    return;
  }
  if (warp == whole + 1) {
    sync(9, 64);
    sum += values[t - 32 - t % 32];
  }
  out[t] = sum;
  for (int r = 0; r < warp; ++r)
    out[t] += count(1, 0, 1);
}

static void checkEnds(int threads, int whole, int odd) {
  DeviceArray<int> out(threads);
  ends<<<1, threads>>>(out, whole, odd);
  std::vector<int> got = out.host();
  for (int t = 0; t < threads; ++t) {
    int warp = t / 32, want = 0;
    auto lanes = [&](int w) { return std::min(threads - w * 32, 30 - odd * (w & 1)); };
    if (warp > whole && t % 32 < lanes(warp)) {
      want = 32 * whole + 32 + t % 8 + (warp == whole + 1 ? 1000 : 0);
      for (int r = 0; r < warp; ++r)
        for (int w = std::max(whole, r) + 1; w * 32 < threads; ++w)
          want += lanes(w);
    }
    expectEqual(got[t], want, "ends", t);
  }
}

/// Warps meet at barrier 0 from different places, and the lanes of a warp at one barrier.
__global__ void places(int *out, int zero) {
  __shared__ int values[128];
  int t = threadIdx.x, other = blockDim.x - 1 - t;
  values[t] = t + 1;
  if (t < 32)
    __syncthreads();
  else if (t < 64)
    asm volatile("bar.sync %0;" ::"r"(zero) : "memory");
  else
    sync(zero, 128);
  int sum = values[other];
  if (t % 2)
    asm volatile("barrier.sync 1;" ::: "memory");
  else
    asm volatile("barrier.sync 1, 128;" ::: "memory");
  values[t] = 2 * t;
  if (t & 16)
    asm volatile("barrier.cta.sync 3, 64;" ::: "memory");
  else
    asm volatile("barrier.cta.sync 3, 64;" ::: "memory");
  if (__syncthreads_or(t == 77))
    sum += values[t ^ 31] * 1000;
  out[t] = sum + (__syncthreads_count(t < 50) + 1000 * __syncthreads_and(t < 200)) * 1000000;
}

/// Tiles of several warps in a kernel with named barriers.
__global__ void tiles(int *out) {
  __shared__ int values[256], sums[2];
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    sums[t] = 0;
  __syncthreads();
  for (int r = 0; r <= t / 64; ++r) {
    values[t] = t + r;
    tile.sync();
    sum += values[t ^ 63];
    tile.sync();
  }
  if (t < 64) {
    atomicAdd(&sums[0], sum);
    arrive(1, 128);
  } else if (t >= 192) {
    sync(1, 128);
    sum += sums[0];
  }
  out[t] = sum;
}

/// Uses such tiles in a kernel whose threads wait at an mbarrier.
__global__ void tilesAndMbarrier(int *out) {
  __shared__ int values[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 192);
  __syncthreads();
  values[t] = t;
  if (t >= 192) {
    barrier.wait(barrier.arrive());
    values[t] = values[0];
  }
  tile.sync();
  int sum = values[t ^ 127];
  tile.sync();
  if (t < 128)
    values[t] = 5 * t + 9, (void)barrier.arrive();
  out[t] = sum;
}

int main() {
  checkPipeline(3, dim3(96), 7);
  checkPipeline(9, dim3(4, 12, 6), 3);
  checkPipeline(1, dim3(288), 6);
  checkPairs(64);
  checkPairs(192);
  checkPairs(960);
  checkTurns(64, 9);
  checkTurns(256, 4);
  checkTurns(1024, 2);
  checkNumbers(128);
  checkNumbers(177);
  checkNumbers(256);
  checkEnds(128, 1, 0);
  checkEnds(230, 0, 7);
  checkEnds(256, 3, 2);
  {
    DeviceArray<int> out(128);
    places<<<1, 128>>>(out, 0);
    std::vector<int> got = out.host();
    for (int t = 0; t < 128; ++t)
      expectEqual(got[t], 128 - t + (t ^ 31) * 2000 + 1050 * 1000000, "places", t);
  }
  {
    DeviceArray<int> out(256);
    tiles<<<2, 256>>>(out);
    std::vector<int> got = out.host();
    for (int t = 0; t < 256; ++t) {
      int want = 0;
      for (int r = 0; r <= t / 64; ++r)
        want += (t ^ 63) + r;
      expectEqual(got[t], want + (t >= 192 ? 63 * 32 : 0), "tiles", t);
    }
  }
  {
    DeviceArray<int> out(256);
    tilesAndMbarrier<<<1, 256>>>(out);
    std::vector<int> got = out.host();
    for (int t = 0; t < 256; ++t)
      expectEqual(got[t], t >= 128 && t < 192 ? 9 : t ^ 127, "tiles and mbarrier", t);
  }
  return finish();
}
