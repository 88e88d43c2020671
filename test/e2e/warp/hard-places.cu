// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions where lanes have parted: branches and loops of any nesting, early exits, switches,
// conditions, functions that are not inlined, between block barriers; whole and partial warps and
// blocks of more threads than lanes.
// RUN: %vxcc -O0 --lower=hw -I%inputs %s -o %t-O0
// RUN: %shapes --warp %t-O0
// RUN: %vxcc -O3 --lower=hw -I%inputs %s -o %t
// RUN: %shapes --warp %t

#include "warp.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__host__ __device__ inline unsigned seed(unsigned block, unsigned rank) {
  return mixed(block * 4096 + rank) % 10007;
}

/// One warp on the host: who is present and what each lane has.
struct Warp {
  unsigned present, x[32];
};
/// A lane's view of it in a reference.
using Reference = unsigned (*)(const Warp &, unsigned lane);

static unsigned first(unsigned mask) {
  return (unsigned)__builtin_ctz(mask);
}
template <class Predicate> static unsigned lanesWhere(unsigned among, Predicate p) {
  unsigned mask = 0;
  for (unsigned l = 0; l < 32; ++l)
    if (among >> l & 1 && p(l))
      mask |= 1u << l;
  return mask;
}
template <class Term> static unsigned sumOver(unsigned mask, Term term) {
  unsigned sum = 0;
  for (unsigned l = 0; l < 32; ++l)
    if (mask >> l & 1)
      sum += term(l);
  return sum;
}

// --- nested branches, all sides with warp functions ---

__global__ void branches(unsigned *out) {
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r;
  unsigned odd = __ballot_sync(~0u, x & 1), all = __ballot_sync(~0u, 1);
  if (x & 1) {
    r = __shfl_sync(odd, x, __ffs(odd) - 1) + __popc(odd);
    unsigned two = __ballot_sync(odd, x & 2);
    if (x & 2)
      r += 3 * __reduce_add_sync(two, x & 255);
    else
      r += 5 * __reduce_max_sync(odd & ~two, x & 255) + __popc(__activemask());
    r += __any_sync(odd, x % 7 == 0) * 100000;
  } else {
    unsigned even = all & ~odd;
    r = __popc(__match_any_sync(even, x % 6));
    if (__all_sync(even, x % 1000 != 0))
      r += 7 * __shfl_sync(even, x, 31 - __clz(even));
  }
  r = r * 3 + __ballot_sync(~0u, r & 1);
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned branchesBefore(const Warp &w, unsigned lane) {
  auto x = [&](unsigned l) { return w.x[l]; };
  unsigned odd = lanesWhere(w.present, [&](unsigned l) { return x(l) & 1; });
  if (x(lane) & 1) {
    unsigned two = lanesWhere(odd, [&](unsigned l) { return x(l) & 2; }), r, most = 0;
    r = x(first(odd)) + countBits(odd);
    for (unsigned l = 0; l < 32; ++l)
      if ((odd & ~two) >> l & 1 && (x(l) & 255) > most)
        most = x(l) & 255;
    if (x(lane) & 2)
      r += 3 * sumOver(two, [&](unsigned l) { return x(l) & 255; });
    else
      r += 5 * most + countBits(odd & ~two);
    return r + (lanesWhere(odd, [&](unsigned l) { return x(l) % 7 == 0; }) ? 100000 : 0);
  }
  unsigned even = w.present & ~odd;
  unsigned r = countBits(lanesWhere(even, [&](unsigned l) { return x(l) % 6 == x(lane) % 6; }));
  if (!lanesWhere(even, [&](unsigned l) { return x(l) % 1000 == 0; }))
    r += 7 * x(31 - __builtin_clz(even));
  return r;
}
static unsigned branchesReference(const Warp &w, unsigned lane) {
  return branchesBefore(w, lane) * 3 +
         lanesWhere(w.present, [&](unsigned l) { return branchesBefore(w, l) & 1; });
}

// --- a loop that lanes leave one after the other, with continue ---

__global__ void loops(unsigned *out) {
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r = 0, mask = ~0u, n = x % 9;
  for (unsigned i = 0;; ++i) {
    mask = __ballot_sync(mask, i < n);
    if (i >= n)
      break;
    r = r * 3 + __shfl_sync(mask, x + i, __ffs(mask) - 1);
    unsigned some = __ballot_sync(mask, (x + i) % 3 == 0);
    if ((x + i) % 3 != 0)
      continue;
    for (unsigned k = 0; k < 2; ++k)
      r += __shfl_up_sync(some, __popc(some), 0) + k + __any_sync(some, x % 5 == k);
  }
  __syncwarp();
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned loopsReference(const Warp &w, unsigned lane) {
  unsigned r = 0, x = w.x[lane];
  for (unsigned i = 0; i < x % 9; ++i) {
    unsigned mask = lanesWhere(w.present, [&](unsigned l) { return i < w.x[l] % 9; });
    unsigned some = lanesWhere(mask, [&](unsigned l) { return (w.x[l] + i) % 3 == 0; });
    r = r * 3 + w.x[first(mask)] + i;
    if ((x + i) % 3 == 0)
      for (unsigned k = 0; k < 2; ++k)
        r += countBits(some) + k +
             (lanesWhere(some, [&](unsigned l) { return w.x[l] % 5 == k; }) != 0);
  }
  return r;
}

// --- a loop that ends for all when no thread has work, whose leader changes ---

__global__ void worklist(unsigned *out) {
  unsigned rank = rankInBlock(), lane = rank % 32, x = seed(blockIdx.x, rank), r = 0, n = x % 4;
  while (__any_sync(~0u, n > 0)) {
    unsigned ready = __ballot_sync(~0u, n > 0), leader = __ffs(ready) - 1;
    unsigned item = __shfl_sync(~0u, x + n, leader);
    r = r * 5 + item;
    if (lane == leader)
      --n;
    if (item % 2 == 0 && n > 0)
      r += __popc(__activemask());
  }
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned worklistReference(const Warp &w, unsigned lane) {
  unsigned n[32], r = 0;
  for (unsigned l = 0; l < 32; ++l)
    n[l] = w.x[l] % 4;
  for (;;) {
    unsigned ready = lanesWhere(w.present, [&](unsigned l) { return n[l] > 0; });
    if (!ready)
      return r;
    unsigned leader = first(ready), item = w.x[leader] + n[leader];
    r = r * 5 + item;
    --n[leader];
    if (item % 2 == 0 && n[lane] > 0)
      r += countBits(lanesWhere(w.present, [&](unsigned l) { return n[l] > 0; }));
  }
}

// --- lanes that end early; the rest synchronizes, exchanges through memory, synchronizes again ---

__global__ void exits(unsigned *out) {
  __shared__ unsigned cells[1024];
  unsigned rank = rankInBlock(), lane = rank % 32, base = rank & ~31u, x = seed(blockIdx.x, rank);
  unsigned *mine = &out[blockIdx.x * threadsInBlock() + rank];
  unsigned rest = __ballot_sync(~0u, x % 4 != 0);
  *mine = 1;
  if (x % 4 == 0)
    return;
  cells[rank] = x;
  __syncwarp(rest);
  unsigned above = rest & ~((2u << lane) - 1), next = __ffs(above ? above : rest) - 1;
  unsigned r = cells[base + next];
  __syncwarp(rest);
  cells[rank] = r * 3;
  *mine = r;
  unsigned few = __ballot_sync(rest, x % 4 != 1);
  if (x % 4 == 1)
    return;
  __syncwarp(few);
  r += cells[base + __ffs(few) - 1] + __reduce_add_sync(few, x);
  __syncthreads(); // those that are left of the block
  r += __shfl_sync(few, r, 31 - __clz(few)) + __popc(__activemask()) * 1000;
  *mine = r;
}
static unsigned exitsReference(const Warp &w, unsigned lane) {
  unsigned rest = lanesWhere(w.present, [&](unsigned l) { return w.x[l] % 4 != 0; });
  unsigned few = lanesWhere(rest, [&](unsigned l) { return w.x[l] % 4 != 1; });
  auto next = [&](unsigned l) {
    unsigned above = rest & ~((2u << l) - 1);
    return w.x[first(above ? above : rest)];
  };
  if (w.x[lane] % 4 == 0)
    return 1;
  if (w.x[lane] % 4 == 1)
    return next(lane);
  unsigned common = next(first(few)) * 3 + sumOver(few, [&](unsigned l) { return w.x[l]; });
  unsigned last = 31 - __builtin_clz(few);
  return next(lane) + common + next(last) + common + countBits(few) * 1000;
}

// --- switches and conditions whose second half is a warp function ---

__global__ void switches(unsigned *out) {
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r = 0;
  unsigned same = __match_any_sync(~0u, x % 5);
  switch (x % 5) {
  case 0:
    r = __reduce_add_sync(same, x);
    break;
  case 1:
    r = 11;
    // on to the next
  case 3:
    r += __shfl_sync(same, x, __ffs(same) - 1);
    break;
  case 4:
    if (__any_sync(same, x % 3 == 0) && __popc(__activemask()) > 2)
      r = 5;
    break;
  default:
    r = __ballot_sync(same, x & 8) % 10007;
  }
  unsigned high = __ballot_sync(~0u, x > 5000);
  if (x > 5000 && __popc(__ballot_sync(high, x & 4)) > 3 && r % 2 == 0)
    r += 1000000;
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned switchesReference(const Warp &w, unsigned lane) {
  unsigned x = w.x[lane], r = 0;
  unsigned same = lanesWhere(w.present, [&](unsigned l) { return w.x[l] % 5 == x % 5; });
  switch (x % 5) {
  case 0:
    r = sumOver(same, [&](unsigned l) { return w.x[l]; });
    break;
  case 1:
  case 3:
    r = (x % 5 == 1 ? 11 : 0) + w.x[first(same)];
    break;
  case 4:
    if (lanesWhere(same, [&](unsigned l) { return w.x[l] % 3 == 0; }) && countBits(same) > 2)
      r = 5;
    break;
  default:
    r = lanesWhere(same, [&](unsigned l) { return w.x[l] & 8; }) % 10007;
  }
  unsigned four = lanesWhere(w.present, [&](unsigned l) { return w.x[l] > 5000 && w.x[l] & 4; });
  if (x > 5000 && countBits(four) > 3 && r % 2 == 0)
    r += 1000000;
  return r;
}

// --- groups in functions of their own, by value and by reference, in diverged code ---

template <unsigned N>
__device__ __noinline__ unsigned byValue(cg::thread_block_tile<N> tile, unsigned x) {
  unsigned sum = cg::reduce(tile, x, cg::plus<unsigned>());
  return sum + tile.shfl(x, 0) + tile.size();
}
template <class Group>
__device__ __noinline__ unsigned byReference(const Group &group, unsigned x) {
  group.sync();
  return group.shfl(x, group.size() - 1) * 3 + __popc(group.ballot(x & 1));
}
__device__ __noinline__ unsigned plain(unsigned mask, unsigned x) {
  return __shfl_sync(mask, x, __ffs(mask) - 1) + __popc(mask);
}
__global__ void functions(unsigned *out) {
  cg::thread_block block = cg::this_thread_block();
  auto four = cg::tiled_partition<4>(block);
  auto two = cg::tiled_partition<2>(four);
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r = 0;
  if (rank / 4 % 2 == 0)
    r = byValue<4>(four, x);
  else
    r = byReference(two, x) + byValue<2>(two, x + 1);
  unsigned odd = __ballot_sync(~0u, x & 1);
  if (x & 1) {
    r += plain(odd, x);
    if (x & 2)
      r += byReference(cg::coalesced_threads(), x);
  }
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned functionsReference(const Warp &w, unsigned lane) {
  auto x = [&](unsigned l) { return w.x[l]; };
  unsigned four = lane & ~3u, two = lane & ~1u, r;
  if (lane / 4 % 2 == 0)
    r = sumOver(0xfu << four, x) + x(four) + 4;
  else
    r = x(two + 1) * 3 + (x(two) & 1) + (x(two + 1) & 1) + sumOver(3u << two, x) + 2 + x(two) + 1 +
        2;
  unsigned odd = lanesWhere(w.present, [&](unsigned l) { return x(l) & 1; });
  unsigned both = lanesWhere(odd, [&](unsigned l) { return x(l) & 2; });
  if (x(lane) & 1)
    r += x(first(odd)) + countBits(odd);
  if ((x(lane) & 3) == 3)
    r += x(31 - __builtin_clz(both)) * 3 + countBits(both);
  return r;
}

// --- tiles of four sizes at once, some of them busy at a time ---

__global__ void tiles(unsigned *out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  auto quarter = cg::tiled_partition<8>(block);
  auto four = cg::tiled_partition<4>(half);
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r = x;
  for (unsigned i = 0; i < 3; ++i) {
    if (half.meta_group_rank() == i % 2)
      r += cg::reduce(half, r, cg::plus<unsigned>());
    if (quarter.any(r % 8 == i))
      r ^= cg::reduce(quarter, r, cg::bit_xor<unsigned>());
    else if (four.all(r % 2 == 0))
      r += 17 * four.shfl(r, i);
    r += cg::reduce(warp, r % 100, cg::greater<unsigned>());
  }
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned tilesReference(const Warp &w, unsigned lane) {
  unsigned r[32], next[32];
  std::memcpy(r, w.x, sizeof(r));
  auto of = [&](unsigned l) { return r[l]; };
  for (unsigned i = 0; i < 3; ++i) {
    std::memcpy(next, r, sizeof(r));
    for (unsigned l = 0; l < 32; ++l)
      if (l / 16 == i % 2)
        next[l] += sumOver(0xffffu << (l & 16), of);
    std::memcpy(r, next, sizeof(r));
    for (unsigned l = 0; l < 32; ++l) {
      unsigned bits = 0, even = 1, any = 0;
      for (unsigned k = l & ~7u; k < (l & ~7u) + 8; ++k) {
        bits ^= r[k];
        any |= r[k] % 8 == i;
      }
      for (unsigned k = l & ~3u; k < (l & ~3u) + 4; ++k)
        even &= r[k] % 2 == 0;
      next[l] = any ? r[l] ^ bits : even ? r[l] + 17 * r[(l & ~3u) + i] : r[l];
    }
    std::memcpy(r, next, sizeof(r));
    unsigned most = 0;
    for (unsigned l = 0; l < 32; ++l)
      most = r[l] % 100 > most ? r[l] % 100 : most;
    for (unsigned &v : r)
      v += most;
  }
  return r[lane];
}

// --- few lanes vote in a branch, all in the kernel's last block ---

__global__ void lastVote(unsigned *out) {
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r = x & 7;
  unsigned some = __ballot_sync(~0u, x % 8 == 3);
  if (x % 8 == 3)
    r = 10 + __popc(__ballot_sync(some, x & 16));
  out[blockIdx.x * threadsInBlock() + rank] = r + 100 * __any_sync(~0u, x % 64 == 5);
}
static unsigned lastVoteReference(const Warp &w, unsigned lane) {
  auto voter = [&](unsigned l) { return w.x[l] % 8 == 3 && w.x[l] & 16; };
  unsigned votes = countBits(lanesWhere(w.present, voter));
  unsigned any = lanesWhere(w.present, [&](unsigned l) { return w.x[l] % 64 == 5; }) != 0;
  return (w.x[lane] % 8 == 3 ? 10 + votes : w.x[lane] & 7) + 100 * any;
}

// --- lanes that have left a loop wait for the others at the sum of all, between barriers ---

__global__ void turnsBetweenBarriers(unsigned *out) {
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank), r = x;
  unsigned all = __ballot_sync(~0u, 1);
  for (unsigned turn = 0; turn < 3; ++turn) {
    unsigned members = all;
    for (unsigned i = 0;; ++i) {
      members = __ballot_sync(members, i < (x + turn) % 3);
      if (i >= (x + turn) % 3)
        break;
      r += __reduce_add_sync(members, x);
    }
    r += __reduce_add_sync(all, x) * turn;
    __syncthreads();
  }
  out[blockIdx.x * threadsInBlock() + rank] = r;
}
static unsigned turnsBetweenBarriersReference(const Warp &w, unsigned lane) {
  auto sum = [&](unsigned mask) { return sumOver(mask, [&](unsigned l) { return w.x[l]; }); };
  unsigned r = w.x[lane];
  for (unsigned turn = 0; turn < 3; ++turn) {
    for (unsigned i = 0; i < (w.x[lane] + turn) % 3; ++i)
      r += sum(lanesWhere(w.present, [&](unsigned l) { return i < (w.x[l] + turn) % 3; }));
    r += sum(w.present) * turn;
  }
  return r;
}

// --- warp functions between barriers of the block, in a loop ---

__global__ void barriers(unsigned *out, int rounds) {
  __shared__ unsigned cells[1024];
  unsigned rank = rankInBlock(), threads = threadsInBlock(), lane = rank % 32;
  unsigned here = __ballot_sync(~0u, 1), v = seed(blockIdx.x, rank);
  for (int i = 0; i < rounds; ++i) {
    unsigned other = __shfl_sync(here, v, (lane + i) % __popc(here));
    if (lane % 2 == (unsigned)i % 2)
      v += other * 3;
    cells[rank] = v;
    __syncthreads();
    v ^= cells[(rank + 33) % threads];
    if (__any_sync(here, v % 16 == 0))
      v += 1;
    __syncthreads();
  }
  out[blockIdx.x * threads + rank] = v;
}
static void checkBarriers(dim3 block) {
  const int rounds = 5;
  unsigned threads = threadsOf(block);
  DeviceArray<unsigned> out(kGrid * threads);
  barriers<<<kGrid, block>>>(out, rounds);
  std::vector<unsigned> got = out.host(), v(threads), old(threads);
  for (unsigned b = 0; b < kGrid; ++b) {
    for (unsigned t = 0; t < threads; ++t)
      v[t] = seed(b, t);
    for (int i = 0; i < rounds; ++i) {
      old = v;
      for (unsigned t = 0; t < threads; ++t)
        if (t % 2 == (unsigned)i % 2)
          v[t] += 3 * old[(t & ~31u) + (t % 32 + i) % countBits(presentLanes(t, threads))];
      old = v;
      for (unsigned t = 0; t < threads; ++t)
        v[t] ^= old[(t + 33) % threads];
      for (unsigned t = 0; t < threads; t += 32) {
        unsigned end = t + countBits(presentLanes(t, threads)), any = 0;
        for (unsigned k = t; k < end; ++k)
          any |= v[k] % 16 == 0;
        for (unsigned k = t; k < end; ++k)
          v[k] += any;
      }
    }
    for (unsigned t = 0; t < threads; ++t)
      expectEqual(got[b * threads + t], v[t], "barriers", t);
  }
}

static void check(void (*kernel)(unsigned *), Reference reference, dim3 block, const char *name) {
  DeviceArray<unsigned> out(kGrid * threadsOf(block));
  kernel<<<kGrid, block>>>(out);
  std::vector<unsigned> got = out.host();
  forThreads(block,
             [&](unsigned b, unsigned rank, unsigned firstOfWarp, unsigned lane, unsigned here) {
               Warp w;
               w.present = here;
               for (unsigned l = 0; l < 32; ++l)
                 w.x[l] = seed(b, firstOfWarp + l);
               unsigned value = got[b * threadsOf(block) + rank];
               if (!expectEqual(value, reference(w, lane), name, rank))
                 std::printf("  block %u of %d threads\n", b, threadsOf(block));
             });
}

int main() {
  std::vector<dim3> blocks(std::begin(kBlocks), std::end(kBlocks));
  blocks.push_back(dim3(1024));
  for (dim3 block : blocks) {
    check(branches, branchesReference, block, "branches");
    check(loops, loopsReference, block, "loops");
    check(worklist, worklistReference, block, "worklist");
    check(exits, exitsReference, block, "exits");
    check(switches, switchesReference, block, "switches");
    check(lastVote, lastVoteReference, block, "lastVote");
    check(turnsBetweenBarriers, turnsBetweenBarriersReference, block, "turnsBetweenBarriers");
    if (threadsOf(block) % 4 == 0)
      check(functions, functionsReference, block, "functions");
    if (threadsOf(block) % 32 == 0)
      check(tiles, tilesReference, block, "tiles");
    checkBarriers(block);
  }
  return finish();
}
