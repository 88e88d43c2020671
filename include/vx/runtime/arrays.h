// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the runtime API about arrays, textures and surfaces. cuda_runtime_api.h includes it.

#ifndef VX_RT_ARRAYS_H
#define VX_RT_ARRAYS_H

#include "surface_types.h"
#include "texture_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

extern struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind f);

extern cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                   size_t width, size_t height VX_DEFAULT(0),
                                   unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc,
                                            struct cudaExtent extent, unsigned int numLevels,
                                            unsigned int flags VX_DEFAULT(0));
extern cudaError_t cudaFreeArray(cudaArray_t array);
extern cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);
extern cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                              cudaMipmappedArray_const_t mipmappedArray,
                                              unsigned int level);
extern cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                    unsigned int *flags, cudaArray_t array);
extern cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
extern cudaError_t cudaArrayGetPlane(cudaArray_t *planeArray, cudaArray_t array,
                                     unsigned int planeIdx);
extern cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                cudaArray_t array);
extern cudaError_t
cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                      cudaMipmappedArray_t mipmap);
extern cudaError_t
cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
                               cudaArray_t array, int device);
extern cudaError_t
cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
                                        cudaMipmappedArray_t mipmap, int device);

extern cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void *src, size_t count, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                          const void *src, size_t count, enum cudaMemcpyKind kind,
                                          cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t count, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset,
                                            size_t hOffset, size_t count, enum cudaMemcpyKind kind,
                                            cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t
cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                       size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                       enum cudaMemcpyKind kind VX_DEFAULT(cudaMemcpyDeviceToDevice));
extern cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                       const void *src, size_t spitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                            const void *src, size_t spitch, size_t width,
                                            size_t height, enum cudaMemcpyKind kind,
                                            cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src,
                                         size_t wOffset, size_t hOffset, size_t width,
                                         size_t height, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                              size_t wOffset, size_t hOffset, size_t width,
                                              size_t height, enum cudaMemcpyKind kind,
                                              cudaStream_t stream VX_DEFAULT(0));
extern cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                         cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
                         size_t height,
                         enum cudaMemcpyKind kind VX_DEFAULT(cudaMemcpyDeviceToDevice));

extern cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texObject,
                                           const struct cudaResourceDesc *resDesc,
                                           const struct cudaTextureDesc *texDesc,
                                           const struct cudaResourceViewDesc *resViewDesc);
extern cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
extern cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resDesc,
                                                    cudaTextureObject_t texObject);
extern cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texDesc,
                                                   cudaTextureObject_t texObject);
extern cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *resViewDesc,
                                                        cudaTextureObject_t texObject);
extern cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surfObject,
                                           const struct cudaResourceDesc *resDesc);
extern cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
extern cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resDesc,
                                                    cudaSurfaceObject_t surfObject);
extern cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                        const struct cudaChannelFormatDesc *fmtDesc,
                                                        int device);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // VX_RT_ARRAYS_H
