// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: what there is to know of them without a context.

#include "runtime/driver/Api.h"
#include <algorithm>
#include <cstring>

using namespace vx::rt;
using namespace vx::rt::driver;

extern "C" CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDeviceGetCount(int *count) {
  if (CUresult e = checkInitialized(); e != CUDA_SUCCESS)
    return e;
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  *count = int(Runtime::get().deviceCount());
  return CUDA_SUCCESS;
}

extern "C" CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult e = checkDevice(ordinal); e != CUDA_SUCCESS)
    return e;
  *device = ordinal;
  return CUDA_SUCCESS;
}

/// Runs BODY(properties) for DEVICE.
template <typename Body> static CUresult withProperties(CUdevice device, Body &&body) {
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  DriverCall guard;
  cudaDeviceProp properties;
  if (cudaError_t e = cudaGetDeviceProperties(&properties, device); e != cudaSuccess)
    return fromRuntime(e);
  return body(properties);
}

extern "C" CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (!name || length <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  return withProperties(device, [&](const cudaDeviceProp &p) {
    size_t size = std::min(std::strlen(p.name), size_t(length) - 1);
    std::memcpy(name, p.name, size);
    name[size] = 0;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  return withProperties(device, [&](const cudaDeviceProp &p) {
    std::memcpy(uuid->bytes, p.uuid.bytes, sizeof uuid->bytes);
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid(uuid, device);
}

extern "C" CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  return withProperties(device, [&](const cudaDeviceProp &p) {
    *bytes = p.totalGlobalMem;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  if (!major || !minor)
    return CUDA_ERROR_INVALID_VALUE;
  return withProperties(device, [&](const cudaDeviceProp &p) {
    *major = p.major;
    *minor = p.minor;
    return CUDA_SUCCESS;
  });
}

extern "C" CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device) {
  if (!properties)
    return CUDA_ERROR_INVALID_VALUE;
  return withProperties(device, [&](const cudaDeviceProp &p) {
    *properties = {};
    properties->maxThreadsPerBlock = p.maxThreadsPerBlock;
    std::copy_n(p.maxThreadsDim, 3, properties->maxThreadsDim);
    std::copy_n(p.maxGridSize, 3, properties->maxGridSize);
    properties->sharedMemPerBlock = int(p.sharedMemPerBlock);
    properties->totalConstantMemory = int(p.totalConstMem);
    properties->SIMDWidth = p.warpSize;
    properties->memPitch = int(p.memPitch);
    properties->regsPerBlock = p.regsPerBlock;
    properties->clockRate = p.clockRate;
    properties->textureAlign = int(p.textureAlignment);
    return CUDA_SUCCESS;
  });
}

/// The attributes that only the driver API has, all others have the runtime API's numbers.
static bool ownAttribute(CUdevice_attribute attribute, int &value) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
    value = 1;
    return true;
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS:
    value = 0;
    return true;
  default:
    return false;
  }
}

extern "C" CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                         CUdevice device) {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult e = checkDevice(device); e != CUDA_SUCCESS)
    return e;
  if (ownAttribute(attribute, *value))
    return CUDA_SUCCESS;
  if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
      attribute == CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED)
    return call([&] {
      return callWithDevice(device, [&](Context &context) {
        *value = context.sharesMemory();
        return cudaSuccess;
      });
    });
  return call([&] { return cudaDeviceGetAttribute(value, cudaDeviceAttr(attribute), device); });
}

extern "C" CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *busId) {
  return call([&] { return cudaDeviceGetByPCIBusId(device, busId); });
}

extern "C" CUresult cuDeviceGetPCIBusId(char *busId, int length, CUdevice device) {
  return call([&] { return cudaDeviceGetPCIBusId(busId, length, device); });
}

extern "C" CUresult cuDeviceCanAccessPeer(int *canAccess, CUdevice device, CUdevice peer) {
  return call([&] { return cudaDeviceCanAccessPeer(canAccess, device, peer); });
}

extern "C" CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
                                            CUdevice source, CUdevice destination) {
  return call([&] {
    return cudaDeviceGetP2PAttribute(value, cudaDeviceP2PAttr(attribute), source, destination);
  });
}

extern "C" CUresult cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type,
                                                   CUdevice device) {
  if (!supported || type >= CU_EXEC_AFFINITY_TYPE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  *supported = 0;
  return checkDevice(device);
}

/// Nothing is written from outside that would have to be flushed.
extern "C" CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget,
                                               CUflushGPUDirectRDMAWritesScope) {
  CUresult e = checkContext();
  return e == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : e;
}
