// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects, over those of the runtime API.

#include "runtime/driver/ArrayFormat.h"
#include <algorithm>

using namespace vx::rt;
using namespace vx::rt::driver;

namespace {

// Enumerations have the same values.
static_assert(CU_TR_ADDRESS_MODE_MIRROR == int(cudaAddressModeMirror) &&
              CU_TR_FILTER_MODE_LINEAR == int(cudaFilterModeLinear) &&
              CU_RES_VIEW_FORMAT_FLOAT_4X32 == int(cudaResViewFormatFloat4));

cudaError_t toRuntime(const CUDA_RESOURCE_DESC &d, cudaResourceDesc &r) {
  r = {};
  std::optional<cudaChannelFormatDesc> desc;
  switch (d.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    r.resType = cudaResourceTypeArray;
    r.res.array.array = arrayOf(d.res.array.hArray);
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = arrayOf(d.res.mipmap.hMipmappedArray);
    break;
  case CU_RESOURCE_TYPE_LINEAR:
    desc = channelDesc(d.res.linear.format, d.res.linear.numChannels);
    if (!desc)
      return cudaErrorInvalidValue;
    r.resType = cudaResourceTypeLinear;
    r.res.linear = {pointer(d.res.linear.devPtr), *desc, d.res.linear.sizeInBytes};
    break;
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto &p = d.res.pitch2D;
    desc = channelDesc(p.format, p.numChannels);
    if (!desc)
      return cudaErrorInvalidValue;
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {pointer(p.devPtr), *desc, p.width, p.height, p.pitchInBytes};
    break;
  }
  default:
    return cudaErrorInvalidValue;
  }
  return d.flags ? cudaErrorInvalidValue : cudaSuccess;
}

CUDA_RESOURCE_DESC fromRuntime(const cudaResourceDesc &r) {
  CUDA_RESOURCE_DESC d{};
  switch (r.resType) {
  case cudaResourceTypeArray:
    d.resType = CU_RESOURCE_TYPE_ARRAY;
    d.res.array.hArray = arrayOf(r.res.array.array);
    break;
  case cudaResourceTypeMipmappedArray:
    d.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    d.res.mipmap.hMipmappedArray = arrayOf(r.res.mipmap.mipmap);
    break;
  case cudaResourceTypeLinear: {
    auto &l = d.res.linear;
    d.resType = CU_RESOURCE_TYPE_LINEAR;
    l.devPtr = addressOf(r.res.linear.devPtr);
    l.format = arrayFormat(r.res.linear.desc, l.numChannels);
    l.sizeInBytes = r.res.linear.sizeInBytes;
    break;
  }
  case cudaResourceTypePitch2D: {
    auto &p = d.res.pitch2D;
    d.resType = CU_RESOURCE_TYPE_PITCH2D;
    p.devPtr = addressOf(r.res.pitch2D.devPtr);
    p.format = arrayFormat(r.res.pitch2D.desc, p.numChannels);
    p.width = r.res.pitch2D.width;
    p.height = r.res.pitch2D.height;
    p.pitchInBytes = r.res.pitch2D.pitchInBytes;
    break;
  }
  }
  return d;
}

cudaTextureDesc toRuntime(const CUDA_TEXTURE_DESC &d) {
  cudaTextureDesc t{};
  for (int i = 0; i < 3; ++i)
    t.addressMode[i] = cudaTextureAddressMode(d.addressMode[i]);
  t.filterMode = cudaTextureFilterMode(d.filterMode);
  t.mipmapFilterMode = cudaTextureFilterMode(d.mipmapFilterMode);
  // Integers are read as numbers unless the program says otherwise.
  t.readMode =
      d.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  t.normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  t.sRGB = (d.flags & CU_TRSF_SRGB) != 0;
  t.disableTrilinearOptimization = (d.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  t.seamlessCubemap = (d.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  t.maxAnisotropy = d.maxAnisotropy;
  t.mipmapLevelBias = d.mipmapLevelBias;
  t.minMipmapLevelClamp = d.minMipmapLevelClamp;
  t.maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  std::copy(d.borderColor, d.borderColor + 4, t.borderColor);
  return t;
}

CUDA_TEXTURE_DESC fromRuntime(const cudaTextureDesc &t) {
  CUDA_TEXTURE_DESC d{};
  for (int i = 0; i < 3; ++i)
    d.addressMode[i] = CUaddress_mode(t.addressMode[i]);
  d.filterMode = CUfilter_mode(t.filterMode);
  d.mipmapFilterMode = CUfilter_mode(t.mipmapFilterMode);
  d.flags = (t.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
            (t.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
            (t.sRGB ? CU_TRSF_SRGB : 0) |
            (t.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
            (t.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  d.maxAnisotropy = t.maxAnisotropy;
  d.mipmapLevelBias = t.mipmapLevelBias;
  d.minMipmapLevelClamp = t.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = t.maxMipmapLevelClamp;
  std::copy(t.borderColor, t.borderColor + 4, d.borderColor);
  return d;
}

CUDA_RESOURCE_VIEW_DESC fromRuntime(const cudaResourceViewDesc &v) {
  CUDA_RESOURCE_VIEW_DESC d{};
  d.format = CUresourceViewFormat(v.format);
  d.width = v.width;
  d.height = v.height;
  d.depth = v.depth;
  d.firstMipmapLevel = v.firstMipmapLevel;
  d.lastMipmapLevel = v.lastMipmapLevel;
  d.firstLayer = v.firstLayer;
  d.lastLayer = v.lastLayer;
  return d;
}

/// Writes what GET, a function of the runtime API, says of OBJECT to DESC.
template <typename Desc, typename RuntimeDesc, typename Object>
CUresult describe(Desc *desc, cudaError_t (*get)(RuntimeDesc *, Object), Object object) {
  return callInContext([&] {
    if (!desc)
      return cudaErrorInvalidValue;
    RuntimeDesc found;
    cudaError_t e = get(&found, object);
    if (e == cudaSuccess)
      *desc = ::fromRuntime(found);
    return e;
  });
}

/// 32-bit integers, which cannot be read as numbers, are read as they are in any case.
bool readsWords(const cudaResourceDesc &r) {
  cudaChannelFormatDesc desc{};
  cudaArray_t array = r.resType == cudaResourceTypeArray ? r.res.array.array : nullptr;
  if (r.resType == cudaResourceTypeMipmappedArray)
    (void)cudaGetMipmappedArrayLevel(&array, r.res.mipmap.mipmap, 0);
  if (r.resType == cudaResourceTypeLinear)
    desc = r.res.linear.desc;
  else if (r.resType == cudaResourceTypePitch2D)
    desc = r.res.pitch2D.desc;
  else
    (void)cudaGetChannelDesc(&desc, array);
  return desc.x == 32;
}

} // namespace

extern "C" CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                                      const CUDA_TEXTURE_DESC *texture,
                                      const CUDA_RESOURCE_VIEW_DESC *view) {
  return callInContext([&] {
    if (!object || !resource || !texture)
      return cudaErrorInvalidValue;
    cudaResourceDesc r;
    if (cudaError_t e = toRuntime(*resource, r); e != cudaSuccess)
      return e;
    cudaTextureDesc t = toRuntime(*texture);
    if (readsWords(r))
      t.readMode = cudaReadModeElementType;
    cudaResourceViewDesc v{};
    if (view)
      v = {cudaResourceViewFormat(view->format),
           view->width,
           view->height,
           view->depth,
           view->firstMipmapLevel,
           view->lastMipmapLevel,
           view->firstLayer,
           view->lastLayer};
    cudaTextureObject_t made;
    cudaError_t e = cudaCreateTextureObject(&made, &r, &t, view ? &v : nullptr);
    if (e == cudaSuccess)
      *object = made;
    return e;
  });
}

extern "C" CUresult cuTexObjectDestroy(CUtexObject object) {
  return callInContext([&] { return cudaDestroyTextureObject(object); });
}

extern "C" CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject object) {
  return describe(desc, cudaGetTextureObjectResourceDesc, object);
}

extern "C" CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject object) {
  return describe(desc, cudaGetTextureObjectTextureDesc, object);
}

extern "C" CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *desc,
                                                   CUtexObject object) {
  return describe(desc, cudaGetTextureObjectResourceViewDesc, object);
}

extern "C" CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  return callInContext([&] {
    if (!object || !resource)
      return cudaErrorInvalidValue;
    cudaResourceDesc r;
    if (cudaError_t e = toRuntime(*resource, r); e != cudaSuccess)
      return e;
    cudaSurfaceObject_t made;
    cudaError_t e = cudaCreateSurfaceObject(&made, &r);
    if (e == cudaSuccess)
      *object = made;
    return e;
  });
}

extern "C" CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return callInContext([&] { return cudaDestroySurfaceObject(object); });
}

extern "C" CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject object) {
  return describe(desc, cudaGetSurfaceObjectResourceDesc, object);
}

extern "C" CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format,
                                                       unsigned channels, CUdevice device) {
  return call([&] {
    auto desc = channelDesc(format, channels);
    return desc ? cudaDeviceGetTexture1DLinearMaxWidth(elements, &*desc, device)
                : cudaErrorInvalidValue;
  });
}
