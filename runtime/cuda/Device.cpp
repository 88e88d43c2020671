// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices: choosing one, its limits and flags.

#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/launch/LaunchServices.h"
#include <atomic>
#include <cstdio>
#include <cstring>

using namespace vx::rt;

static constexpr int kVersion = CUDART_VERSION;

static std::atomic<unsigned> &flagsOf(unsigned device) {
  struct Flags {
    std::atomic<unsigned> value{cudaDeviceScheduleAuto | cudaDeviceMapHost};
  };
  static Flags flags[Runtime::kMaxDevices];
  return flags[device].value;
}

static bool areDeviceFlags(unsigned flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  bool one = schedule == cudaDeviceScheduleAuto || schedule == cudaDeviceScheduleSpin ||
             schedule == cudaDeviceScheduleYield || schedule == cudaDeviceScheduleBlockingSync;
  return one && !(flags & ~unsigned(cudaDeviceMask));
}

extern "C" cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return recordError(cudaErrorInvalidValue);
  if (!Runtime::get().context()) // a wrong configuration is said here, where programs look first
    return recordError(cudaErrorInitializationError);
  *count = int(Runtime::get().deviceCount());
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return recordError(cudaErrorInvalidValue);
  *device = int(Runtime::get().currentDevice());
  return cudaSuccess;
}

static bool isDevice(int number) {
  return number >= 0 && unsigned(number) < Runtime::get().deviceCount();
}

extern "C" cudaError_t cudaSetDevice(int device) {
  if (!isDevice(device))
    return recordError(Runtime::get().deviceCount()
                           ? because(cudaErrorInvalidDevice, describeNoDevice(device))
                           : cudaErrorInitializationError);
  Runtime::get().setCurrentDevice(unsigned(device));
  return callWithAnyContext([](Context &) { return cudaSuccess; });
}

/// Makes the device's context, but not the current one.
extern "C" cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags) {
  bool flagsCount = flags & cudaInitDeviceFlagsAreValid;
  if ((flags & ~unsigned(cudaInitDeviceFlagsAreValid)) ||
      (flagsCount && !areDeviceFlags(deviceFlags)))
    return recordError(cudaErrorInvalidValue);
  return callWithDevice(device, [&](Context &context) {
    if (flagsCount)
      flagsOf(context.identity().number) = deviceFlags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaSetValidDevices(int *devices, int count) {
  if (count < 0 || (count > 0 && !devices))
    return recordError(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (!isDevice(devices[i]))
      return recordError(cudaErrorInvalidDevice);
  Runtime::get().setDefaultDevice(count ? unsigned(devices[0]) : 0); // all can be opened
  return cudaSuccess;
}

/// All devices are alike, so that none suits better than the first.
extern "C" cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties) {
  if (!device || !properties)
    return recordError(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (!areDeviceFlags(flags))
    return recordError(cudaErrorInvalidValue);
  flagsOf(Runtime::get().currentDevice()) = flags | cudaDeviceMapHost;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return recordError(cudaErrorInvalidValue);
  *flags = flagsOf(Runtime::get().currentDevice());
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSynchronize() {
  return callWithContext([](Context &context) {
    if (cudaError_t e = refuseWaitForAll(context); e != cudaSuccess)
      return e;
    return synchronize(context, [&] { context.scheduler().waitForAll(); });
  });
}

extern "C" cudaError_t cudaDeviceReset() {
  if (Scheduler::inHostFunction())
    return recordError(cudaErrorNotPermitted);
  Runtime::get().reset(Runtime::get().currentDevice());
  (void)cudaGetLastError(); // a sticky error ends with its context
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return callWithContext([&](Context &context) {
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    switch (limit) {
    case cudaLimitStackSize:
      return context.services().setStackBytes(value);
    case cudaLimitPrintfFifoSize:
      return context.services().setPrintfBytes(value);
    case cudaLimitMallocHeapSize:
      return context.services().setHeapBytes(value);
    case cudaLimitDevRuntimeSyncDepth:
      if (value > 24) // CUDA's most
        return cudaErrorInvalidValue;
      context.services().setSyncDepth(value);
      return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
      return context.services().setPendingLaunches(value);
    case cudaLimitMaxL2FetchGranularity:
      if (value > 128)
        return cudaErrorInvalidValue;
      context.services().setFetchBytes(value);
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize: // at most cudaDeviceProp::persistingL2CacheMaxSize
      return value == 0 ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorInvalidValue;
    }
  });
}

extern "C" cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  return callWithContext([&](Context &context) {
    if (!value)
      return cudaErrorInvalidValue;
    ContextLimits limits = context.services().limits();
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
      return cudaErrorInvalidValue;
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
  if (!whole)
    return recordError(cudaErrorInvalidValue);
  if (domain || bus || function || !isDevice(int(slot)))
    return recordError(cudaErrorInvalidDevice);
  *device = int(slot);
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceGetPCIBusId(char *busId, int size, int device) {
  if (!isDevice(device))
    return recordError(cudaErrorInvalidDevice);
  char text[16];
  int length = std::snprintf(text, sizeof text, "0000:00:%02x.0", unsigned(device));
  if (!busId || size <= length)
    return recordError(cudaErrorInvalidValue);
  std::memcpy(busId, text, size_t(length) + 1);
  return cudaSuccess;
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
