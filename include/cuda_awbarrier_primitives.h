// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory at which arriving and waiting are two steps.

#ifndef VX_CUDA_AWBARRIER_PRIMITIVES_H
#define VX_CUDA_AWBARRIER_PRIMITIVES_H

#include "cuda_runtime.h"

typedef unsigned long long __mbarrier_t;
/// The state of a barrier when a thread arrived.
typedef unsigned long long __mbarrier_token_t;

#if defined(__CUDA__)

#define VX_MBARRIER static __device__ __forceinline__

namespace __vx_mbarrier {
VX_MBARRIER unsigned shared(const __mbarrier_t *barrier) {
  return (unsigned)__cvta_generic_to_shared(barrier);
}
} // namespace __vx_mbarrier

/// The largest number of arrivals.
VX_MBARRIER constexpr unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }

VX_MBARRIER void __mbarrier_init(__mbarrier_t *barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__vx_mbarrier::shared(barrier)),
               "r"(arrivals)
               : "memory");
}

/// The memory may be used for something else afterwards.
VX_MBARRIER void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__vx_mbarrier::shared(barrier)) : "memory");
}

VX_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__vx_mbarrier::shared(barrier))
               : "memory");
  return token;
}

/// Later phases take one arrival less.
VX_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__vx_mbarrier::shared(barrier))
               : "memory");
  return token;
}

/// Returns true if the phase of TOKEN is complete.
VX_MBARRIER bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(__vx_mbarrier::shared(barrier)), "l"(token)
               : "memory");
  return done;
}

/// Returns true if the phase of PARITY, the current one or the one before it, is complete.
VX_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  unsigned done;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(__vx_mbarrier::shared(barrier)), "r"((unsigned)parity)
      : "memory");
  return done;
}

/// Tests as above; it may take up to NANOSECONDS, and takes less.
VX_MBARRIER bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                     unsigned nanoseconds) {
  (void)nanoseconds;
  return __mbarrier_test_wait(barrier, token);
}
VX_MBARRIER bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                                            unsigned nanoseconds) {
  (void)nanoseconds;
  return __mbarrier_test_wait_parity(barrier, parity);
}

/// The arrivals that the phase lacked in the state TOKEN.
VX_MBARRIER unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#undef VX_MBARRIER

#endif // __CUDA__

#endif // VX_CUDA_AWBARRIER_PRIMITIVES_H
