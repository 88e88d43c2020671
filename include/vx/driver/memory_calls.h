// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API: memory, and what belongs to graphics.

#ifndef VX_CUDA_CU_MEMORY_CALLS_H
#define VX_CUDA_CU_MEMORY_CALLS_H

#include "vx/driver/memory.h"
#include "vx/driver/versions.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Virtual memory, pools and multicast. */
extern CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);
extern CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev);
extern CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev);
extern CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr dptr, size_t size,
                                              CUmemRangeHandleType handleType,
                                              unsigned long long flags);
extern CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment,
                                    CUdeviceptr addr, unsigned long long flags);
extern CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size);
extern CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                            const CUmemAllocationProp *prop, unsigned long long flags);
extern CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
extern CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                         CUmemGenericAllocationHandle handle, unsigned long long flags);
extern CUresult cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList, unsigned int count,
                                   CUstream hStream);
extern CUresult cuMemUnmap(CUdeviceptr ptr, size_t size);
extern CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc,
                               size_t count);
extern CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                               CUdeviceptr ptr);
extern CUresult cuMemExportToShareableHandle(void *shareableHandle,
                                             CUmemGenericAllocationHandle handle,
                                             CUmemAllocationHandleType handleType,
                                             unsigned long long flags);
extern CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                               CUmemAllocationHandleType shHandleType);
extern CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                              CUmemAllocationGranularity_flags option);
extern CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                       CUmemGenericAllocationHandle handle);
extern CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr);
extern CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);
extern CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);
extern CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);
extern CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);
extern CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);
extern CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count);
extern CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
                                   CUmemLocation *location);
extern CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);
extern CUresult cuMemPoolDestroy(CUmemoryPool pool);
extern CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
                                        CUstream hStream);
extern CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
                                                 CUmemAllocationHandleType handleType,
                                                 unsigned long long flags);
extern CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
                                                   CUmemAllocationHandleType handleType,
                                                   unsigned long long flags);
extern CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr);
extern CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
                                       CUmemPoolPtrExportData *shareData);
extern CUresult cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle,
                                  const CUmulticastObjectProp *prop);
extern CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice dev);
extern CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
                                   CUmemGenericAllocationHandle memHandle, size_t memOffset,
                                   size_t size, unsigned long long flags);
extern CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
                                    CUdeviceptr memptr, size_t size, unsigned long long flags);
extern CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev,
                                  size_t mcOffset, size_t size);
extern CUresult cuMulticastGetGranularity(size_t *granularity, const CUmulticastObjectProp *prop,
                                          CUmulticastGranularity_flags option);

/* Copies and fills. */
extern CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
extern CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                             CUcontext srcContext, size_t ByteCount);
extern CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);
extern CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);
extern CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);
extern CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                             size_t ByteCount);
extern CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                             size_t ByteCount);
extern CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost,
                             size_t ByteCount);
extern CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);
extern CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                             size_t ByteCount);
extern CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy);
extern CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy);
extern CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy);
extern CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy);
extern CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);
extern CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                                  CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
                                  CUstream hStream);
extern CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                                  CUstream hStream);
extern CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                  CUstream hStream);
extern CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                                  CUstream hStream);
extern CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost,
                                  size_t ByteCount, CUstream hStream);
extern CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset,
                                  size_t ByteCount, CUstream hStream);
extern CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream);
extern CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream);
extern CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream);
extern CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N);
extern CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N);
extern CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N);
extern CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                             size_t Height);
extern CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                              size_t Width, size_t Height);
extern CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                              size_t Height);
extern CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                CUstream hStream);
extern CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                 CUstream hStream);
extern CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                 CUstream hStream);
extern CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                  size_t Width, size_t Height, CUstream hStream);
extern CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                   size_t Width, size_t Height, CUstream hStream);
extern CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                   size_t Width, size_t Height, CUstream hStream);

/* Memory, pointers and interprocess handles. */
extern CUresult cuMemGetInfo(size_t *free, size_t *total);
extern CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize);
extern CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes,
                                size_t Height, unsigned int ElementSizeBytes);
extern CUresult cuMemFree(CUdeviceptr dptr);
extern CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr);
extern CUresult cuMemAllocHost(void **pp, size_t bytesize);
extern CUresult cuMemFreeHost(void *p);
extern CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);
extern CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags);
extern CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p);
extern CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags);
extern CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);
extern CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);
extern CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);
extern CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);
extern CUresult cuIpcCloseMemHandle(CUdeviceptr dptr);
extern CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);
extern CUresult cuMemHostUnregister(void *p);
extern CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);
extern CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                   CUstream hStream);
extern CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                                      unsigned int flags, CUstream hStream);
extern CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);
extern CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                               CUmemLocation location);
extern CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
                                       CUdeviceptr devPtr, size_t count);
extern CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes,
                                        CUmem_range_attribute *attributes, size_t numAttributes,
                                        CUdeviceptr devPtr, size_t count);
extern CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                                      CUdeviceptr ptr);
extern CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
                                       void **data, CUdeviceptr ptr);

/* External memory and semaphores, graphics. */
extern CUresult cuImportExternalMemory(CUexternalMemory *extMem_out,
                                       const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc);
extern CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
                                                const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc);
extern CUresult cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray *mipmap, CUexternalMemory extMem,
    const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc);
extern CUresult cuDestroyExternalMemory(CUexternalMemory extMem);
extern CUresult cuImportExternalSemaphore(CUexternalSemaphore *extSem_out,
                                          const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc);
extern CUresult
cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray,
                                unsigned int numExtSems, CUstream stream);
extern CUresult
cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                              const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray,
                              unsigned int numExtSems, CUstream stream);
extern CUresult cuDestroyExternalSemaphore(CUexternalSemaphore extSem);
extern CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);
extern CUresult cuGraphicsSubResourceGetMappedArray(CUarray *pArray, CUgraphicsResource resource,
                                                    unsigned int arrayIndex, unsigned int mipLevel);
extern CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *pMipmappedArray,
                                                          CUgraphicsResource resource);
extern CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *pDevPtr, size_t *pSize,
                                                   CUgraphicsResource resource);
extern CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);
extern CUresult cuGraphicsMapResources(unsigned int count, CUgraphicsResource *resources,
                                       CUstream hStream);
extern CUresult cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource *resources,
                                         CUstream hStream);

/* Arrays, textures and surfaces. */
extern CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray);
extern CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray);
extern CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                                           CUarray array);
extern CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                                                    CUmipmappedArray mipmap);
extern CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                                             CUarray array, CUdevice device);
extern CUresult
cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                                      CUmipmappedArray mipmap, CUdevice device);
extern CUresult cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray, unsigned int planeIdx);
extern CUresult cuArrayDestroy(CUarray hArray);
extern CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray);
extern CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray);
extern CUresult cuMipmappedArrayCreate(CUmipmappedArray *pHandle,
                                       const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                       unsigned int numMipmapLevels);
extern CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray,
                                         unsigned int level);
extern CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray);
extern CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);
extern CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray,
                                          unsigned int Flags);
extern CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr,
                                   size_t bytes);
extern CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc,
                                     CUdeviceptr dptr, size_t Pitch);
extern CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents);
extern CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);
extern CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);
extern CUresult cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);
extern CUresult cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);
extern CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp,
                                            float maxMipmapLevelClamp);
extern CUresult cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);
extern CUresult cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor);
extern CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);
extern CUresult cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef);
extern CUresult cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef);
extern CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef);
extern CUresult cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim);
extern CUresult cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
extern CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef);
extern CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef);
extern CUresult cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef);
extern CUresult cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp,
                                            float *pmaxMipmapLevelClamp, CUtexref hTexRef);
extern CUresult cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef);
extern CUresult cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef);
extern CUresult cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef);
extern CUresult cuTexRefCreate(CUtexref *pTexRef);
extern CUresult cuTexRefDestroy(CUtexref hTexRef);
extern CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);
extern CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef);
extern CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                                  const CUDA_TEXTURE_DESC *pTexDesc,
                                  const CUDA_RESOURCE_VIEW_DESC *pResViewDesc);
extern CUresult cuTexObjectDestroy(CUtexObject texObject);
extern CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject);
extern CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject);
extern CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc,
                                               CUtexObject texObject);
extern CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc);
extern CUresult cuSurfObjectDestroy(CUsurfObject surfObject);
extern CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject);
extern CUresult cuTensorMapEncodeTiled(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
                                       cuuint32_t tensorRank, void *globalAddress,
                                       const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
                                       const cuuint32_t *boxDim, const cuuint32_t *elementStrides,
                                       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                       CUtensorMapL2promotion l2Promotion,
                                       CUtensorMapFloatOOBfill oobFill);
extern CUresult
cuTensorMapEncodeIm2col(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
                        cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
                        const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner,
                        const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
                        cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
                        CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                        CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
extern CUresult cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // VX_CUDA_CU_MEMORY_CALLS_H
