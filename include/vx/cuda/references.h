// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture references, which CUDA had up to version 11: texture<T, type, mode>, its fetches and the
// functions that bind it. On the device a reference is the handle of a texture object.

#ifndef VX_CUDA_REFERENCES_H
#define VX_CUDA_REFERENCES_H

#include "channel_descriptor.h"
#include "vx/cuda/textures.h"
#include "vx/runtime/references.h"

template <class T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
          struct cudaChannelFormatDesc desc)
      : textureReference() {
    normalized = norm;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};

namespace vx_texture {
/// The result of a fetch from a reference: the element, or as many numbers.
template <class T, cudaTextureReadMode> struct Result {
  typedef T type;
};
template <int> struct Numbers;
template <> struct Numbers<1> {
  typedef float type;
};
template <> struct Numbers<2> {
  typedef float2 type;
};
template <> struct Numbers<4> {
  typedef float4 type;
};
template <class T> struct Result<T, cudaReadModeNormalizedFloat> {
  typedef typename Numbers<vx_detail::Channels<T>::number>::type type;
};
template <class Texture> static __device__ __forceinline__ Handle handleOf(const Texture &t) {
  return *reinterpret_cast<const Handle *>(&t);
}
} // namespace vx_texture

#define VX_LIST(...) __VA_ARGS__
#define VX_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)                                            \
  template <class T, cudaTextureReadMode Mode>                                                     \
  static __device__ __forceinline__ typename vx_texture::Result<T, Mode>::type NAME(               \
      texture<T, TYPE, Mode> t, VX_LIST PARAMETERS) {                                              \
    return NAME<typename vx_texture::Result<T, Mode>::type>(vx_texture::handleOf(t),               \
                                                            VX_LIST ARGUMENTS);                    \
  }
VX_REFERENCE(tex1Dfetch, cudaTextureType1D, (int x), (x))
VX_REFERENCE(tex1D, cudaTextureType1D, (float x), (x))
VX_REFERENCE(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
VX_REFERENCE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
VX_REFERENCE(tex2D, cudaTextureType2D, (float x, float y), (x, y))
VX_REFERENCE(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))
VX_REFERENCE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
VX_REFERENCE(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
VX_REFERENCE(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level),
             (x, y, z, level))
VX_REFERENCE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
VX_REFERENCE(texCubemapLayered, cudaTextureTypeCubemapLayered,
             (float x, float y, float z, int layer), (x, y, z, layer))
#undef VX_REFERENCE
#undef VX_LIST

template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, Type, Mode> &t,
                                          const void *devPtr, const cudaChannelFormatDesc &desc,
                                          size_t size = 0xffffffff) {
  return ::cudaBindTexture(offset, &t, devPtr, &desc, size);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, Type, Mode> &t,
                                          const void *devPtr, size_t size = 0xffffffff) {
  return ::cudaBindTexture(offset, &t, devPtr, &t.channelDesc, size);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, Type, Mode> &t,
                                            const void *devPtr, const cudaChannelFormatDesc &desc,
                                            size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &t, devPtr, &desc, width, height, pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, Type, Mode> &t,
                                            const void *devPtr, size_t width, size_t height,
                                            size_t pitch) {
  return ::cudaBindTexture2D(offset, &t, devPtr, &t.channelDesc, width, height, pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, Type, Mode> &t,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToArray(&t, array, &desc);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, Type, Mode> &t,
                                                 cudaArray_const_t array) {
  return ::cudaBindTextureToArray(&t, array, &t.channelDesc);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, Type, Mode> &t) {
  return ::cudaUnbindTexture(&t);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                                        const texture<T, Type, Mode> &t) {
  return ::cudaGetTextureAlignmentOffset(offset, &t);
}

#endif // VX_CUDA_REFERENCES_H
