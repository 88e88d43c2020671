// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: sets of threads as values that can synchronise, exchange values and be split.
//
//   grid_group ⊃ thread_block ⊃ thread_block_tile<N> (a power of two: lanes of one warp up to 32,
//                                                     beyond that whole warps)
//                             ⊃ coalesced_group (those lanes of one warp that are here now)

#ifndef VX_CUDA_COOPERATIVE_GROUPS_H
#define VX_CUDA_COOPERATIVE_GROUPS_H

#if defined(__CUDA__) && defined(__cplusplus)

#include "cooperative_groups/details/cluster.h"
#include "cooperative_groups/details/partition.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {

template <class Group> VX_CG void sync(const Group &group) { group.sync(); }
template <class Group> VX_CG auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group> VX_CG auto num_threads(const Group &group) -> decltype(group.num_threads()) {
  return group.num_threads();
}
template <class Group> VX_CG auto group_size(const Group &group) -> decltype(group.size()) {
  return group.size();
}

/// One member runs the function; with _broadcast, all get its result.
template <class Group, class Function, class... Args>
VX_CG void invoke_one(const Group &group, Function &&function, Args &&...args) {
  if (group.thread_rank() == 0)
    function(static_cast<Args &&>(args)...);
}
template <class Group, class Function, class... Args>
VX_CG auto invoke_one_broadcast(const Group &group, Function &&function, Args &&...args)
    -> decltype(function(static_cast<Args &&>(args)...)) {
  decltype(function(static_cast<Args &&>(args)...)) result{};
  if (group.thread_rank() == 0)
    result = function(static_cast<Args &&>(args)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#undef VX_CG

#endif // __CUDA__

#endif // VX_CUDA_COOPERATIVE_GROUPS_H
