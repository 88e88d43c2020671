// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime API as host programs call it, from C or C++. A device pointer is a number in the
// device's memory: host code never dereferences it (managed and mapped memory excepted). In C++ the
// typed overloads at the end take symbols and functions without casts.

#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "host_defines.h"
#include "vector_types.h"
#include "vx/runtime/per_thread.h"
#include <stddef.h>

#define CUDART_VERSION 12030
#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif

#if defined(__cplusplus)
#define VX_DEFAULT(value) = value
extern "C" {
#else
#define VX_DEFAULT(value)
#endif

/* Errors. */
extern cudaError_t cudaGetLastError(void);
extern cudaError_t cudaPeekAtLastError(void);
extern const char *cudaGetErrorName(cudaError_t error);
extern const char *cudaGetErrorString(cudaError_t error);

/* Devices. */
extern cudaError_t cudaDeviceReset(void);
extern cudaError_t cudaDeviceSynchronize(void);
extern cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
extern cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
extern cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
extern cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
extern cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
extern cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
extern cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
extern cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
extern cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
extern cudaError_t cudaGetDeviceCount(int *count);
extern cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
extern cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
extern cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
extern cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
extern cudaError_t cudaSetDevice(int device);
extern cudaError_t cudaGetDevice(int *device);
extern cudaError_t cudaSetValidDevices(int *devices, int len);
extern cudaError_t cudaSetDeviceFlags(unsigned int flags);
extern cudaError_t cudaGetDeviceFlags(unsigned int *flags);
extern cudaError_t cudaDriverGetVersion(int *driverVersion);
extern cudaError_t cudaRuntimeGetVersion(int *runtimeVersion);
extern cudaError_t cudaCtxResetPersistingL2Cache(void);

/* The names of CUDA 3 for the calls above. */
extern cudaError_t cudaThreadExit(void);
extern cudaError_t cudaThreadSynchronize(void);
extern cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
extern cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
extern cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);
extern cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);

/* Streams. */
extern cudaError_t cudaStreamCreate(cudaStream_t *stream);
extern cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
extern cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                                int priority);
extern cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
extern cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
extern cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *streamId);
extern cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
extern cudaError_t cudaStreamDestroy(cudaStream_t stream);
extern cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                       unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void *userData, unsigned int flags);
extern cudaError_t cudaStreamSynchronize(cudaStream_t stream);
extern cudaError_t cudaStreamQuery(cudaStream_t stream);
extern cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                            size_t length VX_DEFAULT(0),
                                            unsigned int flags VX_DEFAULT(cudaMemAttachSingle));

/* Events. Their times are simulated device time (docs/user/runtime.md). */
extern cudaError_t cudaEventCreate(cudaEvent_t *event);
extern cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
extern cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream VX_DEFAULT(0),
                                            unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaEventQuery(cudaEvent_t event);
extern cudaError_t cudaEventSynchronize(cudaEvent_t event);
extern cudaError_t cudaEventDestroy(cudaEvent_t event);
extern cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* Launches and kernels. */
extern cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                    size_t sharedMem, cudaStream_t stream);
extern cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim,
                                               void **args, size_t sharedMem, cudaStream_t stream);
extern cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func,
                                       void **args);
extern cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);
extern cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig);
extern cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
extern cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
extern cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
extern cudaError_t cudaFuncGetName(const char **name, const void *func);
extern cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                                 int blockSize,
                                                                 size_t dynamicSMemSize);
extern cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
extern cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                                  const cudaLaunchConfig_t *launchConfig);
extern cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                        const cudaLaunchConfig_t *launchConfig);
extern cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                             const void *func, int numBlocks,
                                                             int blockSize);

/* Memory. */
extern cudaError_t cudaMalloc(void **devPtr, size_t size);
extern cudaError_t cudaMallocHost(void **ptr, size_t size);
extern cudaError_t cudaMallocManaged(void **devPtr, size_t size,
                                     unsigned int flags VX_DEFAULT(cudaMemAttachGlobal));
extern cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
extern cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent);
extern cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream);
extern cudaError_t cudaFree(void *devPtr);
extern cudaError_t cudaFreeHost(void *ptr);
extern cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream);
extern cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags);
extern cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
extern cudaError_t cudaHostUnregister(void *ptr);
extern cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);
extern cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost);
extern cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
extern cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                            const void *ptr);
extern cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                        cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                 int device);
/* The same with a place. Nothing moves, so that all nodes of the host's memory are one. */
extern cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count,
                                           struct cudaMemLocation location, unsigned int flags,
                                           cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                    struct cudaMemLocation location);

extern cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
extern cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                                     cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                      size_t offset VX_DEFAULT(0),
                                      enum cudaMemcpyKind kind VX_DEFAULT(cudaMemcpyHostToDevice));
extern cudaError_t
cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset VX_DEFAULT(0),
                     enum cudaMemcpyKind kind VX_DEFAULT(cudaMemcpyDeviceToHost));
extern cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                           size_t offset, enum cudaMemcpyKind kind,
                                           cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count,
                                             size_t offset, enum cudaMemcpyKind kind,
                                             cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemset(void *devPtr, int value, size_t count);
extern cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);
extern cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value,
                                struct cudaExtent extent);
extern cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                                   cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
                                     size_t height, cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                                     struct cudaExtent extent, cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol);
extern cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

#include "vx/runtime/graphs.h"

/* Profiler control (cuda_profiler_api.h): statistics are collected only between the two calls once
   a program has called one of them. */
extern cudaError_t cudaProfilerStart(void);
extern cudaError_t cudaProfilerStop(void);

/* What compiled host code calls: registration of device code, and the configuration of <<<>>>. */
extern void **__cudaRegisterFatBinary(void *fatCubin);
extern void __cudaRegisterFatBinaryEnd(void **fatCubinHandle);
extern void __cudaUnregisterFatBinary(void **fatCubinHandle);
extern void __cudaRegisterFunction(void **fatCubinHandle, const char *hostFun, char *deviceFun,
                                   const char *deviceName, int threadLimit, uint3 *tid, uint3 *bid,
                                   dim3 *bDim, dim3 *gDim, int *wSize);
extern void __cudaRegisterVar(void **fatCubinHandle, char *hostVar, char *deviceAddress,
                              const char *deviceName, int isExtern, size_t size, int isConstant,
                              int isGlobal);
extern void __cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtr, char *initialValue,
                                     const char *deviceName, size_t size, unsigned int alignment);
extern char __cudaInitModule(void **fatCubinHandle);
extern unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                size_t sharedMem VX_DEFAULT(0),
                                                struct CUstream_st *stream VX_DEFAULT(0));
extern cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                              void *stream);

#if defined(__cplusplus)
} // extern "C"
#endif

#include "vx/runtime/devices.h"

/* The constructors of the small structures (driver_functions.h). */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize,
                                                        size_t ysize) {
  struct cudaPitchedPtr result;
  result.ptr = ptr;
  result.pitch = pitch;
  result.xsize = xsize;
  result.ysize = ysize;
  return result;
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos result;
  result.x = x;
  result.y = y;
  result.z = z;
  return result;
}

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent result;
  result.width = width;
  result.height = height;
  result.depth = depth;
  return result;
}

#include "vx/runtime/arrays.h"
#include "vx/runtime/external.h"
#include "vx/runtime/functions.h"

#if defined(__cplusplus) && !defined(__CUDA_API_NO_OVERLOADS__)
#include "cuda_runtime_overloads.h"
#endif

#undef VX_DEFAULT

#endif // __CUDA_RUNTIME_API_H__
