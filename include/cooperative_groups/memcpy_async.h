// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups::memcpy_async: the members share the copy; wait() is where it is complete.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define VX_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {
namespace details {

template <class Unit, class Group>
VX_CG void copyShared(const Group &group, void *to, const void *from, unsigned long count) {
  for (unsigned long i = group.thread_rank(); i < count; i += group.num_threads())
    static_cast<Unit *>(to)[i] = static_cast<const Unit *>(from)[i];
}

/// By words where both ends and the size are made of them.
template <class Group>
VX_CG void copyBytes(const Group &group, void *to, const void *from, unsigned long bytes) {
  unsigned long ends = (unsigned long)to | (unsigned long)from | bytes;
  if (ends % 8 == 0)
    copyShared<unsigned long long>(group, to, from, bytes / 8);
  else if (ends % 4 == 0)
    copyShared<unsigned>(group, to, from, bytes / 4);
  else
    copyShared<char>(group, to, from, bytes);
}

} // namespace details

template <class Group, class T>
VX_CG void memcpy_async(const Group &group, T *to, const T *from, unsigned long bytes) {
  details::copyBytes(group, to, from, bytes);
}
template <class Group>
VX_CG void memcpy_async(const Group &group, void *to, const void *from, unsigned long bytes) {
  details::copyBytes(group, to, from, bytes);
}

/// By elements: as many as both layouts hold.
template <class Group, class T>
VX_CG void memcpy_async(const Group &group, T *to, unsigned long toCount, const T *from,
                        unsigned long fromCount) {
  unsigned long count = toCount < fromCount ? toCount : fromCount;
  details::copyBytes(group, to, from, count * sizeof(T));
}

template <class Group> VX_CG void wait(const Group &group) { group.sync(); }

/// All but the last N copies are complete afterwards; more may be.
template <unsigned N, class Group> VX_CG void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
