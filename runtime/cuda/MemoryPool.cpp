// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation and memory pools.

#include "runtime/cuda/PoolCalls.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/memory/DeviceMemory.h"

using namespace vx::rt;

/// While a stream captures, an allocation is a node of the graph.
static cudaError_t captureAllocation(Context &context, Graph &graph, const MemoryPool &pool,
                                     void **pointer, size_t size, NodeWork &work) {
  cudaMemAllocNodeParams params{};
  params.poolProps = pool.props;
  params.bytesize = size;
  cudaError_t e = makeAllocation(context, graph, params, work);
  *pointer = params.dptr;
  return e;
}

/// Allocates from the pool that HANDLE names, or the current pool of the stream's device.
static cudaError_t allocate(Context &current, void **pointer, size_t size,
                            std::optional<cudaMemPool_t> handle, cudaStream_t streamHandle) {
  StreamUse use = findStream(current, streamHandle);
  if (!use.stream)
    return cudaErrorInvalidResourceHandle;
  Context &context = *use.context;
  const std::shared_ptr<Stream> &stream = use.stream;
  std::shared_ptr<MemoryPool> pool =
      poolsOf(context).find(handle.value_or(poolsOf(context).currentPool()));
  if (!pointer || !pool)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0)
    return cudaSuccess;
  if (std::optional<cudaError_t> captured =
          captureOperation(context, stream, [&](Graph &graph, NodeWork &work) {
            return captureAllocation(context, graph, *pool, pointer, size, work);
          }))
    return *captured;
  uint64_t address = 0;
  if (cudaError_t e = pool->allocate(size, stream, address); e != cudaSuccess)
    return e;
  poolsOf(context).noteOwner(address, pool);
  *pointer = pointerTo(address);
  return cudaSuccess;
}

extern "C" cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                               cudaStream_t stream) {
  return callWithContext(
      [&](Context &context) { return allocate(context, pointer, size, pool, stream); });
}

extern "C" cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
  return callWithContext(
      [&](Context &context) { return allocate(context, pointer, size, std::nullopt, stream); });
}

extern "C" cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
  return callWithContext([&](Context &current) {
    StreamUse use = findStream(current, handle);
    if (!use.stream)
      return cudaErrorInvalidResourceHandle;
    Context &context = *use.context;
    const std::shared_ptr<Stream> &stream = use.stream;
    uint64_t address = addressOf(pointer);
    if (!pointer)
      return cudaSuccess;
    if (std::optional<cudaError_t> captured =
            captureOperation(context, stream, [&](Graph &graph, NodeWork &work) {
              return makeRelease(context, graph, address, work);
            }))
      return *captured;
    if (isGraphMemory(context, address))
      return freeGraphMemory(context, address) ? cudaSuccess : cudaErrorInvalidValue;
    if (poolsOf(context).free(address, stream, context.scheduler()))
      return cudaSuccess;
    // Memory of another device's pool, which this one may have worked on.
    ContextUse owner = Runtime::get().findOwner(
        [&](Context &other) { return poolsOf(other).ownerOf(address) != nullptr; });
    if (owner && poolsOf(*owner).free(address, stream, context.scheduler()))
      return cudaSuccess;
    // Memory of cudaMalloc: from here on it is freed, whatever the device still does with it.
    if (!context.memory().forget(address))
      return cudaErrorInvalidValue;
    enqueueInStream(context, stream,
                    [&context, address] { return context.memory().giveBack(address); });
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return callWithDevice(device, [&](Context &context) {
    if (!pool)
      return cudaErrorInvalidValue;
    *pool = poolsOf(context).defaultPool();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return callWithDevice(device, [&](Context &context) {
    if (!pool)
      return cudaErrorInvalidValue;
    *pool = poolsOf(context).currentPool();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return callWithDevice(device, [&](Context &context) {
    return poolsOf(context).setCurrent(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *props) {
  if (!pool || !props || props->allocType != cudaMemAllocationTypePinned)
    return recordError(cudaErrorInvalidValue);
  // Pools in the host's memory came later than CUDA 12.3.
  if (props->location.type != cudaMemLocationTypeDevice ||
      (props->handleTypes & ~cudaMemHandleTypePosixFileDescriptor))
    return recordError(cudaErrorNotSupported);
  if (props->location.id < 0 || unsigned(props->location.id) >= Runtime::get().deviceCount())
    return recordError(cudaErrorInvalidValue);
  return callWithDevice(props->location.id, [&](Context &context) {
    if (props->handleTypes != cudaMemHandleTypeNone && !context.sharesMemory())
      return cudaErrorNotSupported;
    *pool = poolsOf(context).add(*props);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return callWithPool(pool, [&](Context &context, MemoryPool &) {
    return poolsOf(context).remove(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep) {
  return callWithPool(handle, [&](Context &, MemoryPool &pool) { return pool.trim(keep); });
}

extern "C" cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr id,
                                               void *value) {
  return callWithPool(handle, [&](Context &, MemoryPool &pool) {
    return value ? pool.setAttribute(id, value) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr id,
                                               void *value) {
  return callWithPool(handle, [&](Context &, MemoryPool &pool) {
    return value ? pool.getAttribute(id, value) : cudaErrorInvalidValue;
  });
}

/// Returns an error unless LOCATION is a device that exists.
static cudaError_t checkLocation(const cudaMemLocation &location) {
  if (location.type != cudaMemLocationTypeDevice)
    return cudaErrorInvalidValue;
  bool exists = location.id >= 0 && unsigned(location.id) < Runtime::get().deviceCount();
  return exists ? cudaSuccess : cudaErrorInvalidDevice;
}

/// Returns an error unless LOCATION can get the access FLAGS to a pool of CONTEXT.
static cudaError_t checkAccess(const Context &context, const cudaMemLocation &location,
                               cudaMemAccessFlags flags) {
  if (cudaError_t e = checkLocation(location); e != cudaSuccess)
    return e;
  if (flags != cudaMemAccessFlagsProtNone && flags != cudaMemAccessFlagsProtReadWrite)
    return flags == cudaMemAccessFlagsProtRead ? cudaErrorNotSupported : cudaErrorInvalidValue;
  if (unsigned(location.id) == context.identity().number) // the pool's device keeps its access
    return flags == cudaMemAccessFlagsProtReadWrite ? cudaSuccess : cudaErrorInvalidDevice;
  if (flags == cudaMemAccessFlagsProtNone)
    return cudaSuccess;
  return callWithDevice(location.id, [&](Context &other) {
    return context.sharesMemory() && other.sharesMemory() ? cudaSuccess
                                                          : cudaErrorPeerAccessUnsupported;
  });
}

extern "C" cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc *list,
                                            size_t count) {
  return callWithPool(handle, [&](Context &context, MemoryPool &pool) {
    if (count && !list)
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (cudaError_t e = checkAccess(context, list[i].location, list[i].flags); e != cudaSuccess)
        return e;
    for (size_t i = 0; i < count; ++i) {
      auto device = unsigned(list[i].location.id);
      if (device == context.identity().number)
        continue;
      if (cudaError_t e = pool.setAccess(device, list[i].flags != cudaMemAccessFlagsProtNone);
          e != cudaSuccess)
        return e;
    }
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                            cudaMemLocation *location) {
  return callWithPool(handle, [&](Context &context, MemoryPool &pool) {
    if (!flags || !location)
      return cudaErrorInvalidValue;
    if (cudaError_t e = checkLocation(*location); e != cudaSuccess)
      return e;
    auto device = unsigned(location->id);
    bool isAllowed = device == context.identity().number || pool.isAccessible(device);
    *flags = isAllowed ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
