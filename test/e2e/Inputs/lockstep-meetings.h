// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meetings of threads that come from functions called through pointers, and at barriers by number;
// on the host they are what has the same results (lockstep-warp.h, lockstep.h).

#ifndef TEST_E2E_LOCKSTEP_MEETINGS_H
#define TEST_E2E_LOCKSTEP_MEETINGS_H

#include "lockstep-warp.h"

using MeetingFunction = unsigned (*)(unsigned mask, unsigned v);

__host__ __device__ inline unsigned sumFlipped(unsigned mask, unsigned v) {
  return reduceAdd(mask, v ^ 5) * 3;
}
/// Loops as often as V says, with a reduction at the end.
__host__ __device__ inline unsigned sumOrHalved(unsigned mask, unsigned v) {
  for (unsigned i = 0; i < v % 4; ++i)
    v = v / 2 + i;
  return reduceAdd(mask, v) + v;
}

/// Each lane of MASK calls the function that its WHICH says; they meet in both.
__host__ __device__ inline unsigned sumThroughPointer(unsigned mask, unsigned which, unsigned v) {
  MeetingFunction volatile function = which & 1 ? sumFlipped : sumOrHalved;
  return function(mask, v);
}

/// All threads of the block, at barrier NUMBER, to which warps come from two places.
__device__ inline void syncByNumber(unsigned number) {
  unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  if (warpId() & 1)
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(warps * 32) : "memory");
  else
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(warps * 32) : "memory");
}
__host__ inline void syncByNumber(unsigned) {
  sync();
}

#endif // TEST_E2E_LOCKSTEP_MEETINGS_H
