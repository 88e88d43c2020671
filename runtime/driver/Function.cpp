// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of functions and kernels, and occupancy.

#include "runtime/driver/Modules.h"
#include <algorithm>

using namespace vx::rt;
using namespace vx::rt::driver;

/// Runs BODY, which returns a cudaError_t, for a function that there is.
template <typename Body> static CUresult callWithFunction(const void *function, Body &&body) {
  if (CUresult e = checkFunction(function); e != CUDA_SUCCESS)
    return e;
  DriverCall guard;
  return fromRuntime(body());
}

static CUresult getAttribute(int *value, CUfunction_attribute attribute, const void *function) {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes a{};
  if (CUresult e = callWithFunction(function, [&] { return cudaFuncGetAttributes(&a, function); });
      e != CUDA_SUCCESS)
    return e;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = a.maxThreadsPerBlock;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = int(a.sharedSizeBytes);
    break;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = int(a.constSizeBytes);
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = int(a.localSizeBytes);
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = a.numRegs;
    break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *value = a.ptxVersion;
    break;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = a.binaryVersion;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = a.maxDynamicSharedSizeBytes;
    break;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = a.preferredShmemCarveout;
    break;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    *value = a.clusterDimMustBeSet;
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    *value = a.requiredClusterWidth;
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    *value = a.requiredClusterHeight;
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    *value = a.requiredClusterDepth;
    break;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    *value = a.nonPortableClusterSizeAllowed;
    break;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    *value = a.clusterSchedulingPolicyPreference;
    break;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: // no compiler option of that kind
    *value = 0;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

extern "C" CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                                       CUfunction function) {
  return getAttribute(value, attribute, function);
}

extern "C" CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                                       int value) {
  return callWithFunction(function, [&] {
    return cudaFuncSetAttribute(function, cudaFuncAttribute(attribute), value);
  });
}

extern "C" CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return callWithFunction(function,
                          [&] { return cudaFuncSetCacheConfig(function, cudaFuncCache(config)); });
}

extern "C" CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return callWithFunction(
      function, [&] { return cudaFuncSetSharedMemConfig(function, cudaSharedMemConfig(config)); });
}

extern "C" CUresult cuFuncGetName(const char **name, CUfunction function) {
  return callWithFunction(function, [&] { return cudaFuncGetName(name, function); });
}

extern "C" CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return callWithFunction(kernel, [&] { return cudaFuncGetName(name, kernel); });
}

extern "C" CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                                       size_t *size) {
  return callWithFunction(function,
                          [&] { return cudaFuncGetParamInfo(function, index, offset, size); });
}

extern "C" CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                                         size_t *size) {
  return callWithFunction(kernel,
                          [&] { return cudaFuncGetParamInfo(kernel, index, offset, size); });
}

/// Runs BODY with a context of DEVICE as the current one.
template <typename Body> static CUresult onDevice(CUdevice device, Body &&body) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  uint64_t before = Runtime::get().currentSlot();
  if (!currentSlot() || Runtime::get().currentDevice() != unsigned(device)) {
    ContextUse primary = Runtime::get().primary(unsigned(device));
    if (!primary)
      return CUDA_ERROR_DEVICE_UNAVAILABLE;
    Runtime::get().setCurrentSlot(primary.slotId());
  }
  CUresult result = body();
  Runtime::get().setCurrentSlot(before);
  return result;
}

extern "C" CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute,
                                         CUkernel kernel, CUdevice device) {
  return onDevice(device, [&] { return getAttribute(value, attribute, kernel); });
}

extern "C" CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                         CUdevice device) {
  return onDevice(device, [&] {
    return callWithFunction(
        kernel, [&] { return cudaFuncSetAttribute(kernel, cudaFuncAttribute(attribute), value); });
  });
}

extern "C" CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return onDevice(device, [&] {
    return callWithFunction(kernel,
                            [&] { return cudaFuncSetCacheConfig(kernel, cudaFuncCache(config)); });
  });
}

extern "C" CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, CUfunction function, int blockSize, size_t dynamicSharedBytes, unsigned flags) {
  return callWithFunction(function, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize,
                                                                  dynamicSharedBytes, flags);
  });
}

extern "C" CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction function,
                                                                int blockSize,
                                                                size_t dynamicSharedBytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize,
                                                              dynamicSharedBytes, 0);
}

extern "C" CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function,
                                                            int numBlocks, int blockSize) {
  return callWithFunction(function, [&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, numBlocks, blockSize);
  });
}

extern "C" CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction function,
                                                 const CUlaunchConfig *config) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  return callWithFunction(function, [&] {
    cudaLaunchConfig_t same = toRuntime(*config);
    return cudaOccupancyMaxActiveClusters(numClusters, function, &same);
  });
}

extern "C" CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction function,
                                                       const CUlaunchConfig *config) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  return callWithFunction(function, [&] {
    cudaLaunchConfig_t same = toRuntime(*config);
    return cudaOccupancyMaxPotentialClusterSize(clusterSize, function, &same);
  });
}

/// The block size, a multiple of a warp, with which most threads are resident; of equals, the
/// largest.
extern "C" CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                              CUfunction function,
                                                              CUoccupancyB2DSize sharedBytesOf,
                                                              size_t sharedBytes, int limit,
                                                              unsigned flags) {
  if (!minGridSize || !blockSize || limit < 0)
    return CUDA_ERROR_INVALID_VALUE;
  int most = 0, cores = 0, device = 0;
  if (CUresult e = getAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
      e != CUDA_SUCCESS)
    return e;
  if (CUresult e = cuCtxGetDevice(&device); e != CUDA_SUCCESS)
    return e;
  if (CUresult e = cuDeviceGetAttribute(&cores, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
      e != CUDA_SUCCESS)
    return e;
  if (limit)
    most = std::min(most, limit);
  const int warp = int(vx::abi::kWarpSize);
  int bestThreads = 0;
  *minGridSize = *blockSize = 0;
  for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
    int tried = std::min(size, most), blocks = 0;
    size_t bytes = sharedBytesOf ? sharedBytesOf(tried) : sharedBytes;
    if (CUresult e = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, tried,
                                                                          bytes, flags);
        e != CUDA_SUCCESS)
      return e;
    if (blocks * tried > bestThreads) {
      bestThreads = blocks * tried;
      *blockSize = tried;
      *minGridSize = blocks * cores;
    }
  }
  return bestThreads ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

extern "C" CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                                     CUfunction function,
                                                     CUoccupancyB2DSize sharedBytesOf,
                                                     size_t sharedBytes, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, sharedBytesOf,
                                                   sharedBytes, limit, 0);
}
