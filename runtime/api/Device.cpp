// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device: choosing it, its limits and flags. There is one, number 0.

#include "runtime/api/Api.h"
#include <atomic>
#include <cstdio>
#include <cstring>

using namespace vx::rt;

static constexpr int kVersion = CUDART_VERSION;
static constexpr const char kBusId[] = "0000:00:00.0";

static std::atomic<unsigned> deviceFlags{cudaDeviceScheduleAuto | cudaDeviceMapHost};

extern "C" cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  if (!Runtime::get().context())
    return recordError(cudaErrorInitializationError);
  *count = 1;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return recordError(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaSetDevice(int device) {
  if (device != 0)
    return recordError(cudaErrorInvalidDevice);
  return callWithContext([](Context &) { return cudaSuccess; });
}

extern "C" cudaError_t cudaInitDevice(int device, unsigned flags, unsigned) {
  return flags & ~unsigned(cudaDeviceMask) ? recordError(cudaErrorInvalidValue)
                                           : cudaSetDevice(device);
}

extern "C" cudaError_t cudaSetValidDevices(int *devices, int count) {
  if (count < 0 || (count > 0 && !devices))
    return recordError(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (devices[i] != 0)
      return recordError(cudaErrorInvalidDevice);
  return cudaSuccess;
}

extern "C" cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties) {
  if (!device || !properties)
    return recordError(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaSetDeviceFlags(unsigned flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  bool one = schedule == cudaDeviceScheduleAuto || schedule == cudaDeviceScheduleSpin ||
             schedule == cudaDeviceScheduleYield || schedule == cudaDeviceScheduleBlockingSync;
  if ((flags & ~unsigned(cudaDeviceMask)) || !one)
    return recordError(cudaErrorInvalidValue);
  deviceFlags = flags | cudaDeviceMapHost;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return recordError(cudaErrorInvalidValue);
  *flags = deviceFlags;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSynchronize() {
  return callWithContext([](Context &context) {
    return synchronize(context, [&] { context.scheduler().waitForAll(); });
  });
}

extern "C" cudaError_t cudaDeviceReset() {
  if (Scheduler::inHostFunction())
    return recordError(cudaErrorNotPermitted);
  Runtime::get().reset();
  (void)cudaGetLastError(); // a sticky error ends with its context
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return callWithContext([&](Context &context) {
    switch (limit) {
    case cudaLimitStackSize:
      return context.setStackBytes(value);
    case cudaLimitPrintfFifoSize:
      return context.setPrintfBytes(value);
    case cudaLimitMallocHeapSize:
      return context.setHeapBytes(value);
    case cudaLimitDevRuntimeSyncDepth:
      if (value > 24) // CUDA's most
        return cudaErrorInvalidValue;
      context.setSyncDepth(value);
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      context.setPendingLaunches(value);
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      if (value > 128)
        return cudaErrorInvalidValue;
      context.setFetchBytes(value);
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize: // at most cudaDeviceProp::persistingL2CacheMaxSize
      return value == 0 ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorUnsupportedLimit;
    }
  });
}

extern "C" cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  return callWithContext([&](Context &context) {
    if (!value)
      return cudaErrorInvalidValue;
    ContextLimits limits = context.limits();
    switch (limit) {
    case cudaLimitStackSize:
      *value = limits.stackBytes;
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      *value = limits.printfBytes;
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      *value = limits.heapBytes;
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
      *value = limits.syncDepth;
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      *value = limits.pendingLaunches;
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      *value = limits.fetchBytes;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      *value = 0;
      return cudaSuccess;
    default:
      return cudaErrorUnsupportedLimit;
    }
  });
}

/// Preferences between memories that are separate here.
static std::atomic<cudaFuncCache> cacheConfig{cudaFuncCachePreferNone};

extern "C" cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  if (!config)
    return recordError(cudaErrorInvalidValue);
  *config = cacheConfig;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  if (config > cudaFuncCachePreferEqual)
    return recordError(cudaErrorInvalidValue);
  cacheConfig = config;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  if (!config)
    return recordError(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return config <= cudaSharedMemBankSizeEightByte ? cudaSuccess
                                                  : recordError(cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *busId) {
  if (!device || !busId)
    return recordError(cudaErrorInvalidValue);
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  bool whole = std::sscanf(busId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) == 4 ||
               (domain = 0, std::sscanf(busId, "%x:%x.%x", &bus, &slot, &function) == 3);
  if (!whole || domain || bus || slot || function)
    return recordError(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceGetPCIBusId(char *busId, int size, int device) {
  if (device != 0)
    return recordError(cudaErrorInvalidDevice);
  if (!busId || size < int(sizeof kBusId))
    return recordError(cudaErrorInvalidValue);
  std::memcpy(busId, kBusId, sizeof kBusId);
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peer) {
  if (!canAccess)
    return recordError(cudaErrorInvalidValue);
  if (device != 0 || peer != 0)
    return recordError(cudaErrorInvalidDevice);
  *canAccess = 0; // a device is not its own peer
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return recordError(cudaErrorInvalidDevice);
}

extern "C" cudaError_t cudaDeviceDisablePeerAccess(int) {
  return recordError(cudaErrorInvalidDevice);
}

extern "C" cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
  return recordError(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaDriverGetVersion(int *version) {
  if (!version)
    return recordError(cudaErrorInvalidValue);
  *version = kVersion;
  return cudaSuccess;
}

extern "C" cudaError_t cudaRuntimeGetVersion(int *version) {
  return cudaDriverGetVersion(version);
}

extern "C" cudaError_t cudaCtxResetPersistingL2Cache() {
  return callWithContext([](Context &) { return cudaSuccess; }); // nothing persists in it
}

extern "C" cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
extern "C" cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
extern "C" cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
extern "C" cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
extern "C" cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) {
  return cudaDeviceGetCacheConfig(config);
}
extern "C" cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
