// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of kernels, and how many of their blocks a core holds.

#include "runtime/cuda/Api.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/LaunchAdvice.h"
#include "runtime/launch/Launcher.h"

using namespace vx::rt;

template <typename Body> static cudaError_t callWithKernel(const void *function, Body &&body) {
  return callWithContext([&](Context &context) {
    Kernel *kernel = nullptr;
    cudaError_t e = context.modules().findKernel(function, kernel);
    return e == cudaSuccess ? body(context, *kernel) : e;
  });
}

extern "C" cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  if (!attributes)
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(function, [&](Context &context, Kernel &kernel) {
    const vx::abi::KernelRecord &record = context.launcher().recordOf(kernel);
    *attributes = {};
    attributes->sharedSizeBytes = record.staticSharedBytes;
    attributes->constSizeBytes = record.constBytes;
    attributes->localSizeBytes = record.localBytes;
    attributes->maxThreadsPerBlock = int(record.maxThreads ? record.maxThreads : kMaxBlockThreads);
    attributes->numRegs = int(record.numRegs ? record.numRegs : kThreadRegisters);
    attributes->ptxVersion = attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = int(kernel.maxDynamicShared);
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    describeCluster(kernel, *attributes);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute,
                                            int value) {
  return callWithKernel(function, [&](Context &context, Kernel &kernel) {
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0)
        return cudaErrorInvalidValue;
      if (uint64_t(value) + kernel.record.staticSharedBytes > kMaxSharedBytesOptIn) {
        context.printOnce(describeSharedLimit(kernel, uint64_t(value)));
        return cudaErrorInvalidValue;
      }
      kernel.maxDynamicShared = uint32_t(value);
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout: // a hint; there is nothing to divide
      return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return setClusterAttribute(kernel, attribute, value);
    }
  });
}

extern "C" cudaError_t cudaFuncGetName(const char **name, const void *function) {
  if (!name)
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(function, [&](Context &, Kernel &kernel) {
    *name = kernel.name.c_str();
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *entry) {
  if (!handle)
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(entry, [&](Context &, Kernel &) {
    // What stands for the kernel in all calls.
    *handle = reinterpret_cast<cudaKernel_t>(const_cast<void *>(entry));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                            size_t *size) {
  if (!offset)
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(function, [&](Context &, Kernel &kernel) {
    if (index >= kernel.params.size())
      return cudaErrorInvalidValue;
    *offset = kernel.params[index].offset;
    if (size)
      *size = kernel.params[index].size;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaSetDoubleForDevice(double *d) {
  return recordError(d ? cudaSuccess : cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaSetDoubleForHost(double *d) {
  return recordError(d ? cudaSuccess : cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
    return recordError(cudaErrorInvalidValue);
  // A preference between cache and shared memory; here they are separate memories.
  return callWithKernel(function, [](Context &, Kernel &) { return cudaSuccess; });
}

extern "C" cudaError_t cudaFuncSetSharedMemConfig(const void *function,
                                                  cudaSharedMemConfig config) {
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(function, [](Context &, Kernel &) { return cudaSuccess; });
}

extern "C" cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *function,
                                                       int blockSize, size_t dynamicSharedBytes,
                                                       unsigned flags) {
  if (!numBlocks || (flags & ~unsigned(cudaOccupancyDisableCachingOverride)))
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(function, [&](Context &context, Kernel &kernel) {
    if (blockSize <= 0)
      return cudaErrorInvalidValue;
    *numBlocks = 0;
    const vx::abi::KernelRecord *record = context.launcher().variantOf(kernel);
    if (!record)
      return cudaErrorNoKernelImageForDevice;
    uint32_t most = record->maxThreads ? record->maxThreads : kMaxBlockThreads;
    if (uint32_t(blockSize) > most || dynamicSharedBytes > kernel.maxDynamicShared)
      return cudaSuccess;
    if (std::optional<LaunchPlan> plan =
            planLaunch(*record, context.shape(), uint32_t(blockSize), uint32_t(dynamicSharedBytes)))
      *numBlocks = int(occupancyOf(*plan, *record, context.shape(), uint32_t(blockSize),
                                   uint32_t(dynamicSharedBytes)));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                                     const void *function,
                                                                     int blockSize,
                                                                     size_t dynamicSharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize,
                                                                dynamicSharedBytes, 0);
}

extern "C" cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                                 const void *function,
                                                                 int numBlocks, int blockSize) {
  if (!bytes)
    return recordError(cudaErrorInvalidValue);
  return callWithKernel(function, [&](Context &context, Kernel &kernel) {
    if (blockSize <= 0 || uint32_t(blockSize) > kMaxBlockThreads || numBlocks <= 0)
      return cudaErrorInvalidValue;
    const vx::abi::KernelRecord *record = context.launcher().variantOf(kernel);
    if (!record)
      return cudaErrorNoKernelImageForDevice;
    const DeviceShape &shape = context.shape();
    std::optional<LaunchPlan> plan = planLaunch(*record, shape, uint32_t(blockSize), 0);
    if (!plan || occupancyOf(*plan, *record, shape, uint32_t(blockSize), 0) < uint32_t(numBlocks))
      return cudaErrorInvalidValue;
    *bytes = sharedRoomOf(*plan, *record, shape, uint32_t(blockSize), uint32_t(numBlocks),
                          kernel.maxDynamicShared);
    return cudaSuccess;
  });
}
