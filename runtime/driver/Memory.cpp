// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of device, host and managed memory, and what a pointer is.

#include "runtime/driver/Api.h"
#include <cstring>

using namespace vx::rt;
using namespace vx::rt::driver;

/// Runs ALLOCATE(void **) and stores the result as a device address.
template <typename Allocate> static CUresult allocate(CUdeviceptr *address, Allocate &&allocate) {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  void *result = nullptr;
  CUresult e = callInContext([&] { return allocate(&result); });
  if (e == CUDA_SUCCESS)
    *address = addressOf(result);
  return e;
}

extern "C" CUresult cuMemGetInfo(size_t *free, size_t *total) {
  return callInContext([&] { return cudaMemGetInfo(free, total); });
}

extern "C" CUresult cuMemAlloc(CUdeviceptr *address, size_t size) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return allocate(address, [&](void **to) { return cudaMalloc(to, size); });
}

extern "C" CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width,
                                    size_t height, unsigned elementBytes) {
  if (width == 0 || height == 0 || (elementBytes != 4 && elementBytes != 8 && elementBytes != 16))
    return CUDA_ERROR_INVALID_VALUE;
  return allocate(address, [&](void **to) { return cudaMallocPitch(to, pitch, width, height); });
}

extern "C" CUresult cuMemFree(CUdeviceptr address) {
  return callInContext([&] { return cudaFree(pointer(address)); });
}

extern "C" CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return allocate(address, [&](void **to) { return cudaMallocManaged(to, size, flags); });
}

extern "C" CUresult cuMemAllocHost(void **host, size_t size) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return callInContext([&] { return cudaHostAlloc(host, size, cudaHostAllocDefault); });
}

extern "C" CUresult cuMemHostAlloc(void **host, size_t size, unsigned flags) {
  return callInContext([&] { return cudaHostAlloc(host, size, flags); });
}

extern "C" CUresult cuMemFreeHost(void *host) {
  if (!host)
    return CUDA_ERROR_INVALID_VALUE;
  return callInContext([&] { return cudaFreeHost(host); });
}

extern "C" CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned flags) {
  return allocate(address, [&](void **to) { return cudaHostGetDevicePointer(to, host, flags); });
}

extern "C" CUresult cuMemHostGetFlags(unsigned *flags, void *host) {
  return callInContext([&] { return cudaHostGetFlags(flags, host); });
}

extern "C" CUresult cuMemHostRegister(void *host, size_t size, unsigned flags) {
  return callInContext([&] { return cudaHostRegister(host, size, flags); });
}

extern "C" CUresult cuMemHostUnregister(void *host) {
  return callInContext([&] { return cudaHostUnregister(host); });
}

extern "C" CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return allocate(address, [&](void **to) { return cudaMallocAsync(to, size, stream); });
}

extern "C" CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return callInContext([&] { return cudaFreeAsync(pointer(address), stream); });
}

extern "C" CUresult cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice,
                                CUdevice device) {
  return callInContext(
      [&] { return cudaMemAdvise(pointer(address), size, cudaMemoryAdvise(advice), device); });
}

extern "C" CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice device,
                                       CUstream stream) {
  return callInContext(
      [&] { return cudaMemPrefetchAsync(pointer(address), size, device, stream); });
}

/// The device of a location: its number, or the host's.
static bool readLocation(const CUmemLocation &location, CUdevice &device) {
  switch (location.type) {
  case CU_MEM_LOCATION_TYPE_DEVICE:
    device = location.id;
    return true;
  case CU_MEM_LOCATION_TYPE_HOST:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
    device = CU_DEVICE_CPU;
    return true;
  default:
    return false;
  }
}

extern "C" CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice,
                                   CUmemLocation location) {
  CUdevice device = 0;
  bool counts = advice >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION &&
                advice != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
  if (counts && !readLocation(location, device))
    return CUDA_ERROR_INVALID_VALUE;
  return cuMemAdvise(address, size, advice, device);
}

extern "C" CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation location,
                                          unsigned flags, CUstream stream) {
  CUdevice device = 0;
  if (flags || !readLocation(location, device))
    return CUDA_ERROR_INVALID_VALUE;
  return cuMemPrefetchAsync(address, size, device, stream);
}

extern "C" CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t size,
                                           unsigned flags) {
  return callInContext(
      [&] { return cudaStreamAttachMemAsync(stream, pointer(address), size, flags); });
}
