// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that tell which memory a generic pointer points to (OpenCL C 3.0, 6.15.11). Clang calls
// to_global() and its kind by the names with two underscores, and so does what
// SPIRV-LLVM-Translator makes of OpGenericCastToPtrExplicit.

#include "frontend/opencl/device/Device.h"

// The number of an address space (vx-opencl-lower-memory-of).
uint __vx_opencl_memory_of(const void *p);

enum { kGlobal = 1, kLocal = 3, kPrivate = 5 };

#define VX_PLAIN __attribute__((always_inline, nodebug))

VX_PLAIN __global void *__to_global(void *p) {
  return __vx_opencl_memory_of(p) == kGlobal ? (__global void *)p : 0;
}
VX_PLAIN __local void *__to_local(void *p) {
  return __vx_opencl_memory_of(p) == kLocal ? (__local void *)p : 0;
}
VX_PLAIN __private void *__to_private(void *p) {
  return __vx_opencl_memory_of(p) == kPrivate ? (__private void *)p : 0;
}

VX_INLINE cl_mem_fence_flags get_fence(const void *p) {
  return __nvvm_isspacep_shared(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
VX_INLINE cl_mem_fence_flags get_fence(void *p) {
  return get_fence((const void *)p);
}
