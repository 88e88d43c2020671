// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups larger than a warp, groups whose kind or size is known at run time only, and what groups
// do together: tiles of 64 to 512 threads, tiled_partition(group, n), thread_group, memcpy_async,
// invoke_one.
// RUN: %vxcc -O3 --lower=hw -I%inputs %s -o %t
// RUN: %shapes --warp %t

#include "warp.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__host__ __device__ inline unsigned seed(unsigned block, unsigned rank) {
  return mixed(block * 4096 + rank) % 100000;
}

struct Large {
  unsigned rank, size, metaRank, metaSize, any, all, shfl, sum, most, inclusive, exclusive, later;
  double wide;
};

// Each tile does so many rounds that a tile which did not wait for its own threads would show.
template <unsigned N, bool Memory> __global__ void large(Large *out, int rounds) {
  __shared__ cg::block_tile_memory<512> memory;
  cg::thread_block block = Memory ? cg::this_thread_block(memory) : cg::this_thread_block();
  auto tile = cg::tiled_partition<N>(block);
  unsigned x = seed(blockIdx.x, block.thread_rank());
  Large r;
  r.rank = tile.thread_rank();
  r.size = tile.size() + tile.num_threads();
  r.metaRank = tile.meta_group_rank();
  r.metaSize = tile.meta_group_size();
  r.any = tile.any(x % 200 == 0);
  r.all = tile.all(x % 200 != 1);
  r.shfl = tile.shfl(x, N - 3);
  r.wide = tile.shfl((double)x * 1.000000001, N / 2);
  r.sum = cg::reduce(tile, x, cg::plus<unsigned>());
  r.most = cg::reduce(tile, x, [](unsigned a, unsigned b) { return a < b ? b : a; });
  r.inclusive = cg::inclusive_scan(tile, x);
  r.exclusive = cg::exclusive_scan(tile, x, cg::plus<unsigned>());
  // The tiles of a block run this loop a different number of times.
  unsigned value = x;
  for (int i = 0; i <= rounds + (int)r.metaRank; ++i)
    value = value * 3 + tile.shfl(value, (i * 37 + 5) % N);
  r.later = value;
  out[blockIdx.x * block.size() + block.thread_rank()] = r;
}

template <unsigned N>
static void expectLarge(const Large *got, unsigned block, unsigned threads, unsigned first,
                        int rounds) {
  Large want = {0,
                2 * N,
                first / N,
                threads / N,
                0,
                1,
                seed(block, first + N - 3),
                0,
                0,
                0,
                0,
                0,
                (double)seed(block, first + N / 2) * 1.000000001};
  std::vector<unsigned> value(N);
  for (unsigned i = 0; i < N; ++i) {
    unsigned x = value[i] = seed(block, first + i);
    want.any |= x % 200 == 0;
    want.all &= x % 200 != 1;
    want.sum += x;
    want.most = x > want.most ? x : want.most;
  }
  for (int i = 0; i <= rounds + (int)want.metaRank; ++i) {
    unsigned chosen = value[(i * 37 + 5) % N];
    for (unsigned &v : value)
      v = v * 3 + chosen;
  }
  for (unsigned i = 0; i < N; ++i) {
    want.rank = i;
    want.exclusive = want.inclusive;
    want.inclusive += seed(block, first + i);
    want.later = value[i];
    if (!expect(sameBits(got[i], want), "large tile", first + i))
      std::printf("  tile of %u, block of %u: sum %u, wanted %u; shfl %u, wanted %u; exclusive %u, "
                  "wanted %u; later %u, wanted %u\n",
                  N, threads, got[i].sum, want.sum, got[i].shfl, want.shfl, got[i].exclusive,
                  want.exclusive, got[i].later, want.later);
  }
}

template <unsigned N, bool Memory> static void checkLarge(unsigned threads) {
  const int rounds = 3;
  DeviceArray<Large> out(kGrid * threads);
  large<N, Memory><<<kGrid, threads>>>(out, rounds);
  std::vector<Large> got = out.host();
  for (unsigned b = 0; b < kGrid; ++b)
    for (unsigned first = 0; first < threads; first += N)
      expectLarge<N>(&got[b * threads + first], b, threads, first, rounds);
}

// Tiles of three sizes at once; of one group, only some tiles act.
__global__ void several(unsigned *out) {
  __shared__ unsigned total;
  cg::thread_block block = cg::this_thread_block();
  auto half = cg::tiled_partition<64>(block);
  auto warp = cg::tiled_partition<32>(half);
  auto quad = cg::tiled_partition<4>(warp);
  unsigned x = seed(blockIdx.x, block.thread_rank()), r;
  if (block.thread_rank() == 0)
    total = 0;
  block.sync();
  r = cg::reduce(quad, x, cg::plus<unsigned>());
  if (warp.meta_group_rank() == 1)
    r += cg::reduce(warp, x, cg::bit_xor<unsigned>());
  if (half.meta_group_rank() == 0)
    r = r * 5 + cg::reduce(half, r, cg::plus<unsigned>());
  if (quad.thread_rank() == 0)
    atomicAdd(&total, r);
  block.sync();
  out[blockIdx.x * block.size() + block.thread_rank()] =
      r + total + 1000 * quad.meta_group_rank() + warp.meta_group_size();
}

static void checkSeveral(unsigned threads) {
  DeviceArray<unsigned> out(kGrid * threads);
  several<<<kGrid, threads>>>(out);
  std::vector<unsigned> got = out.host();
  for (unsigned b = 0; b < kGrid; ++b) {
    std::vector<unsigned> r(threads);
    unsigned total = 0, ofHalf = 0;
    for (unsigned t = 0; t < threads; ++t) {
      for (unsigned i = t & ~3u; i < (t & ~3u) + 4; ++i)
        r[t] += seed(b, i);
      if (t / 32 % 2 == 1) {
        unsigned bits = 0;
        for (unsigned i = t & ~31u; i < (t & ~31u) + 32; ++i)
          bits ^= seed(b, i);
        r[t] += bits;
      }
      ofHalf += t < 64 ? r[t] : 0;
    }
    for (unsigned t = 0; t < threads; ++t) {
      r[t] = t < 64 ? r[t] * 5 + ofHalf : r[t];
      total += t % 4 == 0 ? r[t] : 0;
    }
    for (unsigned t = 0; t < threads; ++t)
      expectEqual(got[b * threads + t], r[t] + total + 1000 * (t % 32 / 4) + 2, "several", t);
  }
}

// Any group, in functions that do not know which.
__device__ __noinline__ unsigned sizeAndRank(const cg::thread_group &group) {
  group.sync();
  return (unsigned)(group.size() * 10000 + group.thread_rank());
}
__device__ __noinline__ unsigned byValue(cg::thread_group group) {
  cg::sync(group);
  return (unsigned)(cg::group_size(group) * 10000 + cg::thread_rank(group));
}
struct Unknown {
  unsigned block, tile, large, active, dynamic, dynamicOfTile, alone;
};
__global__ void unknown(Unknown *out, unsigned n) {
  cg::thread_block block = cg::this_thread_block();
  Unknown u;
  u.block = sizeAndRank(block);
  u.tile = sizeAndRank(cg::tiled_partition<8>(block));
  u.large = byValue(cg::tiled_partition<64>(block));
  u.dynamic = byValue(cg::tiled_partition(block, n));
  u.dynamicOfTile = sizeAndRank(cg::tiled_partition(cg::tiled_partition<16>(block), 4));
  u.alone = byValue(cg::this_thread());
  u.active = 0;
  if (block.thread_rank() % 3 == 0)
    u.active = sizeAndRank(cg::coalesced_threads());
  out[blockIdx.x * block.size() + block.thread_rank()] = u;
}
static void checkUnknown(unsigned threads, unsigned n) {
  DeviceArray<Unknown> out(kGrid * threads);
  unknown<<<kGrid, threads>>>(out, n);
  std::vector<Unknown> got = out.host();
  for (unsigned t = 0; t < kGrid * threads; ++t) {
    unsigned rank = t % threads, active = 0, before = 0;
    for (unsigned i = rank & ~31u; i < (rank & ~31u) + 32; ++i) {
      active += i % 3 == 0;
      before += i % 3 == 0 && i < rank;
    }
    Unknown want = {threads * 10000 + rank,
                    80000 + rank % 8,
                    640000 + rank % 64,
                    active * 10000 + before,
                    n * 10000 + rank % n,
                    40000 + rank % 4,
                    10000};
    if (rank % 3 != 0)
      want.active = 0;
#ifdef PATHS // which of them are together is open
    want.active = got[t].active;
#endif
    expectEqual(got[t], want, "group of any kind", t);
  }
}

// Copies by a block, by tiles, by elements; functions that one member calls.
__global__ void copies(const int *in, int *out, int n) {
  __shared__ int staged[256];
  __shared__ short narrow[64];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  const int *mine = in + blockIdx.x * n;
  cg::memcpy_async(block, staged, mine, sizeof(int) * n);
  cg::wait(block);
  int sum = staged[(block.thread_rank() + 1) % n];
  block.sync();
  cg::memcpy_async(tile, staged + tile.meta_group_rank() * 16, 16,
                   mine + tile.meta_group_rank() * 16, 16);
  cg::wait_prior<0>(tile);
  sum = sum * 3 + staged[tile.meta_group_rank() * 16 + (tile.thread_rank() ^ 5)];
  cg::memcpy_async(block, narrow, (const short *)mine + 1, sizeof(short) * 31);
  cg::wait(block);
  sum = sum * 3 + narrow[block.thread_rank() % 31];

  int shared = cg::invoke_one_broadcast(tile, [&] { return mine[tile.meta_group_rank()] + 1; });
  __shared__ int count;
  cg::invoke_one(block, [&] { count = 0; });
  block.sync();
  cg::invoke_one(
      tile, [](int *c) { atomicAdd(c, 1); }, &count);
  block.sync();
  int active = 0;
  if (block.thread_rank() % 5 == 2) {
    auto here = cg::coalesced_threads();
    active = cg::invoke_one_broadcast(here, [&] { return (int)block.thread_rank(); });
  }
  out[blockIdx.x * block.size() + block.thread_rank()] = sum * 7 + shared * 5 + count * 3 + active;
}
static void checkCopies(int threads) {
  std::vector<int> in(kGrid * threads);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = (int)(mixed((unsigned)i) & 0x7fffff);
  DeviceArray<int> deviceIn(in), out(in.size());
  copies<<<kGrid, threads>>>(deviceIn, out, threads);
  std::vector<int> got = out.host();
  for (int t = 0; t < kGrid * threads; ++t) {
    int rank = t % threads;
    const int *mine = &in[t - rank];
    short narrow[31];
    std::memcpy(narrow, (const char *)mine + 2, sizeof(narrow));
    unsigned sum = mine[(rank + 1) % threads];
    sum = sum * 3 + mine[rank ^ 5];
    sum = sum * 3 + narrow[rank % 31];
    int active = 0;
    if (rank % 5 == 2)
      for (active = rank & ~31; active % 5 != 2; ++active)
        ;
    unsigned want = sum * 7 + (mine[rank / 16] + 1) * 5 + threads / 16 * 3 + active;
    expectEqual((unsigned)got[t], want, "copies", t);
  }
}

int main() {
  checkLarge<64, true>(64);
  checkLarge<64, false>(192);
  checkLarge<128, false>(128);
  checkLarge<128, true>(256);
  checkLarge<256, false>(256);
  checkLarge<256, true>(512);
  checkLarge<512, true>(512);
  checkSeveral(64);
  checkSeveral(192);
  checkUnknown(64, 32);
  checkUnknown(128, 8);
  checkUnknown(192, 2);
  checkCopies(32);
  checkCopies(112);
  return finish();
}
