// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies from global to shared memory that the program waits for later. A copy is complete as soon
// as it is issued, which is earlier than promised.

#ifndef VX_CUDA_PIPELINE_PRIMITIVES_H
#define VX_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)

/// Copies SIZE - ZFILL bytes to shared memory and fills the rest with zeros. SIZE is 4, 8 or 16,
/// and both addresses are multiples of it.
static __device__ __forceinline__ void __pipeline_memcpy_async(void *shared, const void *global,
                                                               size_t size, size_t zfill = 0) {
  size_t bytes = size - zfill;
  if (bytes == 16)
    *(uint4 *)shared = *(const uint4 *)global;
  else if (bytes == 8 && size == 8)
    *(uint2 *)shared = *(const uint2 *)global;
  else if (bytes == 4 && size == 4)
    *(unsigned int *)shared = *(const unsigned int *)global;
  else
    for (size_t i = 0; i < size; ++i)
      ((char *)shared)[i] = i < bytes ? ((const char *)global)[i] : 0;
}

/// Ends a batch of copies.
static __device__ __forceinline__ void __pipeline_commit() {}

/// Waits for all batches but the last PRIOR.
static __device__ __forceinline__ void __pipeline_wait_prior(size_t prior) { (void)prior; }

/// The copies so far arrive at BARRIER, whose phase takes one arrival more for it: they are
/// complete.
static __device__ __forceinline__ void __pipeline_arrive_on(__mbarrier_t *barrier) {
  (void)barrier;
}

#endif // __CUDA__

#endif // VX_CUDA_PIPELINE_PRIMITIVES_H
