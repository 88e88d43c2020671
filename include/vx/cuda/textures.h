// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from texture objects. Sampling is a function of the device library
// (runtime/device/Textures.cpp), for as many channels as the type has that is asked for: one is
// returned, two are the halves of a word, four are written. Functions without a level of detail
// show level 0.

#ifndef VX_CUDA_TEXTURES_H
#define VX_CUDA_TEXTURES_H

#include "texture_types.h"
#include "vector_types.h"

#define VX_TEX static __device__ __forceinline__ __attribute__((__nodebug__))
#define VX_LIST(...) __VA_ARGS__

namespace vx_texture {
typedef unsigned long long Handle;
template <int> struct Count {};

template <class T> struct Channel {
  VX_TEX T of(unsigned bits) { return (T)bits; }
};
template <> struct Channel<float> {
  VX_TEX float of(unsigned bits) { return __builtin_bit_cast(float, bits); }
};

/// A type that textures give, and how it is made of what the library returns.
template <class T> struct Element;
#define VX_SCALAR(T)                                                                               \
  template <> struct Element<T> {                                                                  \
    typedef Count<1> Channels;                                                                     \
    VX_TEX T make(unsigned bits) { return Channel<T>::of(bits); }                                  \
  };
#define VX_ELEMENTS(T, NAME)                                                                       \
  VX_SCALAR(T)                                                                                     \
  template <> struct Element<NAME##1> {                                                            \
    typedef Count<1> Channels;                                                                     \
    VX_TEX NAME##1 make(unsigned bits) {                                                           \
      NAME##1 v = {Channel<T>::of(bits)};                                                          \
      return v;                                                                                    \
    }                                                                                              \
  };                                                                                               \
  template <> struct Element<NAME##2> {                                                            \
    typedef Count<2> Channels;                                                                     \
    VX_TEX NAME##2 make(unsigned long long bits) {                                                 \
      NAME##2 v = {Channel<T>::of((unsigned)bits), Channel<T>::of((unsigned)(bits >> 32))};        \
      return v;                                                                                    \
    }                                                                                              \
  };                                                                                               \
  template <> struct Element<NAME##4> {                                                            \
    typedef Count<4> Channels;                                                                     \
    VX_TEX NAME##4 make(const unsigned *bits) {                                                    \
      NAME##4 v = {Channel<T>::of(bits[0]), Channel<T>::of(bits[1]), Channel<T>::of(bits[2]),      \
                   Channel<T>::of(bits[3])};                                                       \
      return v;                                                                                    \
    }                                                                                              \
  };
VX_SCALAR(char)
VX_ELEMENTS(signed char, char)
VX_ELEMENTS(unsigned char, uchar)
VX_ELEMENTS(short, short)
VX_ELEMENTS(unsigned short, ushort)
VX_ELEMENTS(int, int)
VX_ELEMENTS(unsigned, uint)
VX_ELEMENTS(float, float)
#undef VX_ELEMENTS
#undef VX_SCALAR

// sample_NAME<T>(Handle, …): what the library's functions __vx_tex_NAME_1, _2 and _4 return.
#define VX_SAMPLE(NAME, PARAMETERS, ARGUMENTS)                                                     \
  extern "C" __device__ unsigned __vx_tex_##NAME##_1(Handle, VX_LIST PARAMETERS);                  \
  extern "C" __device__ unsigned long long __vx_tex_##NAME##_2(Handle, VX_LIST PARAMETERS);        \
  extern "C" __device__ void __vx_tex_##NAME##_4(unsigned *, Handle, VX_LIST PARAMETERS);          \
  template <class T> VX_TEX T counted_##NAME(Count<1>, Handle t, VX_LIST PARAMETERS) {             \
    return Element<T>::make(__vx_tex_##NAME##_1(t, VX_LIST ARGUMENTS));                            \
  }                                                                                                \
  template <class T> VX_TEX T counted_##NAME(Count<2>, Handle t, VX_LIST PARAMETERS) {             \
    return Element<T>::make(__vx_tex_##NAME##_2(t, VX_LIST ARGUMENTS));                            \
  }                                                                                                \
  template <class T> VX_TEX T counted_##NAME(Count<4>, Handle t, VX_LIST PARAMETERS) {             \
    unsigned bits[4];                                                                              \
    __vx_tex_##NAME##_4(bits, t, VX_LIST ARGUMENTS);                                               \
    return Element<T>::make(bits);                                                                 \
  }                                                                                                \
  template <class T> VX_TEX T sample_##NAME(Handle t, VX_LIST PARAMETERS) {                        \
    return counted_##NAME<T>(typename Element<T>::Channels(), t, VX_LIST ARGUMENTS);               \
  }
VX_SAMPLE(fetch, (int x), (x))
VX_SAMPLE(1d, (float x, int layer, float lod), (x, layer, lod))
VX_SAMPLE(2d, (float x, float y, int layer, float lod), (x, y, layer, lod))
VX_SAMPLE(3d, (float x, float y, float z, float lod), (x, y, z, lod))
VX_SAMPLE(cube, (float x, float y, float z, int layer, float lod), (x, y, z, layer, lod))
#undef VX_SAMPLE

extern "C" __device__ void __vx_tex_gather(unsigned *, Handle, float x, float y, int component);
template <class T> VX_TEX T gather(Handle t, float x, float y, int component) {
  unsigned bits[4];
  __vx_tex_gather(bits, t, x, y, component);
  return Element<T>::make(bits);
}

// The level of detail that gradients ask for.
extern "C" __device__ float __vx_tex_lod_1d(Handle, float, float);
extern "C" __device__ float __vx_tex_lod_2d(Handle, float, float, float, float);
extern "C" __device__ float __vx_tex_lod_3d(Handle, float, float, float, float, float, float);
extern "C" __device__ float __vx_tex_lod_cube(Handle, float, float, float, float, float, float,
                                              float, float, float);
VX_TEX float lod(Handle t, float dx, float dy) { return __vx_tex_lod_1d(t, dx, dy); }
VX_TEX float lod(Handle t, float2 dx, float2 dy) {
  return __vx_tex_lod_2d(t, dx.x, dx.y, dy.x, dy.y);
}
VX_TEX float lod(Handle t, float4 dx, float4 dy) {
  return __vx_tex_lod_3d(t, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z);
}
VX_TEX float lod(Handle t, float x, float y, float z, float4 dx, float4 dy) {
  return __vx_tex_lod_cube(t, x, y, z, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z);
}

/// The level of fetches that name none: the most detailed level, however it is biased.
constexpr float most = -__builtin_inff();
} // namespace vx_texture

// A function of CUDA in its two forms; those with RESIDENT say whether the texels are there, which
// they always are.
#define VX_TEXTURE(NAME, PARAMETERS, ARGUMENTS, SAMPLE, VALUES)                                    \
  template <class T> VX_TEX T NAME(cudaTextureObject_t t, VX_LIST PARAMETERS) {                    \
    return vx_texture::SAMPLE<T>(t, VX_LIST VALUES);                                               \
  }                                                                                                \
  template <class T> VX_TEX void NAME(T *out, cudaTextureObject_t t, VX_LIST PARAMETERS) {         \
    *out = NAME<T>(t, VX_LIST ARGUMENTS);                                                          \
  }
#define VX_TEXTURE_RESIDENT(NAME, PARAMETERS, ARGUMENTS, SAMPLE, VALUES)                           \
  VX_TEXTURE(NAME, PARAMETERS, ARGUMENTS, SAMPLE, VALUES)                                          \
  template <class T> VX_TEX T NAME(cudaTextureObject_t t, VX_LIST PARAMETERS, bool *resident) {    \
    *resident = true;                                                                              \
    return NAME<T>(t, VX_LIST ARGUMENTS);                                                          \
  }                                                                                                \
  template <class T>                                                                               \
  VX_TEX void NAME(T *out, cudaTextureObject_t t, VX_LIST PARAMETERS, bool *resident) {            \
    *resident = true;                                                                              \
    *out = NAME<T>(t, VX_LIST ARGUMENTS);                                                          \
  }

VX_TEXTURE(tex1Dfetch, (int x), (x), sample_fetch, (x))
VX_TEXTURE(tex1D, (float x), (x), sample_1d, (x, 0, vx_texture::most))
VX_TEXTURE(tex1DLod, (float x, float level), (x, level), sample_1d, (x, 0, level))
VX_TEXTURE(tex1DGrad, (float x, float dx, float dy), (x, dx, dy), sample_1d,
           (x, 0, vx_texture::lod(t, dx, dy)))
VX_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), sample_1d, (x, layer, vx_texture::most))
VX_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), sample_1d,
           (x, layer, level))
VX_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy),
           sample_1d, (x, layer, vx_texture::lod(t, dx, dy)))

VX_TEXTURE_RESIDENT(tex2D, (float x, float y), (x, y), sample_2d, (x, y, 0, vx_texture::most))
VX_TEXTURE_RESIDENT(tex2DLod, (float x, float y, float level), (x, y, level), sample_2d,
                    (x, y, 0, level))
VX_TEXTURE_RESIDENT(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), sample_2d,
                    (x, y, 0, vx_texture::lod(t, dx, dy)))
VX_TEXTURE_RESIDENT(tex2DLayered, (float x, float y, int layer), (x, y, layer), sample_2d,
                    (x, y, layer, vx_texture::most))
VX_TEXTURE_RESIDENT(tex2DLayeredLod, (float x, float y, int layer, float level),
                    (x, y, layer, level), sample_2d, (x, y, layer, level))
VX_TEXTURE_RESIDENT(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy),
                    (x, y, layer, dx, dy), sample_2d, (x, y, layer, vx_texture::lod(t, dx, dy)))

VX_TEXTURE_RESIDENT(tex3D, (float x, float y, float z), (x, y, z), sample_3d,
                    (x, y, z, vx_texture::most))
VX_TEXTURE_RESIDENT(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), sample_3d,
                    (x, y, z, level))
VX_TEXTURE_RESIDENT(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                    sample_3d, (x, y, z, vx_texture::lod(t, dx, dy)))

VX_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), sample_cube,
           (x, y, z, 0, vx_texture::most))
VX_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), sample_cube,
           (x, y, z, 0, level))
VX_TEXTURE(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
           sample_cube, (x, y, z, 0, vx_texture::lod(t, x, y, z, dx, dy)))
VX_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), sample_cube,
           (x, y, z, layer, vx_texture::most))
VX_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level),
           (x, y, z, layer, level), sample_cube, (x, y, z, layer, level))
VX_TEXTURE(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
           (x, y, z, layer, dx, dy), sample_cube,
           (x, y, z, layer, vx_texture::lod(t, x, y, z, dx, dy)))

template <class T>
VX_TEX T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
  return vx_texture::gather<T>(t, x, y, component);
}
template <class T>
VX_TEX void tex2Dgather(T *out, cudaTextureObject_t t, float x, float y, int component = 0) {
  *out = vx_texture::gather<T>(t, x, y, component);
}
template <class T>
VX_TEX T tex2Dgather(cudaTextureObject_t t, float x, float y, bool *resident, int component = 0) {
  *resident = true;
  return vx_texture::gather<T>(t, x, y, component);
}

#undef VX_TEXTURE
#undef VX_TEXTURE_RESIDENT
#undef VX_LIST
#undef VX_TEX

#endif // VX_CUDA_TEXTURES_H
