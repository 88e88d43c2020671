// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::memcpy_async: the members share the copy; wait() is where it is complete.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define VX_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#define VX_CG __device__ __forceinline__

namespace cooperative_groups {

template <class Group>
VX_CG void memcpy_async(const Group &group, void *to, const void *from, unsigned long bytes) {
  for (unsigned long i = group.thread_rank(); i < bytes; i += group.num_threads())
    static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
}

/// By elements: as many as both layouts hold.
template <class Group, class T>
VX_CG void memcpy_async(const Group &group, T *to, unsigned long toCount, const T *from,
                        unsigned long fromCount) {
  unsigned long count = toCount < fromCount ? toCount : fromCount;
  for (unsigned long i = group.thread_rank(); i < count; i += group.num_threads())
    to[i] = from[i];
}

template <class Group> VX_CG void wait(const Group &group) { group.sync(); }

/// All but the last N copies are complete afterwards; more may be.
template <unsigned N, class Group> VX_CG void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
