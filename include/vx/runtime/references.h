// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture references, which CUDA had up to version 11: the part of the host. Programs get them with
// -DVX_TEXTURE_REFERENCES (docs/user/textures.md).

#ifndef VX_RT_REFERENCES_H
#define VX_RT_REFERENCES_H

#include "cuda_runtime_api.h"

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int reserved[14];
};

#if defined(__cplusplus)
extern "C" {
#endif

extern cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref,
                                   const void *devPtr, const struct cudaChannelFormatDesc *desc,
                                   size_t size);
extern cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref,
                                     const void *devPtr, const struct cudaChannelFormatDesc *desc,
                                     size_t width, size_t height, size_t pitch);
extern cudaError_t cudaBindTextureToArray(const struct textureReference *texref,
                                          cudaArray_const_t array,
                                          const struct cudaChannelFormatDesc *desc);
extern cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                                   cudaMipmappedArray_const_t mipmappedArray,
                                                   const struct cudaChannelFormatDesc *desc);
extern cudaError_t cudaUnbindTexture(const struct textureReference *texref);
extern cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                                 const struct textureReference *texref);
extern cudaError_t cudaGetTextureReference(const struct textureReference **texref,
                                           const void *symbol);
extern void __cudaRegisterTexture(void **fatCubinHandle, const struct textureReference *hostVar,
                                  const void **deviceAddress, const char *deviceName, int dim,
                                  int norm, int ext);

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // VX_RT_REFERENCES_H
