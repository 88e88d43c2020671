// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ form of cuda_awbarrier_primitives.h.

#ifndef VX_CUDA_AWBARRIER_H
#define VX_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)

namespace nvcuda {
namespace experimental {

/// A barrier in shared memory. Phases follow one another; each is complete when the expected number
/// of threads have arrived.
class awbarrier {
public:
  /// The phase that a thread waits for after it has arrived.
  class arrival_token {
  public:
    arrival_token() = default;
    __device__ __forceinline__ unsigned pending_count() const {
      return __mbarrier_token_pending_count(token);
    }

  private:
    __device__ __forceinline__ arrival_token(__mbarrier_token_t token) : token(token) {}
    __mbarrier_token_t token;
    friend awbarrier;
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  static __host__ __device__ __forceinline__ constexpr unsigned max() { return (1u << 20) - 1; }

  /// One thread initializes the barrier, before others use it.
  friend __device__ __forceinline__ void init(awbarrier *barrier, unsigned expected) {
    __mbarrier_init(&barrier->state, expected);
  }
  friend __device__ __forceinline__ void inval(awbarrier *barrier) {
    __mbarrier_inval(&barrier->state);
  }

  __device__ __forceinline__ arrival_token arrive() { return __mbarrier_arrive(&state); }
  __device__ __forceinline__ arrival_token arrive_and_drop() {
    return __mbarrier_arrive_and_drop(&state);
  }

  __device__ __forceinline__ bool try_wait(arrival_token token, unsigned nanoseconds) {
    return __mbarrier_try_wait(&state, token.token, nanoseconds);
  }
  __device__ __forceinline__ bool try_wait_parity(bool parity, unsigned nanoseconds) {
    return __mbarrier_try_wait_parity(&state, parity, nanoseconds);
  }
  /// Their former names: the limit is in cycles, and a hint as well.
  __device__ __forceinline__ bool timed_wait(arrival_token token, unsigned cycles) {
    return try_wait(token, cycles);
  }
  __device__ __forceinline__ bool timed_wait_parity(bool parity, unsigned cycles) {
    return try_wait_parity(parity, cycles);
  }
  __device__ __forceinline__ void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&state, token.token))
      ;
  }
  __device__ __forceinline__ void arrive_and_wait() { wait(arrive()); }

private:
  __mbarrier_t state;
  friend class pipeline;
};

} // namespace experimental
} // namespace nvcuda

#endif // __CUDA__

#endif // VX_CUDA_AWBARRIER_H
