// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture references of CUDA before 12: device variables that hold the handle of a texture object.
// Binding makes an object of the reference's settings and writes its handle.

#include "runtime/cuda/Api.h"
#include "runtime/graphs/CaptureOperation.h"
#include "runtime/image/Module.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/image/Registry.h"
#include "runtime/memory/DeviceMemory.h"
#include "vx/runtime/references.h"
#include <algorithm>
#include <cstring>
#include <map>

using namespace vx::rt;

namespace {

/// The references that are known. It outlives every context, like the registry.
struct References {
  std::mutex mutex;
  std::map<const void *, bool> readNumbers; ///< by host address: cudaReadModeNormalizedFloat
  /// By context and host address; handles are the contexts'.
  std::map<std::pair<uint64_t, const void *>, cudaTextureObject_t> bound;

  static References &get() {
    static auto *all = new References;
    return *all;
  }
};

bool readsNumbers(const textureReference *reference) {
  References &all = References::get();
  std::lock_guard lock(all.mutex);
  auto it = all.readNumbers.find(reference);
  return it != all.readNumbers.end() && it->second;
}

/// Writes HANDLE into the device variable of REFERENCE and ends the object that was bound before.
cudaError_t bind(Context &context, const textureReference *reference, cudaTextureObject_t handle) {
  Module *module = nullptr;
  AddressRange range;
  if (cudaError_t e = context.modules().findVariable(reference, module, range); e != cudaSuccess)
    return cudaErrorInvalidTexture;
  // Kernels that were launched before may still use the texture.
  cudaError_t e = synchronize(context, [&] { context.scheduler().waitForAll(); });
  if (e != cudaSuccess)
    return e;
  std::vector<uint8_t> bytes(sizeof handle);
  std::memcpy(bytes.data(), &handle, sizeof handle);
  e = context.scheduler().withDevice([&] {
    cudaError_t ready = context.modules().use(*module);
    return ready == cudaSuccess ? context.memory().write(range.base, bytes) : ready;
  });
  if (e != cudaSuccess)
    return e;
  References &all = References::get();
  cudaTextureObject_t before = 0;
  {
    std::lock_guard lock(all.mutex);
    before = std::exchange(all.bound[{context.id(), reference}], handle);
  }
  if (before)
    (void)destroyTexture(context, before);
  return cudaSuccess;
}

cudaError_t bindResource(const textureReference *reference, const cudaResourceDesc &resource) {
  return callWithContext([&](Context &context) {
    if (!reference)
      return cudaErrorInvalidTexture;
    if (cudaError_t e = refuseUnsafeCall(context); e != cudaSuccess)
      return e;
    TextureObject object{resource, {}, std::nullopt};
    cudaTextureDesc &t = object.texture;
    std::copy(reference->addressMode, reference->addressMode + 3, t.addressMode);
    t.filterMode = reference->filterMode;
    t.readMode = readsNumbers(reference) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    t.sRGB = reference->sRGB;
    t.normalizedCoords = reference->normalized;
    t.maxAnisotropy = reference->maxAnisotropy;
    t.mipmapFilterMode = reference->mipmapFilterMode;
    t.mipmapLevelBias = reference->mipmapLevelBias;
    t.minMipmapLevelClamp = reference->minMipmapLevelClamp;
    t.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
    cudaTextureObject_t handle = 0;
    cudaError_t e = createTexture(context, object, handle);
    if (e != cudaSuccess)
      return e;
    e = bind(context, reference, handle);
    if (e != cudaSuccess)
      (void)destroyTexture(context, handle);
    return e;
  });
}

/// Returns SIZE, or how many bytes device memory has from POINTER on, if they are fewer.
size_t sizeFrom(const void *pointer, size_t size) {
  size_t found = size;
  (void)callWithContext([&](Context &context) {
    std::optional<AddressRange> range = context.findDeviceRange(addressOf(pointer));
    if (range)
      found = std::min<size_t>(size, range->base + range->size - addressOf(pointer));
    return cudaSuccess;
  });
  return found;
}

} // namespace

/// Called by compiled host code, like __cudaRegisterVar. NORMALIZED: the read mode.
extern "C" void __cudaRegisterTexture(void **handle, const textureReference *reference,
                                      const void **, const char *deviceName, int, int normalized,
                                      int) {
  {
    References &all = References::get();
    std::lock_guard lock(all.mutex);
    all.readNumbers[reference] = normalized != 0;
  }
  Registry::get().addVariable(reference, {reinterpret_cast<const FatModule *>(handle), deviceName,
                                          sizeof(cudaTextureObject_t)});
}

extern "C" cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                                       const void *pointer, const cudaChannelFormatDesc *desc,
                                       size_t size) {
  if (!desc || !pointer)
    return recordError(cudaErrorInvalidValue);
  if (offset)
    *offset = 0; // an element's alignment is enough
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {const_cast<void *>(pointer), *desc, sizeFrom(pointer, size)};
  return bindResource(reference, resource);
}

extern "C" cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                                         const void *pointer, const cudaChannelFormatDesc *desc,
                                         size_t width, size_t height, size_t pitch) {
  if (!desc || !pointer)
    return recordError(cudaErrorInvalidValue);
  if (offset)
    *offset = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void *>(pointer), *desc, width, height, pitch};
  return bindResource(reference, resource);
}

extern "C" cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                              cudaArray_const_t array,
                                              const cudaChannelFormatDesc *) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bindResource(reference, resource);
}

extern "C" cudaError_t cudaBindTextureToMipmappedArray(const textureReference *reference,
                                                       cudaMipmappedArray_const_t array,
                                                       const cudaChannelFormatDesc *) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bindResource(reference, resource);
}

extern "C" cudaError_t cudaUnbindTexture(const textureReference *reference) {
  return callWithContext([&](Context &context) {
    return reference ? bind(context, reference, 0) : cudaErrorInvalidTexture;
  });
}

extern "C" cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                                     const textureReference *reference) {
  if (!offset || !reference)
    return recordError(cudaErrorInvalidTexture);
  *offset = 0;
  return recordError(cudaSuccess);
}

/// The symbol is the reference.
extern "C" cudaError_t cudaGetTextureReference(const textureReference **reference,
                                               const void *symbol) {
  References &all = References::get();
  std::lock_guard lock(all.mutex);
  if (!reference || !all.readNumbers.count(symbol))
    return recordError(cudaErrorInvalidTexture);
  *reference = static_cast<const textureReference *>(symbol);
  return recordError(cudaSuccess);
}
