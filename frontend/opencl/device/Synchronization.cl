// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and fences (OpenCL C 3.0, 6.15.8 and 6.15.12.6).

#include "frontend/opencl/device/Device.h"

VX_INLINE void barrier(cl_mem_fence_flags flags) {
  __nvvm_bar_sync(0);
}
VX_INLINE void work_group_barrier(cl_mem_fence_flags flags) {
  __nvvm_bar_sync(0);
}
VX_INLINE void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope != memory_scope_work_group && scope != memory_scope_sub_group)
    __nvvm_membar_gl();
  __nvvm_bar_sync(0);
}

VX_INLINE void mem_fence(cl_mem_fence_flags flags) {
  if (flags & CLK_GLOBAL_MEM_FENCE)
    __nvvm_membar_gl();
  else
    __nvvm_membar_cta();
}
VX_INLINE void read_mem_fence(cl_mem_fence_flags flags) {
  mem_fence(flags);
}
VX_INLINE void write_mem_fence(cl_mem_fence_flags flags) {
  mem_fence(flags);
}

VX_INLINE void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                      memory_scope scope) {
  if (order == memory_order_relaxed || scope == memory_scope_work_item)
    return;
  if (scope == memory_scope_work_group || scope == memory_scope_sub_group)
    __nvvm_membar_cta();
  else
    __nvvm_membar_gl();
}
