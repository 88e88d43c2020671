// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of lanes in any pattern: coalesced_threads() in divergent code, its votes, shuffles,
// reductions and scans; binary, labeled and dynamic tiled partitions of it and of tiles.
// RUN: %vxcc -O3 --lower=hw -I%inputs %s -o %t
// RUN: %shapes --warp %t

#include "warp.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <vector>
namespace cg = cooperative_groups;

/// Everything a group tells, for comparison with what is so.
struct Report {
  unsigned size, rank, metaRank, metaSize;
  unsigned any, all, ballot, matchAny, matchAll;
  int same;
  unsigned shfl, up, down, bfly;
  double wide;
  long long sum;
  unsigned most, least, product;
  float inclusive;
  unsigned exclusive;
  unsigned long long xors;
};

__host__ __device__ inline unsigned seed(unsigned block, unsigned rank) {
  return mixed(block * 4096 + rank) % 100000;
}

template <class Group> __device__ Report report(const Group &g, unsigned x) {
  Report r;
  memset(&r, 0, sizeof(r));
  r.size = g.size();
  r.rank = g.thread_rank();
  r.metaRank = g.meta_group_rank();
  r.metaSize = g.meta_group_size();
  r.any = g.any(x % 8 == 0);
  r.all = g.all(x % 8 != 1);
  r.ballot = g.ballot(x & 16);
  r.matchAny = g.match_any(x % 3);
  r.matchAll = g.match_all((unsigned long long)x / 50000, r.same);
  r.shfl = g.shfl(x, g.size() / 2);
  r.up = g.shfl_up(x, 2);
  r.down = g.shfl_down(x, 3);
  r.bfly = g.shfl_xor(x, 1);
  r.wide = g.shfl((double)x * 1.000000001, g.size() - 1 - r.rank);
  r.sum = cg::reduce(g, (long long)x * 1000003, cg::plus<long long>());
  r.most = cg::reduce(g, x, cg::greater<unsigned>());
  r.least = cg::reduce(g, x, cg::less<unsigned>());
  r.product = cg::reduce(g, x | 1, [](unsigned a, unsigned b) { return a * b; });
  r.inclusive = cg::inclusive_scan(g, (float)(x % 1000));
  r.exclusive = cg::exclusive_scan(g, x, cg::plus<unsigned>());
  r.xors = cg::reduce(g, (unsigned long long)x << 20, cg::bit_xor<unsigned long long>());
  g.sync();
  return r;
}

/// Returns what the member at INDEX of a group with these values has to report.
static Report expected(const std::vector<unsigned> &x, unsigned index, unsigned metaRank,
                       unsigned metaSize) {
  unsigned n = (unsigned)x.size(), other = 0;
  Report r;
  std::memset(&r, 0, sizeof(r));
  r.size = n;
  r.rank = index;
  r.metaRank = metaRank;
  r.metaSize = metaSize;
  r.all = 1;
  r.same = 1;
  r.product = 1;
  r.least = ~0u;
  for (unsigned i = 0; i < n; ++i) {
    r.any |= x[i] % 8 == 0;
    r.all &= x[i] % 8 != 1;
    r.ballot |= (unsigned)((x[i] & 16) != 0) << i;
    r.matchAny |= (unsigned)(x[i] % 3 == x[index] % 3) << i;
    r.same &= x[i] / 50000 == x[0] / 50000;
    r.sum += (long long)x[i] * 1000003;
    r.most = x[i] > r.most ? x[i] : r.most;
    r.least = x[i] < r.least ? x[i] : r.least;
    r.product *= x[i] | 1;
    r.inclusive += i <= index ? (float)(x[i] % 1000) : 0.0f;
    r.exclusive += i < index ? x[i] : 0;
    r.xors ^= (unsigned long long)x[i] << 20;
  }
  r.matchAll = r.same ? (n == 32 ? ~0u : (1u << n) - 1) : 0;
  r.shfl = x[n / 2];
  r.up = x[index >= 2 ? index - 2 : index];
  r.down = x[index + 3 < n ? index + 3 : index];
  other = index ^ 1;
  r.bfly = x[other < n ? other : index];
  r.wide = (double)x[n - 1 - index] * 1.000000001;
  return r;
}

/// Returns the values of the lanes in MEMBERS, and the place of LANE among them.
static std::vector<unsigned> valuesOf(unsigned members, unsigned block, unsigned first) {
  std::vector<unsigned> values;
  for (unsigned l = 0; l < 32; ++l)
    if (members >> l & 1)
      values.push_back(seed(block, first + l));
  return values;
}
static unsigned placeOf(unsigned members, unsigned lane) {
  return countBits(members & ((1u << lane) - 1));
}

static void compare(const Report &got, const Report &want, const char *what, size_t at) {
  if (!expect(sameBits(got, want), what, at))
    std::printf("  size %u, wanted %u; rank %u, wanted %u; meta %u of %u, wanted %u of %u; ballot "
                "%#x, wanted %#x; shfl %u, wanted %u; sum %lld, wanted %lld; inclusive %g, wanted "
                "%g\n",
                got.size, want.size, got.rank, want.rank, got.metaRank, got.metaSize, want.metaRank,
                want.metaSize, got.ballot, want.ballot, got.shfl, want.shfl, got.sum, want.sum,
                got.inclusive, want.inclusive);
}

enum Part { Whole, Binary, Labeled, Runs, TileBinary, TileLabeled, Parts };
constexpr unsigned kRun = 4, kTile = 16;

__host__ __device__ inline bool chosen(unsigned block, unsigned rank) {
  return seed(block, rank) % 3 == 0;
}
__host__ __device__ inline int labelOf(unsigned block, unsigned rank) {
  return (int)(seed(block, rank) / 7 % 5) - 2;
}

template <Part Which> __global__ void groups(unsigned mask, Report *out) {
  unsigned rank = rankInBlock(), x = seed(blockIdx.x, rank);
  Report *mine = &out[blockIdx.x * threadsInBlock() + rank];
  if (Which == TileBinary || Which == TileLabeled) {
    auto tile = cg::tiled_partition<kTile>(cg::this_thread_block());
    if (Which == TileBinary)
      *mine = report(cg::binary_partition(tile, chosen(blockIdx.x, rank)), x);
    else
      *mine = report(cg::labeled_partition(tile, labelOf(blockIdx.x, rank)), x);
    return;
  }
  if (!(mask >> (rank % 32) & 1))
    return;
  cg::coalesced_group here = cg::coalesced_threads();
  if (Which == Whole)
    *mine = report(here, x);
  else if (Which == Binary)
    *mine = report(cg::binary_partition(here, chosen(blockIdx.x, rank)), x);
  else if (Which == Labeled)
    *mine = report(cg::labeled_partition(here, labelOf(blockIdx.x, rank)), x);
  else
    *mine = report(cg::tiled_partition(here, kRun), x);
}

/// The members of the part of MEMBERS that LANE is in, its number and how many there are.
struct Slice {
  unsigned members, number, count;
};
static Slice sliceOf(Part which, unsigned members, unsigned lane, unsigned block, unsigned first) {
  Slice s = {0, 0, 1};
  unsigned place = placeOf(members, lane), leaders = 0;
  auto sameLabel = [&](unsigned a, unsigned b) {
    return labelOf(block, first + a) == labelOf(block, first + b);
  };
  for (unsigned l = 0; l < 32; ++l) {
    if (!(members >> l & 1))
      continue;
    bool together = true;
    if (which == Binary || which == TileBinary)
      together = chosen(block, first + l) == chosen(block, first + lane);
    if (which == Labeled || which == TileLabeled)
      together = sameLabel(l, lane);
    if (which == Runs)
      together = placeOf(members, l) / kRun == place / kRun;
    if (together)
      s.members |= 1u << l;
    bool leads = true;
    for (unsigned before = 0; before < l; ++before)
      leads &= !(members >> before & 1 && sameLabel(before, l));
    leaders |= (unsigned)leads << l;
  }
  if (which == Binary || which == TileBinary)
    s.number = chosen(block, first + lane), s.count = 2;
  if (which == Labeled || which == TileLabeled)
    s.number = placeOf(leaders, (unsigned)__builtin_ctz(s.members)), s.count = countBits(leaders);
  if (which == Runs)
    s.number = place / kRun, s.count = (countBits(members) + kRun - 1) / kRun;
  return s;
}

template <Part Which> static void check(const char *name) {
  bool ofTile = Which == TileBinary || Which == TileLabeled;
  for (dim3 block : kBlocks)
    for (unsigned mask : kMasks) {
      if (ofTile && (mask != 0xffffffffu || threadsOf(block) % kTile != 0))
        continue;
      DeviceArray<Report> out(kGrid * threadsOf(block));
      groups<Which><<<kGrid, block>>>(mask, out);
      std::vector<Report> got = out.host();
      size_t at = 0;
      forThreads(block, [&](unsigned b, unsigned, unsigned first, unsigned lane, unsigned here) {
        unsigned members = ofTile ? 0xffffu << (lane & kTile) : mask & here;
        const Report &mine = got[at++];
        if (!(members >> lane & 1))
          return;
        Slice s = sliceOf(Which, members, lane, b, first);
        compare(
            mine,
            expected(valuesOf(s.members, b, first), placeOf(s.members, lane), s.number, s.count),
            name, at);
      });
    }
}

int main() {
  check<Whole>("coalesced_threads");
  check<Binary>("binary_partition");
  check<Labeled>("labeled_partition");
  check<Runs>("tiled_partition of a coalesced group");
  check<TileBinary>("binary_partition of a tile");
  check<TileLabeled>("labeled_partition of a tile");
  return finish();
}
