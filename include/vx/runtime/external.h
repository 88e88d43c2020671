// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources that other programs, devices or graphics libraries own. The device has no way to share
// them: importing one is cudaErrorNotSupported, and no handle of one is valid. Included by
// cuda_runtime_api.h.

#ifndef VX_RT_EXTERNAL_H
#define VX_RT_EXTERNAL_H

#define cudaExternalMemoryDedicated 0x1
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02
#define cudaNvSciSyncAttrSignal 0x1
#define cudaNvSciSyncAttrWait 0x2

typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

enum cudaExternalMemoryHandleType {
  cudaExternalMemoryHandleTypeOpaqueFd = 1,
  cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
  cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
  cudaExternalMemoryHandleTypeD3D12Heap = 4,
  cudaExternalMemoryHandleTypeD3D12Resource = 5,
  cudaExternalMemoryHandleTypeD3D11Resource = 6,
  cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7,
  cudaExternalMemoryHandleTypeNvSciBuf = 8,
};

struct cudaExternalMemoryHandleDesc {
  enum cudaExternalMemoryHandleType type;
  union {
    int fd;
    struct {
      void *handle;
      const void *name;
    } win32;
    const void *nvSciBufObject;
  } handle;
  unsigned long long size;
  unsigned int flags;
};

struct cudaExternalMemoryBufferDesc {
  unsigned long long offset;
  unsigned long long size;
  unsigned int flags;
};

struct cudaExternalMemoryMipmappedArrayDesc {
  unsigned long long offset;
  struct cudaChannelFormatDesc formatDesc;
  struct cudaExtent extent;
  unsigned int flags;
  unsigned int numLevels;
};

enum cudaExternalSemaphoreHandleType {
  cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
  cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
  cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
  cudaExternalSemaphoreHandleTypeD3D12Fence = 4,
  cudaExternalSemaphoreHandleTypeD3D11Fence = 5,
  cudaExternalSemaphoreHandleTypeNvSciSync = 6,
  cudaExternalSemaphoreHandleTypeKeyedMutex = 7,
  cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
  cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
  cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10,
};

struct cudaExternalSemaphoreHandleDesc {
  enum cudaExternalSemaphoreHandleType type;
  union {
    int fd;
    struct {
      void *handle;
      const void *name;
    } win32;
    const void *nvSciSyncObj;
  } handle;
  unsigned int flags;
};

struct cudaExternalSemaphoreSignalParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void *fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
    } keyedMutex;
    unsigned int reserved[12];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
};

struct cudaExternalSemaphoreWaitParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void *fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
      unsigned int timeoutMs;
    } keyedMutex;
    unsigned int reserved[10];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
};

enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2,
  cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
  cudaGraphicsRegisterFlagsTextureGather = 8,
};

enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2,
};

enum cudaGraphicsCubeFace {
  cudaGraphicsCubeFacePositiveX = 0,
  cudaGraphicsCubeFaceNegativeX = 1,
  cudaGraphicsCubeFacePositiveY = 2,
  cudaGraphicsCubeFaceNegativeY = 3,
  cudaGraphicsCubeFacePositiveZ = 4,
  cudaGraphicsCubeFaceNegativeZ = 5,
};

enum cudaFlushGPUDirectRDMAWritesOptions {
  cudaFlushGPUDirectRDMAWritesOptionHost = 1,
  cudaFlushGPUDirectRDMAWritesOptionMemOps = 2,
};

enum cudaGPUDirectRDMAWritesOrdering {
  cudaGPUDirectRDMAWritesOrderingNone = 0,
  cudaGPUDirectRDMAWritesOrderingOwner = 100,
  cudaGPUDirectRDMAWritesOrderingAllDevices = 200,
};

enum cudaFlushGPUDirectRDMAWritesScope {
  cudaFlushGPUDirectRDMAWritesToOwner = 100,
  cudaFlushGPUDirectRDMAWritesToAllDevices = 200,
};

enum cudaFlushGPUDirectRDMAWritesTarget {
  cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0,
};

/* Of a device memory budget, which there is none (CUDA 12.4). */
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef enum cudaAsyncNotificationType_enum {
  cudaAsyncNotificationTypeOverBudget = 1,
} cudaAsyncNotificationType;
typedef struct cudaAsyncNotificationInfo {
  cudaAsyncNotificationType type;
  union {
    struct {
      unsigned long long bytesOverBudget;
    } overBudget;
  } info;
} cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *info, void *userData,
                                  cudaAsyncCallbackHandle_t handle);

#if defined(__cplusplus)
extern "C" {
#endif

extern cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *extMem,
                                            const struct cudaExternalMemoryHandleDesc *desc);
extern cudaError_t cudaExternalMemoryGetMappedBuffer(void **devPtr, cudaExternalMemory_t extMem,
                                                     const struct cudaExternalMemoryBufferDesc *);
extern cudaError_t
cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *mipmap, cudaExternalMemory_t extMem,
                                          const struct cudaExternalMemoryMipmappedArrayDesc *desc);
extern cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem);
extern cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *extSem,
                                               const struct cudaExternalSemaphoreHandleDesc *desc);
extern cudaError_t
cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSems,
                                  const struct cudaExternalSemaphoreSignalParams *params,
                                  unsigned int count, cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t
cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSems,
                                const struct cudaExternalSemaphoreWaitParams *params,
                                unsigned int count, cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem);
extern cudaError_t cudaDeviceGetNvSciSyncAttributes(void *attributes, int device, int flags);

extern cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
extern cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource,
                                                   unsigned int flags);
extern cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                            cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                              cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
                                                        cudaGraphicsResource_t resource);
extern cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                         cudaGraphicsResource_t resource,
                                                         unsigned int arrayIndex,
                                                         unsigned int mipLevel);
extern cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *array,
                                                               cudaGraphicsResource_t resource);

extern cudaError_t
cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                   enum cudaFlushGPUDirectRDMAWritesScope scope);
extern cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callback,
                                                       void *userData,
                                                       cudaAsyncCallbackHandle_t *handle);
extern cudaError_t cudaDeviceUnregisterAsyncNotification(int device,
                                                         cudaAsyncCallbackHandle_t handle);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif /* VX_RT_EXTERNAL_H */
