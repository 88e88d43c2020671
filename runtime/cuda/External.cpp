// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, semaphores and images of other owners: there is no way to share them with the device, so
// none can be imported or registered, and no handle of one is valid.

#include "cuda_gl_interop_functions.h"
#include "runtime/cuda/Api.h"

using namespace vx::rt;

static cudaError_t notSupported(bool validArguments) {
  return recordError(validArguments ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

static cudaError_t noSuchHandle(bool validArguments = true) {
  return recordError(validArguments ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *memory,
                                                const cudaExternalMemoryHandleDesc *description) {
  return notSupported(memory && description && description->size);
}

extern "C" cudaError_t
cudaExternalMemoryGetMappedBuffer(void **pointer, cudaExternalMemory_t,
                                  const cudaExternalMemoryBufferDesc *description) {
  return noSuchHandle(pointer && description);
}

extern "C" cudaError_t
cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *array, cudaExternalMemory_t,
                                          const cudaExternalMemoryMipmappedArrayDesc *description) {
  return noSuchHandle(array && description);
}

extern "C" cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t) {
  return noSuchHandle();
}

extern "C" cudaError_t
cudaImportExternalSemaphore(cudaExternalSemaphore_t *semaphore,
                            const cudaExternalSemaphoreHandleDesc *description) {
  return notSupported(semaphore && description);
}

extern "C" cudaError_t
cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *semaphores,
                                  const cudaExternalSemaphoreSignalParams *parameters,
                                  unsigned count, cudaStream_t) {
  return noSuchHandle(semaphores && parameters && count);
}

extern "C" cudaError_t
cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *semaphores,
                                const cudaExternalSemaphoreWaitParams *parameters, unsigned count,
                                cudaStream_t) {
  return noSuchHandle(semaphores && parameters && count);
}

extern "C" cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t) {
  return noSuchHandle();
}

extern "C" cudaError_t cudaDeviceGetNvSciSyncAttributes(void *attributes, int, int flags) {
  constexpr int known = cudaNvSciSyncAttrSignal | cudaNvSciSyncAttrWait;
  return notSupported(attributes && (flags & known) && !(flags & ~known));
}

extern "C" cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) {
  return noSuchHandle();
}

extern "C" cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned flags) {
  return noSuchHandle(flags <= cudaGraphicsMapFlagsWriteDiscard);
}

extern "C" cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                                cudaStream_t) {
  return noSuchHandle(count > 0 && resources);
}

extern "C" cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                                  cudaStream_t) {
  return noSuchHandle(count > 0 && resources);
}

extern "C" cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *,
                                                            cudaGraphicsResource_t) {
  return noSuchHandle(pointer);
}

extern "C" cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                             cudaGraphicsResource_t, unsigned,
                                                             unsigned) {
  return noSuchHandle(array);
}

extern "C" cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *array,
                                                                   cudaGraphicsResource_t) {
  return noSuchHandle(array);
}

extern "C" cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                                          cudaFlushGPUDirectRDMAWritesScope scope) {
  return notSupported(target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                      (scope == cudaFlushGPUDirectRDMAWritesToOwner ||
                       scope == cudaFlushGPUDirectRDMAWritesToAllDevices));
}

extern "C" cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback callback, void *,
                                                           cudaAsyncCallbackHandle_t *handle) {
  return notSupported(callback && handle);
}

extern "C" cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t) {
  return noSuchHandle();
}

extern "C" cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *) {
  if (table)
    *table = nullptr;
  return recordError(cudaErrorInvalidValue); // no id is one of ours
}

// cuda_gl_interop.h. No OpenGL context belongs to the device.

extern "C" cudaError_t cudaGLGetDevices(unsigned *count, int *devices, unsigned, cudaGLDeviceList) {
  if (!count || !devices)
    return recordError(cudaErrorInvalidValue);
  *count = 0;
  return recordError(cudaErrorNoDevice);
}

extern "C" cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **resource, unsigned,
                                                   unsigned, unsigned) {
  return notSupported(resource);
}

extern "C" cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **resource, unsigned,
                                                    unsigned) {
  return notSupported(resource);
}
