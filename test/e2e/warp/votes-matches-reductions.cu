// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes, matches, reductions and the active mask over member masks, for every type CUDA has them
// for, in whole and partial warps and in blocks of more threads than lanes.
// RUN: %vxcc -O3 --lower=hw -Wno-deprecated-declarations -I%inputs %s -o %t
// RUN: %shapes --warp %t

#include "warp.h"

// A result of a function for member mask MASKS[i] is at out[i * threads of the grid + thread].
__device__ size_t place(int i) {
  return (size_t)(i * gridDim.x + blockIdx.x) * threadsInBlock() + rankInBlock();
}

/// Predicates: true for no lane, one lane, some, all.
__host__ __device__ inline int predicate(int kind, unsigned block, unsigned rank) {
  return kind == 0 ? 0 : kind == 1 ? rank % 32 == 4 : kind == 2 ? mixed(block + rank) & 6 : -1;
}
constexpr int kPredicates = 4;

struct Votes {
  unsigned all, any, uni, ballot, active;
};

template <bool Legacy> __global__ void votes(const unsigned *masks, int n, int kind, Votes *out) {
  unsigned rank = rankInBlock();
  int p = predicate(kind, blockIdx.x, rank);
  for (int i = 0; i < n; ++i) {
    unsigned mask = masks[i];
    if (mask >> (rank % 32) & 1) {
      Votes v;
      v.all = Legacy ? __all(p) : __all_sync(mask, p);
      v.any = Legacy ? __any(p) : __any_sync(mask, p);
      v.uni = Legacy ? __uni(p) : __uni_sync(mask, p);
      v.ballot = Legacy ? __ballot(p) : __ballot_sync(mask, p);
      v.active = __activemask();
      out[place(i)] = v;
    }
  }
}

template <bool Legacy> static void checkVotes(const std::vector<unsigned> &masks, dim3 block) {
  DeviceArray<unsigned> deviceMasks(masks);
  for (int kind = 0; kind < kPredicates; ++kind) {
    DeviceArray<Votes> out(masks.size() * kGrid * threadsOf(block));
    votes<Legacy><<<kGrid, block>>>(deviceMasks, (int)masks.size(), kind, out);
    std::vector<Votes> got = out.host();
    size_t at = 0;
    for (unsigned mask : masks)
      forThreads(block, [&](unsigned b, unsigned, unsigned first, unsigned lane, unsigned here) {
        unsigned members = mask & here, yes = 0;
        for (unsigned l = 0; l < 32; ++l)
          if (members >> l & 1 && predicate(kind, b, first + l))
            yes |= 1u << l;
        const Votes &v = got[at++];
        if (!(members >> lane & 1))
          return;
        expectEqual(v.all, (unsigned)(yes == members), "all", at);
        expectEqual(v.any, (unsigned)(yes != 0), "any", at);
        expectEqual(v.uni, (unsigned)(yes == 0 || yes == members), "uni", at);
        expectEqual(v.ballot, yes, "ballot", at);
#ifndef PATHS // lanes at another turn of the loop may be there, too
        expectEqual(v.active, members, "activemask", at);
#endif
      });
  }
}

/// Values among which some are equal: all the same, a few different ones, all different ones.
template <class T> __host__ __device__ T repeated(int kind, unsigned block, unsigned rank) {
  return make<T>(kind == 0 ? block : kind == 1 ? mixed(rank) % 5 : block * 4096 + rank);
}
constexpr int kRepeats = 3;

struct Matches {
  unsigned any, all;
  int predicate;
};

template <class T> __global__ void matches(const unsigned *masks, int n, int kind, Matches *out) {
  unsigned rank = rankInBlock();
  T v = repeated<T>(kind, blockIdx.x, rank);
  for (int i = 0; i < n; ++i) {
    unsigned mask = masks[i];
    if (mask >> (rank % 32) & 1) {
      Matches m;
      m.any = __match_any_sync(mask, v);
      m.all = __match_all_sync(mask, v, &m.predicate);
      out[place(i)] = m;
    }
  }
}

template <class T>
static void checkMatches(const std::vector<unsigned> &masks, dim3 block, const char *name) {
  DeviceArray<unsigned> deviceMasks(masks);
  for (int kind = 0; kind < kRepeats; ++kind) {
    DeviceArray<Matches> out(masks.size() * kGrid * threadsOf(block));
    matches<T><<<kGrid, block>>>(deviceMasks, (int)masks.size(), kind, out);
    std::vector<Matches> got = out.host();
    size_t at = 0;
    for (unsigned mask : masks)
      forThreads(block,
                 [&](unsigned b, unsigned rank, unsigned first, unsigned lane, unsigned here) {
                   unsigned members = mask & here, same = 0;
                   for (unsigned l = 0; l < 32; ++l)
                     if (members >> l & 1 &&
                         sameBits(repeated<T>(kind, b, first + l), repeated<T>(kind, b, rank)))
                       same |= 1u << l;
                   const Matches &m = got[at++];
                   if (!(members >> lane & 1))
                     return;
                   expectEqual(m.any, same, name, at);
                   expectEqual(m.all, same == members ? members : 0u, name, at);
                   expectEqual(m.predicate, (int)(same == members), name, at);
                 });
  }
}

struct Reductions {
  int add, min, max;
  unsigned uadd, umin, umax, band, bor, bxor;
};

__global__ void reductions(const unsigned *masks, int n, Reductions *out) {
  unsigned rank = rankInBlock();
  unsigned u = valueOf<unsigned>(blockIdx.x, rank);
  int s = (int)u;
  for (int i = 0; i < n; ++i) {
    unsigned mask = masks[i];
    if (mask >> (rank % 32) & 1) {
      Reductions r;
      r.add = __reduce_add_sync(mask, s);
      r.min = __reduce_min_sync(mask, s);
      r.max = __reduce_max_sync(mask, s);
      r.uadd = __reduce_add_sync(mask, u);
      r.umin = __reduce_min_sync(mask, u);
      r.umax = __reduce_max_sync(mask, u);
      r.band = __reduce_and_sync(mask, u | 1);
      r.bor = __reduce_or_sync(mask, u & 0xff0f);
      r.bxor = __reduce_xor_sync(mask, u);
      out[place(i)] = r;
    }
  }
}

// With the full mask, which is all that most programs use.
__global__ void fullReductions(Reductions *out) {
  unsigned u = valueOf<unsigned>(blockIdx.x, rankInBlock());
  int s = (int)u;
  Reductions r;
  r.add = __reduce_add_sync(~0u, s);
  r.min = __reduce_min_sync(~0u, s);
  r.max = __reduce_max_sync(~0u, s);
  r.uadd = __reduce_add_sync(~0u, u);
  r.umin = __reduce_min_sync(~0u, u);
  r.umax = __reduce_max_sync(~0u, u);
  r.band = __reduce_and_sync(~0u, u | 1);
  r.bor = __reduce_or_sync(~0u, u & 0xff0f);
  r.bxor = __reduce_xor_sync(~0u, u);
  out[place(0)] = r;
}

static void checkReductions(const std::vector<Reductions> &got, const std::vector<unsigned> &masks,
                            dim3 block) {
  size_t at = 0;
  for (unsigned mask : masks)
    forThreads(block, [&](unsigned b, unsigned, unsigned first, unsigned lane, unsigned here) {
      unsigned members = mask & here;
      Reductions want = {0, 0x7fffffff, (int)0x80000000, 0, ~0u, 0, ~0u, 0, 0};
      for (unsigned l = 0; l < 32; ++l) {
        if (!(members >> l & 1))
          continue;
        unsigned u = valueOf<unsigned>(b, first + l);
        int s = (int)u;
        want.uadd += u;
        want.min = s < want.min ? s : want.min;
        want.max = s > want.max ? s : want.max;
        want.umin = u < want.umin ? u : want.umin;
        want.umax = u > want.umax ? u : want.umax;
        want.band &= u | 1;
        want.bor |= u & 0xff0f;
        want.bxor ^= u;
      }
      want.add = (int)want.uadd;
      const Reductions &r = got[at++];
      if (members >> lane & 1 && !expect(sameBits(r, want), "reductions", at))
        std::printf("  block of %d, mask %#x: add %d, wanted %d; max %d, wanted %d\n",
                    threadsOf(block), mask, r.add, want.add, r.max, want.max);
    });
}

int main() {
  std::vector<unsigned> masks(std::begin(kMasks), std::end(kMasks));
  for (dim3 block : kBlocks) {
    checkVotes<false>(masks, block);
#ifndef PATHS // the same
    checkVotes<true>(masks, block);
#endif
    checkMatches<int>(masks, block, "match int");
    checkMatches<unsigned>(masks, block, "match unsigned");
    checkMatches<long>(masks, block, "match long");
    checkMatches<unsigned long>(masks, block, "match unsigned long");
    checkMatches<long long>(masks, block, "match long long");
    checkMatches<unsigned long long>(masks, block, "match unsigned long long");
    checkMatches<float>(masks, block, "match float");
    checkMatches<double>(masks, block, "match double");

    DeviceArray<unsigned> deviceMasks(masks);
    DeviceArray<Reductions> out(masks.size() * kGrid * threadsOf(block));
    reductions<<<kGrid, block>>>(deviceMasks, (int)masks.size(), out);
    checkReductions(out.host(), masks, block);
    DeviceArray<Reductions> full(kGrid * threadsOf(block));
    fullReductions<<<kGrid, block>>>(full);
    checkReductions(full.host(), {0xffffffffu}, block);
  }
  return finish();
}
