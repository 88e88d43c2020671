// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::inclusive_scan and exclusive_scan: each member gets OP over the values of the
// ranks up to, or before, its own. With _update, after the value of an atomic.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define VX_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {
namespace details {

// The steps are those of the largest group: groups of different sizes stay together.
template <class Group, class T, class Op> VX_CG T scanInWarp(const Group &group, T value, Op &op) {
  unsigned rank = group.thread_rank();
#pragma unroll
  for (unsigned distance = 1; distance < Group::kMaxThreads; distance *= 2) {
    T other = group.shfl_up(value, distance);
    if (rank >= distance)
      value = op(other, value);
  }
  return value;
}
template <class Group, class T> VX_CG T shiftInWarp(const Group &group, T value, T first) {
  T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? first : before;
}

template <class T, class Op> VX_CG T inclusive(const coalesced_group &group, T value, Op &op) {
  return scanInWarp(group, value, op);
}
template <unsigned N, class T, class Op>
VX_CG T inclusive(const warp_tile<N> &group, T value, Op &op) {
  return scanInWarp(group, value, op);
}
// Each warp by itself, then what the warps before it add.
template <unsigned N, class T, class Op>
VX_CG T inclusive(const block_tile<N> &group, T value, Op &op) {
  T ofWarp =
      scanInWarp(static_cast<warp_tile<32>>(tiled_partition<32>(this_thread_block())), value, op);
  bool first;
  T before = group.combineBefore(ofWarp, first, op);
  return first ? ofWarp : op(before, ofWarp);
}

template <class T, class Op> VX_CG T exclusive(const coalesced_group &group, T value, Op &op) {
  return shiftInWarp(group, scanInWarp(group, value, op), T());
}
template <unsigned N, class T, class Op>
VX_CG T exclusive(const warp_tile<N> &group, T value, Op &op) {
  return shiftInWarp(group, scanInWarp(group, value, op), T());
}
template <unsigned N, class T, class Op>
VX_CG T exclusive(const block_tile<N> &group, T value, Op &op) {
  warp_tile<32> warp = tiled_partition<32>(this_thread_block());
  T ofWarp = scanInWarp(warp, value, op);
  bool first;
  T before = group.combineBefore(ofWarp, first, op);
  return shiftInWarp(warp, first ? ofWarp : op(before, ofWarp), first ? T() : before);
}

} // namespace details

template <class Group, class T, class Op>
VX_CG auto inclusive_scan(const Group &group, T &&value, Op &&op)
    -> details::ResultOf<typename std::decay<T>::type, typename std::decay<Op>::type> {
  using Plain = typename std::decay<Op>::type;
  using Result = details::ResultOf<typename std::decay<T>::type, Plain>;
  Plain function(op);
  return details::inclusive(group, static_cast<Result>(value), function);
}
template <class Group, class T>
VX_CG auto inclusive_scan(const Group &group, T &&value) -> typename std::decay<T>::type {
  return inclusive_scan(group, value, plus<typename std::decay<T>::type>());
}

/// Rank 0 gets T().
template <class Group, class T, class Op>
VX_CG auto exclusive_scan(const Group &group, T &&value, Op &&op)
    -> details::ResultOf<typename std::decay<T>::type, typename std::decay<Op>::type> {
  using Plain = typename std::decay<Op>::type;
  using Result = details::ResultOf<typename std::decay<T>::type, Plain>;
  Plain function(op);
  return details::exclusive(group, static_cast<Result>(value), function);
}
template <class Group, class T>
VX_CG auto exclusive_scan(const Group &group, T &&value) -> typename std::decay<T>::type {
  return exclusive_scan(group, value, plus<typename std::decay<T>::type>());
}

/// ATOMIC gets what all members have together; a scan begins with what it had before.
template <class Group, class Atomic, class T, class Op>
VX_CG auto inclusive_scan_update(const Group &group, Atomic &atomic, T &&value, Op &&op)
    -> decltype(inclusive_scan(group, static_cast<T &&>(value), op)) {
  auto scanned = inclusive_scan(group, static_cast<T &&>(value), op), before = scanned;
  unsigned last = group.num_threads() - 1;
  if (group.thread_rank() == last)
    before = details::update(atomic, scanned, op);
  return op(group.shfl(before, last), scanned);
}
template <class Group, class Atomic, class T>
VX_CG auto inclusive_scan_update(const Group &group, Atomic &atomic, T &&value) ->
    typename std::decay<T>::type {
  return inclusive_scan_update(group, atomic, value, plus<typename std::decay<T>::type>());
}
template <class Group, class Atomic, class T, class Op>
VX_CG auto exclusive_scan_update(const Group &group, Atomic &atomic, T &&value, Op &&op)
    -> decltype(inclusive_scan(group, static_cast<T &&>(value), op)) {
  auto scanned = inclusive_scan(group, static_cast<T &&>(value), op), before = scanned;
  unsigned rank = group.thread_rank(), last = group.num_threads() - 1;
  if (rank == last)
    before = details::update(atomic, scanned, op);
  before = group.shfl(before, last);
  scanned = group.shfl_up(scanned, 1);
  return rank == 0 ? before : op(before, scanned);
}
template <class Group, class Atomic, class T>
VX_CG auto exclusive_scan_update(const Group &group, Atomic &atomic, T &&value) ->
    typename std::decay<T>::type {
  return exclusive_scan_update(group, atomic, value, plus<typename std::decay<T>::type>());
}

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_SCAN_H
