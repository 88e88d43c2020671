// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ form of cuda_pipeline_primitives.h.

#ifndef VX_CUDA_PIPELINE_H
#define VX_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__)

namespace nvcuda {
namespace experimental {

/// Numbers batches of copies of the calling thread.
class pipeline {
public:
  __device__ __forceinline__ pipeline() = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;

  /// Ends the batch; its number.
  __device__ __forceinline__ size_t commit() {
    __pipeline_commit();
    return batches++;
  }
  /// Until all batches up to BATCH are complete.
  __device__ __forceinline__ void wait(size_t batch) { __pipeline_wait_prior(batches - batch - 1); }
  /// Until all batches but the last N are complete.
  template <unsigned N> __device__ __forceinline__ void wait_prior() { __pipeline_wait_prior(N); }

  /// The copies so far arrive at BARRIER, whose phase takes one arrival more for it.
  __device__ __forceinline__ void arrive_on(awbarrier &barrier) {
    __pipeline_arrive_on(&barrier.state);
  }

private:
  size_t batches = 0;
};

template <class T>
__device__ __forceinline__ void memcpy_async(T &shared, const T &global, pipeline &) {
  shared = global;
}

template <class Shared, class Global>
__device__ __forceinline__ void memcpy_async(Shared *shared, const Global *global, size_t bytes,
                                             pipeline &) {
  for (size_t i = 0; i < bytes; ++i)
    ((char *)shared)[i] = ((const char *)global)[i];
}

} // namespace experimental
} // namespace nvcuda

#endif // __CUDA__

#endif // VX_CUDA_PIPELINE_H
