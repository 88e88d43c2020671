// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups (OpenCL C 3.0, 6.15.19, and cl_khr_subgroup_*): aligned segments of a CUDA warp, so
// that their functions are CUDA's warp functions. A member mask names the whole segment where the
// language wants all work-items to make the call, and those that are here where it does not.

#include "frontend/opencl/device/SubGroups.h"

VX_INLINE uint get_max_sub_group_size(void) {
  return vxSize();
}
VX_INLINE uint get_num_sub_groups(void) {
  return (vxLocalLinearSize() + vxSize() - 1) / vxSize();
}
VX_INLINE uint get_enqueued_num_sub_groups(void) {
  return get_num_sub_groups();
}
VX_INLINE uint get_sub_group_id(void) {
  return vxLocalLinearId() / vxSize();
}
VX_INLINE uint get_sub_group_local_id(void) {
  return vxLane();
}
VX_INLINE uint get_sub_group_size(void) {
  return min(vxSize(), vxLocalLinearSize() - get_sub_group_id() * vxSize());
}

VX_INLINE void sub_group_barrier(cl_mem_fence_flags flags) {
  __nvvm_bar_warp_sync(vxAll());
}
VX_INLINE void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope != memory_scope_work_group && scope != memory_scope_sub_group)
    __nvvm_membar_gl();
  __nvvm_bar_warp_sync(vxAll());
}

// Votes.
VX_INLINE int sub_group_any(int p) {
  return __nvvm_vote_any_sync(vxAll(), p != 0);
}
VX_INLINE int sub_group_all(int p) {
  return __nvvm_vote_all_sync(vxAll(), p != 0);
}
VX_INLINE int sub_group_non_uniform_any(int p) {
  return __nvvm_vote_any_sync(vxHere(), p != 0);
}
VX_INLINE int sub_group_non_uniform_all(int p) {
  return __nvvm_vote_all_sync(vxHere(), p != 0);
}
VX_INLINE int sub_group_elect(void) {
  return vxLane() == vxFirst(vxHere()) - vxBase();
}

// Ballots. Bit i is work-item i of the sub-group.
VX_INLINE uint4 sub_group_ballot(int p) {
  return (uint4)(__nvvm_vote_ballot_sync(vxHere(), p != 0) >> vxBase(), 0, 0, 0);
}
VX_INLINE int sub_group_inverse_ballot(uint4 b) {
  return b.x >> vxLane() & 1;
}
VX_INLINE int sub_group_ballot_bit_extract(uint4 b, uint i) {
  return b.x >> i & 1;
}
VX_INLINE uint sub_group_ballot_bit_count(uint4 b) {
  return popcount(b.x & vxBits());
}
VX_INLINE uint sub_group_ballot_inclusive_scan(uint4 b) {
  return popcount(b.x & ((2u << vxLane()) - 1));
}
VX_INLINE uint sub_group_ballot_exclusive_scan(uint4 b) {
  return popcount(b.x & ((1u << vxLane()) - 1));
}
VX_INLINE uint sub_group_ballot_find_lsb(uint4 b) {
  return ctz(b.x & vxBits());
}
VX_INLINE uint sub_group_ballot_find_msb(uint4 b) {
  return 31 - clz(b.x & vxBits());
}

VX_INLINE uint4 get_sub_group_eq_mask(void) {
  return (uint4)(1u << vxLane(), 0, 0, 0);
}
VX_INLINE uint4 get_sub_group_ge_mask(void) {
  return (uint4)(vxExisting() & ~((1u << vxLane()) - 1), 0, 0, 0);
}
VX_INLINE uint4 get_sub_group_gt_mask(void) {
  return (uint4)(vxExisting() & ~((2u << vxLane()) - 1), 0, 0, 0);
}
VX_INLINE uint4 get_sub_group_le_mask(void) {
  return (uint4)((2u << vxLane()) - 1, 0, 0, 0);
}
VX_INLINE uint4 get_sub_group_lt_mask(void) {
  return (uint4)((1u << vxLane()) - 1, 0, 0, 0);
}

// Shuffles and broadcasts of scalars: T, the type that carries it, its shuffles.
#define VX_SHUFFLES(T)                                                                             \
  VX_INLINE T sub_group_broadcast(T v, uint i) {                                                   \
    return vxIdx(vxAll(), v, i);                                                                   \
  }                                                                                                \
  VX_INLINE T sub_group_non_uniform_broadcast(T v, uint i) {                                       \
    return vxIdx(vxHere(), v, i);                                                                  \
  }                                                                                                \
  VX_INLINE T sub_group_broadcast_first(T v) {                                                     \
    uint here = vxHere();                                                                          \
    return vxIdx(here, v, vxFirst(here) - vxBase());                                               \
  }                                                                                                \
  VX_INLINE T sub_group_shuffle(T v, uint i) {                                                     \
    return vxIdx(vxHere(), v, i);                                                                  \
  }                                                                                                \
  VX_INLINE T sub_group_shuffle_xor(T v, uint m) {                                                 \
    return vxIdx(vxHere(), v, vxLane() ^ m);                                                       \
  }                                                                                                \
  VX_INLINE T sub_group_shuffle_up(T v, uint d) {                                                  \
    return vxIdx(vxHere(), v, vxLane() - d);                                                       \
  }                                                                                                \
  VX_INLINE T sub_group_shuffle_down(T v, uint d) {                                                \
    return vxIdx(vxHere(), v, vxLane() + d);                                                       \
  }                                                                                                \
  VX_INLINE int sub_group_non_uniform_all_equal(T v) {                                             \
    uint here = vxHere();                                                                          \
    T first = vxIdx(here, v, vxFirst(here) - vxBase());                                            \
    return __nvvm_vote_all_sync(here, v == first);                                                 \
  }
VX_FOR_SCALARS(VX_SHUFFLES)

// Vectors are handled by element. Broadcasts alone are defined for them.
#define VX_BROADCASTS_OF(T, N, ...)                                                                \
  VX_INLINE T##N sub_group_broadcast(T##N v, uint i) {                                             \
    T##N r;                                                                                        \
    uint mask = vxAll();                                                                           \
    VX_ELEMENTS_##N(r, v, vxIdx, mask, i) return r;                                                \
  }                                                                                                \
  VX_INLINE T##N sub_group_non_uniform_broadcast(T##N v, uint i) {                                 \
    T##N r;                                                                                        \
    uint mask = vxHere();                                                                          \
    VX_ELEMENTS_##N(r, v, vxIdx, mask, i) return r;                                                \
  }                                                                                                \
  VX_INLINE T##N sub_group_broadcast_first(T##N v) {                                               \
    T##N r;                                                                                        \
    uint mask = vxHere(), i = vxFirst(mask) - vxBase();                                            \
    VX_ELEMENTS_##N(r, v, vxIdx, mask, i) return r;                                                \
  }
#define VX_BROADCASTS(T)                                                                           \
  VX_BROADCASTS_OF(T, 2)                                                                           \
  VX_BROADCASTS_OF(T, 3) VX_BROADCASTS_OF(T, 4) VX_BROADCASTS_OF(T, 8) VX_BROADCASTS_OF(T, 16)
VX_FOR_SCALARS(VX_BROADCASTS)
