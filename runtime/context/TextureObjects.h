// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: what the program asks for becomes a record in device memory
// (intrinsics/abi/TextureRecord.h), whose address is the handle.

#ifndef VX_RUNTIME_CONTEXT_TEXTUREOBJECTS_H
#define VX_RUNTIME_CONTEXT_TEXTUREOBJECTS_H

#include "surface_types.h"
#include "texture_types.h"
#include <cstdint>
#include <optional>

namespace vx::rt {

class Context;

struct TextureObject {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  std::optional<cudaResourceViewDesc> view;
  /// Refused as cudaCreateTextureObject does: memory that is not aligned, floats that are to be
  /// read as normalized, views without a format or of another size.
  bool isStrict = false;
};
struct SurfaceObject {
  cudaResourceDesc resource{};
};

/// Makes a texture object of CONTEXT, whose arrays RESOURCE may name. Errors are those of
/// cudaCreateTextureObject: among them cudaErrorInvalidFilterSetting and
/// cudaErrorInvalidNormSetting for modes that the format does not have. Whether linear
/// memory is there is not checked before a kernel reads it.
cudaError_t createTexture(Context &context, const TextureObject &object,
                          cudaTextureObject_t &handle);
cudaError_t createSurface(Context &context, const SurfaceObject &object,
                          cudaSurfaceObject_t &handle);
/// Returns false if the object does not exist.
bool destroyTexture(Context &context, cudaTextureObject_t handle);
bool destroySurface(Context &context, cudaSurfaceObject_t handle);

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_TEXTUREOBJECTS_H
