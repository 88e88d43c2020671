// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups that mean the same on the device and on the host: tiles, coalesced groups and
// parts of them, blocks' tiles of several warps, the grid. A group is a value; all of its threads
// call what takes it. Included by lockstep-warp.h.

#ifndef TEST_E2E_LOCKSTEP_GROUPS_H
#define TEST_E2E_LOCKSTEP_GROUPS_H

#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>

// The device's side …
template <unsigned N> __device__ inline auto tileOf() {
  return cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block());
}
template <unsigned N, class Group> __device__ inline auto tileOf(const Group &group) {
  return cooperative_groups::tiled_partition<N>(group);
}
/// Returns the lanes of MEMBERS. To be called only where the MEMBERS are known to run together.
/// On a device with paths (PATHS), lanes that are at the same place in another iteration may be
/// with them, as CUDA allows.
__device__ inline auto coalescedOf([[maybe_unused]] unsigned members) {
#ifdef PATHS
  return cooperative_groups::labeled_partition(cooperative_groups::coalesced_threads(), members);
#else
  return cooperative_groups::coalesced_threads();
#endif
}
template <class Group> __device__ inline auto partOf(const Group &group, bool p) {
  return cooperative_groups::binary_partition(group, p);
}
template <class Group> __device__ inline auto labelledOf(const Group &group, unsigned label) {
  return cooperative_groups::labeled_partition(group, label);
}
/// Runs of N ranks of a coalesced group.
template <class Group> __device__ inline auto runsOf(const Group &group, unsigned n) {
  return cooperative_groups::tiled_partition(group, n);
}
template <class Group> __device__ inline unsigned rankIn(const Group &group) {
  return group.thread_rank();
}
template <class Group> __device__ inline unsigned sizeOf(const Group &group) {
  return group.num_threads();
}
template <class Group> __device__ inline unsigned numberOf(const Group &group) {
  return group.meta_group_rank();
}
template <class Group> __device__ inline void syncIn(const Group &group) { group.sync(); }
template <class Group> __device__ inline unsigned ballotIn(const Group &group, bool p) {
  return group.ballot(p);
}
template <class Group> __device__ inline unsigned anyIn(const Group &group, bool p) {
  return group.any(p) != 0;
}
template <class Group> __device__ inline unsigned allIn(const Group &group, bool p) {
  return group.all(p) != 0;
}
template <class Group, class T> __device__ inline unsigned matchIn(const Group &group, T v) {
  return group.match_any(v);
}
template <class Group, class T> __device__ inline unsigned matchAllIn(const Group &group, T v) {
  int same = 7;
  unsigned ranks = group.match_all(v, same);
  return same ? ranks : 54321;
}
/// BY stays below the group's size. What is read beyond its ends is the own value.
template <Shuffle Kind, class Group, class T>
__device__ inline T shuffleIn(const Group &group, T v, unsigned by) {
  by %= static_cast<unsigned>(group.num_threads());
  if constexpr (Kind == Idx)
    return group.shfl(v, by);
  else if constexpr (Kind == Up)
    return group.shfl_up(v, by);
  else if constexpr (Kind == Down)
    return group.shfl_down(v, by);
  else
    return group.shfl_xor(v, by);
}
template <class T> struct Product {
  __device__ T operator()(T a, T b) const { return a * b; }
};
#define LOCKSTEP_GROUP_REDUCTION(NAME, OPERATOR, T)                                                \
  template <class Group> __device__ inline T NAME(const Group &group, T v) {                       \
    return cooperative_groups::reduce(group, v, OPERATOR<T>());                                    \
  }
LOCKSTEP_GROUP_REDUCTION(sumIn, cooperative_groups::plus, unsigned)
LOCKSTEP_GROUP_REDUCTION(sumIn, cooperative_groups::plus, unsigned long long)
LOCKSTEP_GROUP_REDUCTION(sumIn, cooperative_groups::plus, float)
LOCKSTEP_GROUP_REDUCTION(leastIn, cooperative_groups::less, int)
LOCKSTEP_GROUP_REDUCTION(leastIn, cooperative_groups::less, float)
LOCKSTEP_GROUP_REDUCTION(greatestIn, cooperative_groups::greater, unsigned)
LOCKSTEP_GROUP_REDUCTION(greatestIn, cooperative_groups::greater, double)
LOCKSTEP_GROUP_REDUCTION(xorIn, cooperative_groups::bit_xor, unsigned)
LOCKSTEP_GROUP_REDUCTION(productIn, Product, unsigned)
#undef LOCKSTEP_GROUP_REDUCTION
template <class Group, class T> __device__ inline T scanIn(const Group &group, T v) {
  return cooperative_groups::inclusive_scan(group, v);
}
template <class Group, class T> __device__ inline T scanBefore(const Group &group, T v) {
  return cooperative_groups::exclusive_scan(group, v);
}
template <class Group, class T> __device__ inline T greatestUpTo(const Group &group, T v) {
  return cooperative_groups::inclusive_scan(group, v, cooperative_groups::greater<T>());
}
__device__ inline void gridSync() { cooperative_groups::this_grid().sync(); }

// … and the host's. A group is the set of its threads, by their numbers in the block.
struct HostGroup {
  unsigned first;   ///< the thread whose number the members' numbers are relative to
  unsigned members; ///< lanes from there on; a tile of several warps has its size instead
  unsigned number;  ///< among the groups that were made with it
  bool warps;       ///< a tile of several warps

  unsigned size() const { return warps ? members : bitsOf(members); }
  unsigned rank() const {
    return warps ? linearThread() - first : bitsOf(members & below(laneId()));
  }
};
template <class T> struct HostRanks {
  T values[1024]; ///< by rank
  unsigned self, size;
};
/// Returns what the members bring along, by their ranks.
template <class T> __host__ HostRanks<T> &meetIn(const HostGroup &group, T v) {
  static HostRanks<T> ranks;
  if (group.warps) {
    const std::vector<unsigned long long> &all = lockstep().exchangeInBlock(toBits(v));
    for (unsigned i = 0; i < group.members; ++i)
      ranks.values[i] = fromBits<T>(all[group.first + i]);
  } else {
    const Lockstep::Exchange &all = exchangeAt(group.members, WarpCall::Tile, toBits(v));
    expect(all.members == group.members, "groups with all threads", linearThread());
    for (unsigned lane = 0, rank = 0; lane < 32; ++lane)
      if (all.members >> lane & 1)
        ranks.values[rank++] = fromBits<T>(all.values[lane]);
  }
  ranks.self = group.rank();
  ranks.size = group.size();
  return ranks;
}
template <unsigned N> __host__ HostGroup tileOf() {
  unsigned thread = linearThread();
  if (N > 32)
    return {thread / N * N, N, thread / N, true};
  return {thread & ~31u, tileLanes(laneId(), N), thread / N, false};
}
template <unsigned N> __host__ HostGroup tileOf(const HostGroup &parent) {
  unsigned thread = linearThread();
  return {thread & ~31u, tileLanes(laneId(), N), parent.rank() / N, false};
}
__host__ inline HostGroup coalescedOf(unsigned members) {
  return {linearThread() & ~31u, exchangeAt(members, WarpCall::Active, 0).members, 0, false};
}
__host__ inline HostGroup membersWith(const HostGroup &group, const bool (&with)[32]) {
  HostGroup part = group;
  part.members = part.number = 0;
  for (unsigned lane = 0, rank = 0; lane < 32; ++lane)
    if (group.members >> lane & 1)
      part.members |= unsigned(with[rank++]) << lane;
  return part;
}
__host__ inline HostGroup partOf(const HostGroup &group, bool p) {
  HostRanks<bool> &all = meetIn(group, p);
  bool with[32] = {};
  for (unsigned i = 0; i < all.size; ++i)
    with[i] = all.values[i] == p;
  return membersWith(group, with);
}
__host__ inline HostGroup labelledOf(const HostGroup &group, unsigned label) {
  HostRanks<unsigned> &all = meetIn(group, label);
  bool with[32] = {}, mine = false;
  unsigned number = 0; // parts are numbered by their first members
  for (unsigned i = 0; i < all.size; ++i) {
    with[i] = all.values[i] == label;
    mine |= with[i];
    bool leads = true;
    for (unsigned j = 0; j < i; ++j)
      leads &= all.values[j] != all.values[i];
    number += leads && !mine;
  }
  HostGroup part = membersWith(group, with);
  part.number = number;
  return part;
}
__host__ inline HostGroup runsOf(const HostGroup &group, unsigned n) {
  bool with[32] = {};
  for (unsigned i = 0; i < group.size(); ++i)
    with[i] = i / n == group.rank() / n;
  HostGroup part = membersWith(group, with);
  part.number = group.rank() / n;
  return part;
}
__host__ inline unsigned rankIn(const HostGroup &group) { return group.rank(); }
__host__ inline unsigned sizeOf(const HostGroup &group) { return group.size(); }
__host__ inline unsigned numberOf(const HostGroup &group) { return group.number; }
__host__ inline void syncIn(const HostGroup &group) { meetIn(group, 0u); }
template <class T, class F> __host__ T combineIn(const HostGroup &group, T v, F combine) {
  HostRanks<T> &all = meetIn(group, v);
  T result = all.values[0];
  for (unsigned i = 1; i < all.size; ++i)
    result = combine(result, all.values[i]);
  return result;
}
__host__ inline unsigned ballotIn(const HostGroup &group, bool p) {
  HostRanks<bool> &all = meetIn(group, p);
  unsigned bits = 0;
  for (unsigned i = 0; i < all.size; ++i)
    bits |= unsigned(all.values[i]) << i;
  return bits;
}
__host__ inline unsigned anyIn(const HostGroup &group, bool p) {
  return combineIn(group, p, [](bool a, bool b) { return a || b; });
}
__host__ inline unsigned allIn(const HostGroup &group, bool p) {
  return combineIn(group, p, [](bool a, bool b) { return a && b; });
}
template <class T> __host__ unsigned matchIn(const HostGroup &group, T v) {
  HostRanks<T> &all = meetIn(group, v);
  unsigned bits = 0;
  for (unsigned i = 0; i < all.size; ++i)
    bits |= unsigned(all.values[i] == v) << i;
  return bits;
}
template <class T> __host__ unsigned matchAllIn(const HostGroup &group, T v) {
  unsigned same = matchIn(group, v);
  return bitsOf(same) == group.size() ? same : 54321;
}
template <Shuffle Kind, class T> __host__ T shuffleIn(const HostGroup &group, T v, unsigned by) {
  HostRanks<T> &all = meetIn(group, v);
  by %= all.size;
  unsigned source = Kind == Idx    ? by
                    : Kind == Up   ? all.self - by
                    : Kind == Down ? all.self + by
                                   : all.self ^ by;
  return source < all.size ? all.values[source] : v;
}
#define LOCKSTEP_GROUP_REDUCTION(NAME, EXPRESSION, T)                                              \
  __host__ inline T NAME(const HostGroup &group, T v) {                                            \
    return combineIn(group, v, [](T a, T b) -> T { return EXPRESSION; });                          \
  }
LOCKSTEP_GROUP_REDUCTION(sumIn, a + b, unsigned)
LOCKSTEP_GROUP_REDUCTION(sumIn, a + b, unsigned long long)
LOCKSTEP_GROUP_REDUCTION(sumIn, a + b, float)
LOCKSTEP_GROUP_REDUCTION(leastIn, b < a ? b : a, int)
LOCKSTEP_GROUP_REDUCTION(leastIn, b < a ? b : a, float)
LOCKSTEP_GROUP_REDUCTION(greatestIn, a < b ? b : a, unsigned)
LOCKSTEP_GROUP_REDUCTION(greatestIn, a < b ? b : a, double)
LOCKSTEP_GROUP_REDUCTION(xorIn, a ^ b, unsigned)
LOCKSTEP_GROUP_REDUCTION(productIn, a *b, unsigned)
#undef LOCKSTEP_GROUP_REDUCTION
template <class T, class F> __host__ T foldRanks(const HostRanks<T> &all, unsigned end, F combine) {
  T result = all.values[0];
  for (unsigned i = 1; i < end; ++i)
    result = combine(result, all.values[i]);
  return result;
}
template <class T> __host__ T scanIn(const HostGroup &group, T v) {
  HostRanks<T> &all = meetIn(group, v);
  return foldRanks(all, all.self + 1, [](T a, T b) -> T { return a + b; });
}
template <class T> __host__ T scanBefore(const HostGroup &group, T v) {
  HostRanks<T> &all = meetIn(group, v);
  return all.self ? foldRanks(all, all.self, [](T a, T b) -> T { return a + b; }) : T();
}
template <class T> __host__ T greatestUpTo(const HostGroup &group, T v) {
  HostRanks<T> &all = meetIn(group, v);
  return foldRanks(all, all.self + 1, [](T a, T b) -> T { return a < b ? b : a; });
}
__host__ inline void gridSync() { lockstep().waitForGrid(); }

#endif // TEST_E2E_LOCKSTEP_GROUPS_H
