// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dividing groups: tiled_partition, binary_partition, labeled_partition.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_PARTITION_H
#define VX_CUDA_COOPERATIVE_GROUPS_PARTITION_H

#include "block_tile.h"
#include "warp_groups.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {
namespace details {

template <unsigned N>
using tile_of = typename std::conditional<(N <= 32), warp_tile<N>, block_tile<N>>::type;

} // namespace details

/// N neighbouring threads, a power of two. Who was divided is part of the type, as in CUDA, and
/// forgotten by a function that takes thread_block_tile<N>.
template <unsigned N, class Parent = void>
class thread_block_tile : public thread_block_tile<N, void> {
  VX_CG thread_block_tile(unsigned metaRank, unsigned metaSize)
      : thread_block_tile<N, void>(metaRank, metaSize) {}
  template <unsigned M, class Group>
  friend VX_CG thread_block_tile<M, Group> tiled_partition(const Group &);
};
template <unsigned N> class thread_block_tile<N, void> : public details::tile_of<N> {
  static_assert(N >= 1 && N <= 1024 && (N & (N - 1)) == 0, "a tile is a power of two up to 1024");

protected:
  VX_CG thread_block_tile(unsigned metaRank, unsigned metaSize)
      : details::tile_of<N>(metaRank, metaSize) {}
  friend VX_CG thread_block_tile<1, void> this_thread();
};

/// Divides a block or a tile into tiles of N threads.
template <unsigned N, class Group>
VX_CG thread_block_tile<N, Group> tiled_partition(const Group &parent) {
  static_assert(!std::is_base_of<coalesced_group, Group>::value,
                "the size of tiles of a coalesced_group is an argument");
  return thread_block_tile<N, Group>((unsigned)parent.thread_rank() / N,
                                     ((unsigned)parent.num_threads() + N - 1) / N);
}

/// The caller alone.
VX_CG thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(0, 1); }

/// Divides any group whose members are in one warp, or a block, into tiles of N <= 32 ranks.
VX_CG thread_group tiled_partition(const thread_group &parent, unsigned n) {
  bool inWarp = parent.kind == thread_group::of_warp;
  unsigned lanes = inWarp ? parent.members : details::presentLanes();
  return thread_group(thread_group::of_warp, details::runOfRanks(lanes, n));
}
VX_CG coalesced_group tiled_partition(const coalesced_group &parent, unsigned n) {
  return coalesced_group(details::runOfRanks(parent.member_mask(), n), parent.thread_rank() / n,
                         (parent.num_threads() + n - 1) / n);
}

/// Splits a group inside a warp by a predicate, or by the value of a label.
template <class Group> VX_CG coalesced_group binary_partition(const Group &group, bool predicate) {
  unsigned mask = group.member_mask(), yes = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? yes : mask & ~yes, predicate, 2);
}
/// With the size of the tile as an argument.
template <unsigned N, class Parent>
VX_CG coalesced_group binary_partition(const thread_block_tile<N, Parent> &tile, bool predicate) {
  return binary_partition<thread_block_tile<N, Parent>>(tile, predicate);
}
template <class Group, class Label>
VX_CG coalesced_group labeled_partition(const Group &group, Label label) {
  unsigned mask = group.member_mask(), mine = __match_any_sync(mask, +label);
  // Parts are numbered by their first lanes.
  unsigned leaders = __ballot_sync(mask, (mine & details::lanesBelow()) == 0);
  unsigned belowFirst = (mine & -mine) - 1u;
  return coalesced_group(mine, __popc(leaders & belowFirst), __popc(leaders));
}

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_PARTITION_H
