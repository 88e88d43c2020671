// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as they are written for Vortex itself: a function is a task, spawned once for each point
// of a grid, and asks thread-local variables which one it is. Tasks may be grouped; a group runs on
// hardware warps of one core, which have local memory and a barrier in common.
//
// There is no compiler support for it. Control flow that lanes disagree on has to be bracketed
// by hand (split and join); the kernels here have none.

#ifndef VX_BENCH_NATIVE_SPAWN_H
#define VX_BENCH_NATIVE_SPAWN_H

#include "intrinsics/abi/AddressMap.h"
#include <stdint.h>

namespace native {

struct Index {
  uint32_t x, y, z;
};

/// The coordinates of the task that the lane works on.
extern __thread Index blockIdx, threadIdx;
/// Number of the group among those that the core runs at a time.
extern __thread uint32_t localGroup;
/// The dimensions of what was spawned; warpsOfGroup is 1 without groups.
extern Index gridDim, blockDim;
extern uint32_t warpsOfGroup;

using Task = void (*)(void *arguments);

#ifdef VX_INLINE_SPAWN // spawn.cpp and the kernel are one source
#define VX_SPAWN inline __attribute__((always_inline))
#else
#define VX_SPAWN
#endif

/// Runs TASK for each point of GRID. All lanes of all hardware warps call it.
VX_SPAWN void spawn(const Index &grid, Task task, void *arguments);
/// Runs TASK for each point of BLOCK for each point of GRID: a block is a group.
VX_SPAWN void spawn(const Index &grid, const Index &block, Task task, void *arguments);

#define VX_READ_CSR(CSR)                                                                           \
  ({                                                                                               \
    unsigned long value;                                                                           \
    asm volatile("csrr %0, %1" : "=r"(value) : "i"(CSR));                                          \
    value;                                                                                         \
  })

/// Returns BYTES of the core's local memory for the group.
inline void *localMemory(uint32_t bytes) {
  return reinterpret_cast<char *>(VX_READ_CSR(VX_CSR_LOCAL_MEM_BASE)) + localGroup * bytes;
}

/// Waits until all warps of the group have arrived.
inline void barrier() {
  asm volatile(".insn r 0x0B, 4, 0, x0, %0, %1" ::"r"(localGroup), "r"(warpsOfGroup) : "memory");
}

/// Leaves the lanes of MASK active.
inline void setThreadMask(unsigned long mask) {
  asm volatile(".insn r 0x0B, 0, 0, x0, %0, x0" ::"r"(mask) : "memory");
}

} // namespace native

#endif // VX_BENCH_NATIVE_SPAWN_H
