// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects.

#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/memory/ImageLimits.h"

using namespace vx::rt;

extern "C" cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle,
                                               const cudaResourceDesc *resource,
                                               const cudaTextureDesc *texture,
                                               const cudaResourceViewDesc *view) {
  return callWithContext([&](Context &context) {
    if (!handle || !resource)
      return cudaErrorInvalidValue;
    if (!texture)
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    TextureObject object{*resource, *texture, std::nullopt, true};
    if (view)
      object.view = *view;
    return createTexture(context, object, *handle);
  });
}

extern "C" cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle,
                                               const cudaResourceDesc *resource) {
  return callWithContext([&](Context &context) {
    if (!handle || !resource)
      return cudaErrorInvalidValue;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    return createSurface(context, {*resource}, *handle);
  });
}

/// Ends an object once the work that was launched has run: kernels read its record. CUDA does not
/// say whether there was one.
template <typename Destroy> static cudaError_t destroyObject(Destroy &&destroy) {
  return callWithContext([&](Context &context) {
    cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
    if (e != cudaSuccess)
      return e;
    (void)destroy(context);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  if (handle == 0)
    return cudaSuccess;
  return destroyObject([&](Context &context) { return destroyTexture(context, handle); });
}

extern "C" cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  if (handle == 0)
    return cudaSuccess;
  return destroyObject([&](Context &context) { return destroySurface(context, handle); });
}

/// Runs BODY with the texture that HANDLE names.
template <typename Body> static cudaError_t askTexture(cudaTextureObject_t handle, Body &&body) {
  return callWithContext([&](Context &context) {
    std::shared_ptr<TextureObject> texture = context.handles().textures.find(handle);
    return texture ? body(*texture) : cudaErrorInvalidValue;
  });
}

extern "C" cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *desc,
                                                        cudaTextureObject_t handle) {
  return askTexture(handle, [&](const TextureObject &texture) {
    if (!desc)
      return cudaErrorInvalidValue;
    *desc = texture.resource;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *desc,
                                                       cudaTextureObject_t handle) {
  return askTexture(handle, [&](const TextureObject &texture) {
    if (!desc)
      return cudaErrorInvalidResourceHandle;
    *desc = texture.texture;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *desc,
                                                            cudaTextureObject_t handle) {
  return askTexture(handle, [&](const TextureObject &texture) {
    if (desc)
      *desc = texture.view.value_or(cudaResourceViewDesc{});
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *desc,
                                                        cudaSurfaceObject_t handle) {
  return callWithContext([&](Context &context) {
    std::shared_ptr<SurfaceObject> surface = context.handles().surfaces.find(handle);
    if (!desc || !surface)
      return cudaErrorInvalidValue;
    *desc = surface->resource;
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                            const cudaChannelFormatDesc *desc,
                                                            int device) {
  return callWithDevice(device, [&](Context &) {
    if (!elements || !desc)
      return cudaErrorInvalidValue;
    if (!elementFormat(*desc))
      return cudaErrorInvalidChannelDescriptor;
    *elements = kMax1DLinear.width;
    return cudaSuccess;
  });
}
