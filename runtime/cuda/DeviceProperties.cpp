// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device is: cudaDeviceProp, and the attributes, which are read from it.

#include "runtime/context/LaunchAttributes.h"
#include "runtime/cuda/Api.h"
#include "runtime/cuda/ImageProperties.h"
#include "runtime/launch/DeviceLaunches.h"
#include <cstdio>
#include <cstring>
#include <optional>

using namespace vx::rt;

static cudaDeviceProp propertiesOf(const ContextState &context) {
  const DeviceShape &shape = context.shape();
  cudaDeviceProp p{};
  std::strncpy(p.name, context.deviceName().c_str(), sizeof p.name - 1);
  char uuid[sizeof p.uuid.bytes + 1];
  std::snprintf(uuid, sizeof uuid, "vortex-vx-sim-%02u", context.identity().number);
  std::memcpy(p.uuid.bytes, uuid, sizeof p.uuid.bytes);
  p.pciDeviceID = int(context.identity().number);
  p.totalGlobalMem = context.totalMemory();
  p.sharedMemPerBlock = kMaxSharedBytes;
  p.sharedMemPerBlockOptin = kMaxSharedBytesOptIn;
  p.sharedMemPerMultiprocessor = kMaxSharedBytesOptIn;
  p.regsPerBlock = int(kMaxBlockThreads * kThreadRegisters);
  p.regsPerMultiprocessor = int(shape.registers());
  p.warpSize = int(vx::abi::kWarpSize);
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = int(kMaxBlockThreads);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = int(kMaxBlockThreads);
  p.maxThreadsDim[2] = int(kMaxBlockDimZ);
  p.maxGridSize[0] = int(kMaxGridDimX);
  p.maxGridSize[1] = p.maxGridSize[2] = int(kMaxGridDimYZ);
  p.clockRate = int(context.clockKHz());
  p.totalConstMem = 64 * 1024;
  p.major = 8;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  setImageLimits(p);
  p.multiProcessorCount = int(shape.numCores);
  p.integrated = 1;
  p.unifiedAddressing = p.hostRegisterSupported = 1;
  p.canMapHostMemory = p.managedMemory = 1;
  p.canUseHostPointerForRegisteredMem = context.pointerBits() == 64;
  p.concurrentManagedAccess = p.hostNativeAtomicSupported = context.sharesMemory();
  p.ipcEventSupported = context.sharesMemory();
  p.computeMode = cudaComputeModeDefault;
  p.concurrentKernels = 0;
  p.asyncEngineCount = 1;
  p.deviceOverlap = 1;
  p.memoryClockRate = p.clockRate;
  p.memoryBusWidth = 512; // a cache line per cycle
  p.maxThreadsPerMultiProcessor = int(shape.residentThreads());
  p.maxBlocksPerMultiProcessor = int(shape.residentBlocks());
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = 1;
  p.accessPolicyMaxWindowSize = int(kMaxAccessPolicyWindow);
  p.memoryPoolsSupported = 1;
  p.memoryPoolSupportedHandleTypes =
      context.sharesMemory() ? cudaMemHandleTypePosixFileDescriptor : cudaMemHandleTypeNone;
  p.unifiedFunctionPointers = 0;
  return p;
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (!properties)
    return recordError(cudaErrorInvalidValue);
  return callWithDevice(device, [&](Context &context) {
    *properties = propertiesOf(context);
    return cudaSuccess;
  });
}

/// Returns the field of the properties that ATTRIBUTE is; null if it is none. A table: a row for
/// each attribute, because only some numbers have a field.
static const int *fieldOf(const cudaDeviceProp &p, cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return &p.maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX:
    return &p.maxThreadsDim[0];
  case cudaDevAttrMaxBlockDimY:
    return &p.maxThreadsDim[1];
  case cudaDevAttrMaxBlockDimZ:
    return &p.maxThreadsDim[2];
  case cudaDevAttrMaxGridDimX:
    return &p.maxGridSize[0];
  case cudaDevAttrMaxGridDimY:
    return &p.maxGridSize[1];
  case cudaDevAttrMaxGridDimZ:
    return &p.maxGridSize[2];
  case cudaDevAttrWarpSize:
    return &p.warpSize;
  case cudaDevAttrMaxRegistersPerBlock:
    return &p.regsPerBlock;
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return &p.regsPerMultiprocessor;
  case cudaDevAttrClockRate:
    return &p.clockRate;
  case cudaDevAttrGpuOverlap:
    return &p.deviceOverlap;
  case cudaDevAttrMultiProcessorCount:
    return &p.multiProcessorCount;
  case cudaDevAttrKernelExecTimeout:
    return &p.kernelExecTimeoutEnabled;
  case cudaDevAttrIntegrated:
    return &p.integrated;
  case cudaDevAttrCanMapHostMemory:
    return &p.canMapHostMemory;
  case cudaDevAttrComputeMode:
    return &p.computeMode;
  case cudaDevAttrConcurrentKernels:
    return &p.concurrentKernels;
  case cudaDevAttrEccEnabled:
    return &p.ECCEnabled;
  case cudaDevAttrPciBusId:
    return &p.pciBusID;
  case cudaDevAttrPciDeviceId:
    return &p.pciDeviceID;
  case cudaDevAttrPciDomainId:
    return &p.pciDomainID;
  case cudaDevAttrTccDriver:
    return &p.tccDriver;
  case cudaDevAttrMemoryClockRate:
    return &p.memoryClockRate;
  case cudaDevAttrGlobalMemoryBusWidth:
    return &p.memoryBusWidth;
  case cudaDevAttrL2CacheSize:
    return &p.l2CacheSize;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return &p.maxThreadsPerMultiProcessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return &p.maxBlocksPerMultiProcessor;
  case cudaDevAttrAsyncEngineCount:
    return &p.asyncEngineCount;
  case cudaDevAttrUnifiedAddressing:
    return &p.unifiedAddressing;
  case cudaDevAttrComputeCapabilityMajor:
    return &p.major;
  case cudaDevAttrComputeCapabilityMinor:
    return &p.minor;
  case cudaDevAttrStreamPrioritiesSupported:
    return &p.streamPrioritiesSupported;
  case cudaDevAttrGlobalL1CacheSupported:
    return &p.globalL1CacheSupported;
  case cudaDevAttrLocalL1CacheSupported:
    return &p.localL1CacheSupported;
  case cudaDevAttrManagedMemory:
    return &p.managedMemory;
  case cudaDevAttrIsMultiGpuBoard:
    return &p.isMultiGpuBoard;
  case cudaDevAttrMultiGpuBoardGroupID:
    return &p.multiGpuBoardGroupID;
  case cudaDevAttrHostNativeAtomicSupported:
    return &p.hostNativeAtomicSupported;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return &p.singleToDoublePrecisionPerfRatio;
  case cudaDevAttrPageableMemoryAccess:
    return &p.pageableMemoryAccess;
  case cudaDevAttrConcurrentManagedAccess:
    return &p.concurrentManagedAccess;
  case cudaDevAttrComputePreemptionSupported:
    return &p.computePreemptionSupported;
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
    return &p.canUseHostPointerForRegisteredMem;
  case cudaDevAttrCooperativeLaunch:
    return &p.cooperativeLaunch;
  case cudaDevAttrCooperativeMultiDeviceLaunch:
    return &p.cooperativeMultiDeviceLaunch;
  case cudaDevAttrGPUDirectRDMAWritesOrdering:
    return &p.gpuDirectRDMAWritesOrdering;
  case cudaDevAttrHostRegisterSupported:
    return &p.hostRegisterSupported;
  case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    return &p.pageableMemoryAccessUsesHostPageTables;
  case cudaDevAttrDirectManagedMemAccessFromHost:
    return &p.directManagedMemAccessFromHost;
  case cudaDevAttrMaxPersistingL2CacheSize:
    return &p.persistingL2CacheMaxSize;
  case cudaDevAttrMaxAccessPolicyWindowSize:
    return &p.accessPolicyMaxWindowSize;
  case cudaDevAttrSparseCudaArraySupported:
    return &p.sparseCudaArraySupported;
  case cudaDevAttrHostRegisterReadOnlySupported:
    return &p.hostRegisterReadOnlySupported;
  case cudaDevAttrTimelineSemaphoreInteropSupported:
    return &p.timelineSemaphoreInteropSupported;
  case cudaDevAttrMemoryPoolsSupported:
    return &p.memoryPoolsSupported;
  case cudaDevAttrGPUDirectRDMASupported:
    return &p.gpuDirectRDMASupported;
  case cudaDevAttrClusterLaunch:
    return &p.clusterLaunch;
  case cudaDevAttrDeferredMappingCudaArraySupported:
    return &p.deferredMappingCudaArraySupported;
  case cudaDevAttrIpcEventSupport:
    return &p.ipcEventSupported;
  default:
    return nullptr;
  }
}

/// The attributes whose field is wider than an int.
static const size_t *wideFieldOf(const cudaDeviceProp &p, cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return &p.sharedMemPerBlock;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return &p.sharedMemPerBlockOptin;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return &p.sharedMemPerMultiprocessor;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return &p.reservedSharedMemPerBlock;
  case cudaDevAttrTotalConstantMemory:
    return &p.totalConstMem;
  case cudaDevAttrMaxPitch:
    return &p.memPitch;
  case cudaDevAttrTextureAlignment:
    return &p.textureAlignment;
  case cudaDevAttrTexturePitchAlignment:
    return &p.texturePitchAlignment;
  case cudaDevAttrSurfaceAlignment:
    return &p.surfaceAlignment;
  default:
    return nullptr;
  }
}

/// The attributes that are no field; none for a number that is not an attribute.
static std::optional<int> otherAttribute(const cudaDeviceProp &p, cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    return int(p.gpuDirectRDMAFlushWritesOptions);
  case cudaDevAttrMemoryPoolSupportedHandleTypes:
    return int(p.memoryPoolSupportedHandleTypes);
  case cudaDevAttrMemSyncDomainCount:
    return 1;
  case cudaDevAttrNumaConfig:
    return cudaDeviceNumaConfigNone;
  case cudaDevAttrNumaId:
  case cudaDevAttrHostNumaId: // not known
    return -1;
  case cudaDevAttrCanFlushRemoteWrites:
  case cudaDevAttrMpsEnabled:
  case cudaDevAttrReserved92:
  case cudaDevAttrReserved93:
  case cudaDevAttrReserved94:
  case cudaDevAttrReserved122:
  case cudaDevAttrReserved123:
  case cudaDevAttrReserved124:
  case cudaDevAttrReserved127:
  case cudaDevAttrReserved128:
  case cudaDevAttrReserved129:
  case cudaDevAttrReserved132:
    return 0;
  default:
    return std::nullopt;
  }
}

cudaError_t vx::rt::readAttribute(const ContextState &state, cudaDeviceAttr attribute, int &value) {
  cudaDeviceProp properties = propertiesOf(state);
  if (const int *field = fieldOf(properties, attribute))
    value = *field;
  else if (const size_t *wide = wideFieldOf(properties, attribute))
    value = int(*wide);
  else if (std::optional<int> limit = imageLimit(attribute))
    value = *limit;
  else if (std::optional<int> other = otherAttribute(properties, attribute))
    value = *other;
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (!value)
    return recordError(cudaErrorInvalidValue);
  return callWithAnyDevice(
      device, [&](Context &context) { return readAttribute(context, attribute, *value); });
}
