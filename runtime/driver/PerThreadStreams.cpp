// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/PerThreadStreams.h"
#include "runtime/api/Api.h"

namespace {

/// Calls FUNCTION with the thread's own stream in the place of stream 0.
template <typename... Parameters>
CUresult onThreadStream(CUresult (*function)(Parameters...), Parameters... arguments) {
  bool before = vx::rt::callMode.perThreadStreams;
  vx::rt::callMode.perThreadStreams = true;
  CUresult result = function(arguments...);
  vx::rt::callMode.perThreadStreams = before;
  return result;
}

} // namespace

#define VX_CU_PER_THREAD(name, function, parameters, ...)                                          \
  extern "C" CUresult name parameters {                                                            \
    return onThreadStream(function, __VA_ARGS__);                                                  \
  }

VX_CU_PER_THREAD(cuMemcpy_ptds, cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), dst,
                 src, ByteCount)
VX_CU_PER_THREAD(cuMemcpyPeer_ptds, cuMemcpyPeer,
                 (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                  CUcontext srcContext, size_t ByteCount),
                 dstDevice, dstContext, srcDevice, srcContext, ByteCount)
VX_CU_PER_THREAD(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD,
                 (CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount), dstDevice, srcHost,
                 ByteCount)
VX_CU_PER_THREAD(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH,
                 (void *dstHost, CUdeviceptr srcDevice, size_t ByteCount), dstHost, srcDevice,
                 ByteCount)
VX_CU_PER_THREAD(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD,
                 (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount), dstDevice,
                 srcDevice, ByteCount)
VX_CU_PER_THREAD(cuMemcpyDtoA_v2_ptds, cuMemcpyDtoA,
                 (CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount),
                 dstArray, dstOffset, srcDevice, ByteCount)
VX_CU_PER_THREAD(cuMemcpyAtoD_v2_ptds, cuMemcpyAtoD,
                 (CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                 dstDevice, srcArray, srcOffset, ByteCount)
VX_CU_PER_THREAD(cuMemcpyHtoA_v2_ptds, cuMemcpyHtoA,
                 (CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount),
                 dstArray, dstOffset, srcHost, ByteCount)
VX_CU_PER_THREAD(cuMemcpyAtoH_v2_ptds, cuMemcpyAtoH,
                 (void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount), dstHost,
                 srcArray, srcOffset, ByteCount)
VX_CU_PER_THREAD(cuMemcpyAtoA_v2_ptds, cuMemcpyAtoA,
                 (CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                  size_t ByteCount),
                 dstArray, dstOffset, srcArray, srcOffset, ByteCount)
VX_CU_PER_THREAD(cuMemcpy2D_v2_ptds, cuMemcpy2D, (const CUDA_MEMCPY2D *pCopy), pCopy)
VX_CU_PER_THREAD(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2DUnaligned, (const CUDA_MEMCPY2D *pCopy),
                 pCopy)
VX_CU_PER_THREAD(cuMemcpy3D_v2_ptds, cuMemcpy3D, (const CUDA_MEMCPY3D *pCopy), pCopy)
VX_CU_PER_THREAD(cuMemcpy3DPeer_ptds, cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *pCopy), pCopy)
VX_CU_PER_THREAD(cuMemcpyAsync_ptsz, cuMemcpyAsync,
                 (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream), dst, src,
                 ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync,
                 (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                  CUcontext srcContext, size_t ByteCount, CUstream hStream),
                 dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync,
                 (CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream),
                 dstDevice, srcHost, ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync,
                 (void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
                 dstHost, srcDevice, ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync,
                 (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
                 dstDevice, srcDevice, ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpyHtoAAsync_v2_ptsz, cuMemcpyHtoAAsync,
                 (CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                  CUstream hStream),
                 dstArray, dstOffset, srcHost, ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpyAtoHAsync_v2_ptsz, cuMemcpyAtoHAsync,
                 (void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                  CUstream hStream),
                 dstHost, srcArray, srcOffset, ByteCount, hStream)
VX_CU_PER_THREAD(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync,
                 (const CUDA_MEMCPY2D *pCopy, CUstream hStream), pCopy, hStream)
VX_CU_PER_THREAD(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync,
                 (const CUDA_MEMCPY3D *pCopy, CUstream hStream), pCopy, hStream)
VX_CU_PER_THREAD(cuMemcpy3DPeerAsync_ptsz, cuMemcpy3DPeerAsync,
                 (const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream), pCopy, hStream)
VX_CU_PER_THREAD(cuMemsetD8_v2_ptds, cuMemsetD8,
                 (CUdeviceptr dstDevice, unsigned char uc, size_t N), dstDevice, uc, N)
VX_CU_PER_THREAD(cuMemsetD16_v2_ptds, cuMemsetD16,
                 (CUdeviceptr dstDevice, unsigned short us, size_t N), dstDevice, us, N)
VX_CU_PER_THREAD(cuMemsetD32_v2_ptds, cuMemsetD32,
                 (CUdeviceptr dstDevice, unsigned int ui, size_t N), dstDevice, ui, N)
VX_CU_PER_THREAD(cuMemsetD2D8_v2_ptds, cuMemsetD2D8,
                 (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                  size_t Height),
                 dstDevice, dstPitch, uc, Width, Height)
VX_CU_PER_THREAD(cuMemsetD2D16_v2_ptds, cuMemsetD2D16,
                 (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                  size_t Height),
                 dstDevice, dstPitch, us, Width, Height)
VX_CU_PER_THREAD(cuMemsetD2D32_v2_ptds, cuMemsetD2D32,
                 (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                  size_t Height),
                 dstDevice, dstPitch, ui, Width, Height)
VX_CU_PER_THREAD(cuMemsetD8Async_ptsz, cuMemsetD8Async,
                 (CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream), dstDevice,
                 uc, N, hStream)
VX_CU_PER_THREAD(cuMemsetD16Async_ptsz, cuMemsetD16Async,
                 (CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream), dstDevice,
                 us, N, hStream)
VX_CU_PER_THREAD(cuMemsetD32Async_ptsz, cuMemsetD32Async,
                 (CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream), dstDevice,
                 ui, N, hStream)
VX_CU_PER_THREAD(cuMemsetD2D8Async_ptsz, cuMemsetD2D8Async,
                 (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                  size_t Height, CUstream hStream),
                 dstDevice, dstPitch, uc, Width, Height, hStream)
VX_CU_PER_THREAD(cuMemsetD2D16Async_ptsz, cuMemsetD2D16Async,
                 (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                  size_t Height, CUstream hStream),
                 dstDevice, dstPitch, us, Width, Height, hStream)
VX_CU_PER_THREAD(cuMemsetD2D32Async_ptsz, cuMemsetD2D32Async,
                 (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                  size_t Height, CUstream hStream),
                 dstDevice, dstPitch, ui, Width, Height, hStream)
VX_CU_PER_THREAD(cuMemMapArrayAsync_ptsz, cuMemMapArrayAsync,
                 (CUarrayMapInfo * mapInfoList, unsigned int count, CUstream hStream), mapInfoList,
                 count, hStream)
VX_CU_PER_THREAD(cuMemFreeAsync_ptsz, cuMemFreeAsync, (CUdeviceptr dptr, CUstream hStream), dptr,
                 hStream)
VX_CU_PER_THREAD(cuMemAllocAsync_ptsz, cuMemAllocAsync,
                 (CUdeviceptr * dptr, size_t bytesize, CUstream hStream), dptr, bytesize, hStream)
VX_CU_PER_THREAD(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync,
                 (CUdeviceptr * dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream), dptr,
                 bytesize, pool, hStream)
VX_CU_PER_THREAD(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync,
                 (CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream), devPtr,
                 count, dstDevice, hStream)
VX_CU_PER_THREAD(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync_v2,
                 (CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                  CUstream hStream),
                 devPtr, count, location, flags, hStream)
VX_CU_PER_THREAD(cuStreamGetPriority_ptsz, cuStreamGetPriority, (CUstream hStream, int *priority),
                 hStream, priority)
VX_CU_PER_THREAD(cuStreamGetFlags_ptsz, cuStreamGetFlags, (CUstream hStream, unsigned int *flags),
                 hStream, flags)
VX_CU_PER_THREAD(cuStreamGetId_ptsz, cuStreamGetId,
                 (CUstream hStream, unsigned long long *streamId), hStream, streamId)
VX_CU_PER_THREAD(cuStreamGetCtx_ptsz, cuStreamGetCtx, (CUstream hStream, CUcontext *pctx), hStream,
                 pctx)
VX_CU_PER_THREAD(cuStreamWaitEvent_ptsz, cuStreamWaitEvent,
                 (CUstream hStream, CUevent hEvent, unsigned int Flags), hStream, hEvent, Flags)
VX_CU_PER_THREAD(cuStreamAddCallback_ptsz, cuStreamAddCallback,
                 (CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags),
                 hStream, callback, userData, flags)
VX_CU_PER_THREAD(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture,
                 (CUstream hStream, CUstreamCaptureMode mode), hStream, mode)
VX_CU_PER_THREAD(cuStreamBeginCaptureToGraph_ptsz, cuStreamBeginCaptureToGraph,
                 (CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                  const CUgraphEdgeData *dependencyData, size_t numDependencies,
                  CUstreamCaptureMode mode),
                 hStream, hGraph, dependencies, dependencyData, numDependencies, mode)
VX_CU_PER_THREAD(cuStreamEndCapture_ptsz, cuStreamEndCapture, (CUstream hStream, CUgraph *phGraph),
                 hStream, phGraph)
VX_CU_PER_THREAD(cuStreamIsCapturing_ptsz, cuStreamIsCapturing,
                 (CUstream hStream, CUstreamCaptureStatus *captureStatus), hStream, captureStatus)
VX_CU_PER_THREAD(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo,
                 (CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                  CUgraph *graph_out, const CUgraphNode **dependencies_out,
                  size_t *numDependencies_out),
                 hStream, captureStatus_out, id_out, graph_out, dependencies_out,
                 numDependencies_out)
VX_CU_PER_THREAD(cuStreamGetCaptureInfo_v3_ptsz, cuStreamGetCaptureInfo_v3,
                 (CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                  CUgraph *graph_out, const CUgraphNode **dependencies_out,
                  const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out),
                 hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                 numDependencies_out)
VX_CU_PER_THREAD(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies,
                 (CUstream hStream, CUgraphNode *dependencies, size_t numDependencies,
                  unsigned int flags),
                 hStream, dependencies, numDependencies, flags)
VX_CU_PER_THREAD(cuStreamUpdateCaptureDependencies_v2_ptsz, cuStreamUpdateCaptureDependencies_v2,
                 (CUstream hStream, CUgraphNode *dependencies,
                  const CUgraphEdgeData *dependencyData, size_t numDependencies,
                  unsigned int flags),
                 hStream, dependencies, dependencyData, numDependencies, flags)
VX_CU_PER_THREAD(cuStreamAttachMemAsync_ptsz, cuStreamAttachMemAsync,
                 (CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags), hStream,
                 dptr, length, flags)
VX_CU_PER_THREAD(cuStreamQuery_ptsz, cuStreamQuery, (CUstream hStream), hStream)
VX_CU_PER_THREAD(cuStreamSynchronize_ptsz, cuStreamSynchronize, (CUstream hStream), hStream)
VX_CU_PER_THREAD(cuStreamCopyAttributes_ptsz, cuStreamCopyAttributes, (CUstream dst, CUstream src),
                 dst, src)
VX_CU_PER_THREAD(cuStreamGetAttribute_ptsz, cuStreamGetAttribute,
                 (CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out), hStream,
                 attr, value_out)
VX_CU_PER_THREAD(cuStreamSetAttribute_ptsz, cuStreamSetAttribute,
                 (CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value), hStream,
                 attr, value)
VX_CU_PER_THREAD(cuEventRecord_ptsz, cuEventRecord, (CUevent hEvent, CUstream hStream), hEvent,
                 hStream)
VX_CU_PER_THREAD(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags,
                 (CUevent hEvent, CUstream hStream, unsigned int flags), hEvent, hStream, flags)
VX_CU_PER_THREAD(cuSignalExternalSemaphoresAsync_ptsz, cuSignalExternalSemaphoresAsync,
                 (const CUexternalSemaphore *extSemArray,
                  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray, unsigned int numExtSems,
                  CUstream stream),
                 extSemArray, paramsArray, numExtSems, stream)
VX_CU_PER_THREAD(cuWaitExternalSemaphoresAsync_ptsz, cuWaitExternalSemaphoresAsync,
                 (const CUexternalSemaphore *extSemArray,
                  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray, unsigned int numExtSems,
                  CUstream stream),
                 extSemArray, paramsArray, numExtSems, stream)
VX_CU_PER_THREAD(cuStreamWaitValue32_v2_ptsz, cuStreamWaitValue32,
                 (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags), stream,
                 addr, value, flags)
VX_CU_PER_THREAD(cuStreamWaitValue64_v2_ptsz, cuStreamWaitValue64,
                 (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags), stream,
                 addr, value, flags)
VX_CU_PER_THREAD(cuStreamWriteValue32_v2_ptsz, cuStreamWriteValue32,
                 (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags), stream,
                 addr, value, flags)
VX_CU_PER_THREAD(cuStreamWriteValue64_v2_ptsz, cuStreamWriteValue64,
                 (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags), stream,
                 addr, value, flags)
VX_CU_PER_THREAD(cuStreamBatchMemOp_v2_ptsz, cuStreamBatchMemOp,
                 (CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                  unsigned int flags),
                 stream, count, paramArray, flags)
VX_CU_PER_THREAD(cuLaunchKernel_ptsz, cuLaunchKernel,
                 (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                  unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                  unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra),
                 f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes,
                 hStream, kernelParams, extra)
VX_CU_PER_THREAD(cuLaunchKernelEx_ptsz, cuLaunchKernelEx,
                 (const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra),
                 config, f, kernelParams, extra)
VX_CU_PER_THREAD(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel,
                 (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                  unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                  unsigned int sharedMemBytes, CUstream hStream, void **kernelParams),
                 f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes,
                 hStream, kernelParams)
VX_CU_PER_THREAD(cuLaunchHostFunc_ptsz, cuLaunchHostFunc,
                 (CUstream hStream, CUhostFn fn, void *userData), hStream, fn, userData)
VX_CU_PER_THREAD(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams,
                 (CUgraphExec * phGraphExec, CUgraph hGraph,
                  CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams),
                 phGraphExec, hGraph, instantiateParams)
VX_CU_PER_THREAD(cuGraphUpload_ptsz, cuGraphUpload, (CUgraphExec hGraphExec, CUstream hStream),
                 hGraphExec, hStream)
VX_CU_PER_THREAD(cuGraphLaunch_ptsz, cuGraphLaunch, (CUgraphExec hGraphExec, CUstream hStream),
                 hGraphExec, hStream)
VX_CU_PER_THREAD(cuGraphicsMapResources_ptsz, cuGraphicsMapResources,
                 (unsigned int count, CUgraphicsResource *resources, CUstream hStream), count,
                 resources, hStream)
VX_CU_PER_THREAD(cuGraphicsUnmapResources_ptsz, cuGraphicsUnmapResources,
                 (unsigned int count, CUgraphicsResource *resources, CUstream hStream), count,
                 resources, hStream)
