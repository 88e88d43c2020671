// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::inclusive_scan and exclusive_scan: each member gets OP over the values of the
// ranks up to, or before, its own.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define VX_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#define VX_CG __device__ __forceinline__

namespace cooperative_groups {

template <class Group, class T, class Op>
VX_CG T inclusive_scan(const Group &group, T value, Op &&op) {
  unsigned rank = group.thread_rank();
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    T other = group.shfl_up(value, distance);
    if (rank >= distance)
      value = op(other, value);
  }
  return value;
}
template <class Group, class T> VX_CG T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Rank 0 gets T().
template <class Group, class T, class Op>
VX_CG T exclusive_scan(const Group &group, T value, Op &&op) {
  T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> VX_CG T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_SCAN_H
