// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions about memory pools share.

#ifndef VX_RUNTIME_CUDA_POOLCALLS_H
#define VX_RUNTIME_CUDA_POOLCALLS_H

#include "runtime/cuda/Api.h"
#include "runtime/graphs/MemoryPools.h"

namespace vx::rt {

/// BODY(context, pool) for a pool of any device, the program's or the default one.
template <typename Body> cudaError_t callWithPool(cudaMemPool_t handle, Body &&body) {
  return callWithContext([&](Context &current) {
    if (std::shared_ptr<MemoryPool> pool = poolsOf(current).find(handle))
      return body(current, *pool);
    ContextUse owner = Runtime::get().findOwner(
        [&](Context &other) { return poolsOf(other).find(handle) != nullptr; });
    std::shared_ptr<MemoryPool> pool = owner ? poolsOf(*owner).find(handle) : nullptr;
    return pool ? body(*owner, *pool) : cudaErrorInvalidValue;
  });
}

} // namespace vx::rt

#endif // VX_RUNTIME_CUDA_POOLCALLS_H
