// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a whole work-group (OpenCL C 3.0, 6.15.16). Each work-item leaves its value in local
// memory; every one reads what it needs between two barriers.

#include "frontend/opencl/device/SubGroups.h"

// Room for a value of 8 bytes of each work-item (vx-opencl-lower-arguments).
__local ulong *__vx_opencl_group_values(void);

VX_INLINE int work_group_any(int p) {
  return __nvvm_bar0_or(p != 0) != 0;
}
VX_INLINE int work_group_all(int p) {
  return __nvvm_bar0_and(p != 0) != 0;
}

#define VX_ADD(A, B) ((A) + (B))
#define VX_FROM(T) ((__local T *)__vx_opencl_group_values())

#define VX_BROADCAST(T)                                                                            \
  VX_HELPER T vxFrom(T v, uint i) {                                                                \
    if (vxLocalLinearId() == i)                                                                    \
      VX_FROM(T)[0] = v;                                                                           \
    __nvvm_bar_sync(0);                                                                            \
    T result = VX_FROM(T)[0];                                                                      \
    __nvvm_bar_sync(0);                                                                            \
    return result;                                                                                 \
  }                                                                                                \
  VX_INLINE T work_group_broadcast(T v, size_t x) {                                                \
    return vxFrom(v, x);                                                                           \
  }                                                                                                \
  VX_INLINE T work_group_broadcast(T v, size_t x, size_t y) {                                      \
    return vxFrom(v, y * __nvvm_read_ptx_sreg_ntid_x() + x);                                       \
  }                                                                                                \
  VX_INLINE T work_group_broadcast(T v, size_t x, size_t y, size_t z) {                            \
    return vxFrom(v, (z * __nvvm_read_ptx_sreg_ntid_y() + y) * __nvvm_read_ptx_sreg_ntid_x() + x); \
  }

// Scans by doubling: after step d a slot holds the last 2d values up to its own.
#define VX_SCAN(T, NAME, OP, IDENTITY)                                                             \
  VX_INLINE T work_group_scan_inclusive_##NAME(T v) {                                              \
    uint id = vxLocalLinearId(), n = vxLocalLinearSize();                                          \
    VX_FROM(T)[id] = v;                                                                            \
    for (uint d = 1; d < n; d *= 2) {                                                              \
      __nvvm_bar_sync(0);                                                                          \
      T other = id >= d ? VX_FROM(T)[id - d] : (T)(IDENTITY);                                      \
      __nvvm_bar_sync(0);                                                                          \
      v = OP(other, v);                                                                            \
      VX_FROM(T)[id] = v;                                                                          \
    }                                                                                              \
    __nvvm_bar_sync(0);                                                                            \
    return v;                                                                                      \
  }                                                                                                \
  VX_INLINE T work_group_scan_exclusive_##NAME(T v) {                                              \
    work_group_scan_inclusive_##NAME(v);                                                           \
    uint id = vxLocalLinearId();                                                                   \
    v = id == 0 ? (T)(IDENTITY) : VX_FROM(T)[id - 1];                                              \
    __nvvm_bar_sync(0);                                                                            \
    return v;                                                                                      \
  }                                                                                                \
  VX_INLINE T work_group_reduce_##NAME(T v) {                                                      \
    work_group_scan_inclusive_##NAME(v);                                                           \
    v = VX_FROM(T)[vxLocalLinearSize() - 1];                                                       \
    __nvvm_bar_sync(0);                                                                            \
    return v;                                                                                      \
  }
#define VX_COLLECTIVE(T, LOWEST, HIGHEST)                                                          \
  VX_BROADCAST(T)                                                                                  \
  VX_SCAN(T, add, VX_ADD, 0)                                                                       \
  VX_SCAN(T, min, min, HIGHEST)                                                                    \
  VX_SCAN(T, max, max, LOWEST)
VX_COLLECTIVE(int, INT_MIN, INT_MAX)
VX_COLLECTIVE(uint, 0, UINT_MAX)
VX_COLLECTIVE(long, LONG_MIN, LONG_MAX)
VX_COLLECTIVE(ulong, 0, ULONG_MAX)
VX_COLLECTIVE(float, -INFINITY, INFINITY)
VX_COLLECTIVE(double, -INFINITY, INFINITY)
