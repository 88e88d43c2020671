// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime in device code: launches from kernels, and the calls that go with them. What
// they ask for is queued and done by the runtime once the grid, or some of its blocks, have ended,
// in the order of the calls. Errors are the calling thread's own.

#ifndef VX_CUDA_DEVICE_RUNTIME_API_H
#define VX_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#if defined(__CUDA__) && defined(__cplusplus)

extern "C" {
__device__ void *__vx_launch_buffer(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
__device__ int __vx_launch_kernel(const void *kernel, void *arguments, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, unsigned, unsigned, const void *stream);
__device__ int __vx_launch_copy(const void *operation, unsigned kind, const void *stream);
__device__ int __vx_launch_error(unsigned forget);
__device__ int __vx_launch_note_error(unsigned error);
__device__ void *__vx_launch_handle();
__device__ int __vx_launch_check_handle(const void *handle, unsigned made);
__device__ const char *__vx_launch_error_text(int error, unsigned text);
__device__ int __vx_launch_attribute(unsigned attribute);
__device__ unsigned long __vx_launch_limit(unsigned limit);
__device__ int __vx_launch_device(unsigned count);

// There are none of these. Known to the compiler, which says why (passes/import/Unresolved.cpp).
__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                                     const void *func,
                                                                     int blockSize,
                                                                     size_t dynamicSmemSize);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSmemSize, unsigned flags);
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
__device__ cudaGraphExec_t cudaGetCurrentGraphExec(void);
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

#define VX_CALL static __device__ __forceinline__ __attribute__((__nodebug__))

// What clang makes of k<<<…>>>(…): these two, by their names.
VX_CALL void *cudaGetParameterBuffer(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size) {
  return __vx_launch_buffer(alignment, size);
}
VX_CALL cudaError_t cudaLaunchDevice(void *func, void *parameterBuffer, dim3 gridDimension,
                                     dim3 blockDimension, unsigned sharedMemSize,
                                     cudaStream_t stream) {
  return (cudaError_t)__vx_launch_kernel(func, parameterBuffer, gridDimension.x, gridDimension.y,
                                         gridDimension.z, blockDimension.x, blockDimension.y,
                                         blockDimension.z, sharedMemSize, stream);
}

// Header libraries wait for children with this one to debug them.
VX_CALL cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void) {
  return (cudaError_t)__vx_launch_note_error(cudaErrorNotSupported);
}

// A grid starts when those before it have ended.
VX_CALL void cudaTriggerProgrammaticLaunchCompletion(void) {
  asm volatile("griddepcontrol.launch_dependents;");
}
VX_CALL void cudaGridDependencySynchronize(void) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

VX_CALL cudaError_t cudaGetLastError(void) { return (cudaError_t)__vx_launch_error(1); }
VX_CALL cudaError_t cudaPeekAtLastError(void) { return (cudaError_t)__vx_launch_error(0); }
VX_CALL const char *cudaGetErrorName(cudaError_t error) { return __vx_launch_error_text(error, 0); }
VX_CALL const char *cudaGetErrorString(cudaError_t error) {
  return __vx_launch_error_text(error, 1);
}

// --- The device ---

VX_CALL cudaError_t cudaGetDevice(int *device) {
  *device = __vx_launch_device(0);
  return cudaSuccess;
}
VX_CALL cudaError_t cudaGetDeviceCount(int *count) {
  *count = __vx_launch_device(1);
  return cudaSuccess;
}
VX_CALL cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) {
  *runtimeVersion = CUDART_VERSION;
  return cudaSuccess;
}
VX_CALL cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  if (device != __vx_launch_device(0))
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidDevice);
  *value = __vx_launch_attribute((unsigned)attr);
  return cudaSuccess;
}
VX_CALL cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  unsigned long found = __vx_launch_limit((unsigned)limit);
  if (found == ~0ul)
    return (cudaError_t)__vx_launch_note_error(cudaErrorUnsupportedLimit);
  *value = found;
  return cudaSuccess;
}
VX_CALL cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
VX_CALL cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
  // KernelHandle: magic, threads, dynamic and static shared memory, constants, stack, registers.
  const unsigned *handle = (const unsigned *)func;
  if (!handle || handle[0] != 0x4B485856u)
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidDeviceFunction);
  __builtin_memset(attr, 0, sizeof *attr);
  attr->maxThreadsPerBlock = handle[1] ? (int)handle[1] : 1024;
  attr->maxDynamicSharedSizeBytes = (int)handle[2];
  attr->sharedSizeBytes = handle[3];
  attr->constSizeBytes = handle[4];
  attr->localSizeBytes = handle[5];
  attr->numRegs = (int)handle[6];
  attr->ptxVersion = attr->binaryVersion = 80;
  return cudaSuccess;
}

// --- Streams and events ---

VX_CALL cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  if (flags > cudaStreamNonBlocking) // GPUs take cudaStreamDefault for it
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidValue);
  *stream = (cudaStream_t)__vx_launch_handle();
  return cudaSuccess;
}
VX_CALL cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return (cudaError_t)__vx_launch_check_handle(stream, 1);
}
VX_CALL cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  if (flags != cudaEventDisableTiming)
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidValue);
  *event = (cudaEvent_t)__vx_launch_handle();
  return cudaSuccess;
}
VX_CALL cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return (cudaError_t)__vx_launch_check_handle(event, 1);
}
// Work runs in the order in which it was queued, so each event has happened by the time that work
// queued later runs.
VX_CALL cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
  int error = __vx_launch_check_handle(event, 1);
  return (cudaError_t)(error ? error : __vx_launch_check_handle(stream, 0));
}
VX_CALL cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                             unsigned = 0) {
  return cudaEventRecord(event, stream);
}
VX_CALL cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
  return cudaEventRecord(event, stream);
}

// --- Memory ---

VX_CALL cudaError_t cudaMalloc(void **devPtr, size_t size) {
  *devPtr = size ? malloc(size) : nullptr;
  bool failed = size && !*devPtr;
  return failed ? (cudaError_t)__vx_launch_note_error(cudaErrorMemoryAllocation) : cudaSuccess;
}
VX_CALL cudaError_t cudaFree(void *devPtr) {
  free(devPtr);
  return cudaSuccess;
}

struct __vx_copy_operation { // CopyOperation, intrinsics/abi/DeviceLaunch.h
  unsigned long destination, destinationPitch, destinationHeight;
  unsigned long source, sourcePitch, sourceHeight;
  unsigned long width, rows, slices;
};

VX_CALL cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                      size_t width, size_t height, enum cudaMemcpyKind,
                                      cudaStream_t stream = 0) {
  if (width > dpitch || width > spitch)
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidPitchValue);
  __vx_copy_operation o = {
      (unsigned long)dst, dpitch, height, (unsigned long)src, spitch, height, width, height, 1};
  return (cudaError_t)__vx_launch_copy(&o, 1, stream);
}
VX_CALL cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                    enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return cudaMemcpy2DAsync(dst, count, src, count, count, 1, kind, stream);
}
VX_CALL cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream = 0) {
  if (p->srcArray || p->dstArray)
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidValue);
  const cudaPitchedPtr &d = p->dstPtr, &s = p->srcPtr;
  __vx_copy_operation o = {
      (unsigned long)d.ptr + (p->dstPos.z * d.ysize + p->dstPos.y) * d.pitch + p->dstPos.x,
      d.pitch,
      d.ysize,
      (unsigned long)s.ptr + (p->srcPos.z * s.ysize + p->srcPos.y) * s.pitch + p->srcPos.x,
      s.pitch,
      s.ysize,
      p->extent.width,
      p->extent.height,
      p->extent.depth};
  return (cudaError_t)__vx_launch_copy(&o, 1, stream);
}
VX_CALL cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                      cudaStream_t stream = 0) {
  __vx_copy_operation o = {
      (unsigned long)to.ptr, to.pitch,      to.ysize,    (unsigned long)(unsigned char)value, 0, 0,
      extent.width,          extent.height, extent.depth};
  return (cudaError_t)__vx_launch_copy(&o, 2, stream);
}
VX_CALL cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
                                      size_t height, cudaStream_t stream = 0) {
  if (width > pitch)
    return (cudaError_t)__vx_launch_note_error(cudaErrorInvalidPitchValue);
  return cudaMemset3DAsync({devPtr, pitch, width, height}, value, {width, height, 1}, stream);
}
VX_CALL cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                                    cudaStream_t stream = 0) {
  return cudaMemset2DAsync(devPtr, count, value, count, 1, stream);
}
} // extern "C"

// The two for kernels by their names, under the names of the functions above.
template <typename T>
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *numBlocks, T func, int blockSize,
    size_t dynamicSmemSize) __asm__("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
template <typename T>
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSmemSize,
    unsigned flags) __asm__("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
template <typename T> VX_CALL cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return cudaMalloc((void **)devPtr, size);
}
template <typename T>
VX_CALL cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func) {
  return cudaFuncGetAttributes(attr, (const void *)func);
}

#undef VX_CALL

#endif // __CUDA__ && __cplusplus

#endif // VX_CUDA_DEVICE_RUNTIME_API_H
