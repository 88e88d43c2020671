// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/TextureObjects.h"
#include "intrinsics/abi/TextureRecord.h"
#include "intrinsics/texture/UnitModes.h"
#include "runtime/core/Addresses.h"
#include "runtime/core/Context.h"
#include "runtime/core/ImageLimits.h"
#include "runtime/core/Runtime.h"
#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstring>

namespace vx::rt {

namespace {

using abi::TextureRecord;

uint32_t bitsOf(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// What a texture shows: its levels, from the first one on.
struct Image {
  ElementFormat format;
  std::vector<VxImageLevel> levels;
  bool isLinear = false; ///< linear memory, which is not filtered and has no addressing modes
};

/// Whether kernels can read SIZE bytes at POINTER: device memory of any device, or the host's.
bool isReadable(Context &context, const void *pointer, uint64_t size) {
  uint64_t address = addressOf(pointer);
  if (context.isDeviceRange(address, size))
    return true;
  if (std::optional<HostRegion> region = HostMemory::get().find(pointer))
    return AddressRange{region->base, region->size}.contains(address, size);
  return bool(
      Runtime::get().findOwner([&](Context &other) { return other.isDeviceRange(address, size); }));
}

cudaError_t linearImage(Context &context, const cudaResourceDesc &resource, Image &image) {
  const auto &r = resource.res.linear;
  std::optional<ElementFormat> format = elementFormat(r.desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  uint64_t width = r.sizeInBytes / format->bytes();
  if (width == 0 || width > kMax1DLinear.width || addressOf(r.devPtr) % format->bytes() ||
      !isReadable(context, r.devPtr, r.sizeInBytes))
    return cudaErrorInvalidValue;
  image = {*format, {{addressOf(r.devPtr), 0, 0, uint32_t(width), 1, 1, 0}}, true};
  return cudaSuccess;
}

cudaError_t pitchedImage(Context &context, const cudaResourceDesc &resource, Image &image) {
  const auto &r = resource.res.pitch2D;
  std::optional<ElementFormat> format = elementFormat(r.desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  if (r.width == 0 || r.height == 0 || r.width > kMax2DLinear.width ||
      r.height > kMax2DLinear.height || r.pitchInBytes > kMax2DLinearPitch ||
      r.pitchInBytes < r.width * format->bytes() || r.pitchInBytes % format->bytes() ||
      addressOf(r.devPtr) % format->bytes() ||
      !isReadable(context, r.devPtr, r.pitchInBytes * (r.height - 1) + r.width * format->bytes()))
    return cudaErrorInvalidValue;
  image = {*format,
           {{addressOf(r.devPtr), r.pitchInBytes, 0, uint32_t(r.width), uint32_t(r.height), 1, 0}}};
  return cudaSuccess;
}

cudaError_t imageOf(Context &context, const cudaResourceDesc &resource, Image &image) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    auto array = context.handles().arrays.find(resource.res.array.array);
    if (!array)
      return cudaErrorInvalidValue;
    image = {array->format, {array->memory}};
    return cudaSuccess;
  }
  case cudaResourceTypeMipmappedArray: {
    auto array = context.handles().mipmappedArrays.find(resource.res.mipmap.mipmap);
    if (!array)
      return cudaErrorInvalidValue;
    image.format = array->levels[0]->format;
    for (const auto &level : array->levels)
      image.levels.push_back(level->memory);
    return cudaSuccess;
  }
  case cudaResourceTypeLinear:
    return linearImage(context, resource, image);
  case cudaResourceTypePitch2D:
    return pitchedImage(context, resource, image);
  }
  return cudaErrorInvalidValue;
}

/// The part of IMAGE that VIEW names, and as what.
cudaError_t applyView(const cudaResourceViewDesc &view, Image &image) {
  if (view.format != cudaResViewFormatNone) {
    std::optional<ElementFormat> format = elementFormat(view.format);
    if (!format || format->bytes() != image.format.bytes())
      return cudaErrorInvalidValue;
    image.format = *format;
  }
  unsigned last = unsigned(image.levels.size()) - 1;
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel > last ||
      view.firstLayer > view.lastLayer)
    return cudaErrorInvalidValue;
  image.levels.erase(image.levels.begin() + view.lastMipmapLevel + 1, image.levels.end());
  image.levels.erase(image.levels.begin(), image.levels.begin() + view.firstMipmapLevel);
  if (view.lastLayer == 0)
    return cudaSuccess;
  for (VxImageLevel &level : image.levels) {
    if (view.lastLayer >= level.depth)
      return cudaErrorInvalidValue;
    level.data += view.firstLayer * level.slicePitch;
    level.depth = view.lastLayer - view.firstLayer + 1;
  }
  return cudaSuccess;
}

/// Where the coordinates of a fetch may lead; modes that repeat are for normalized ones.
uint8_t addressingOf(cudaTextureAddressMode mode, bool normalized) {
  switch (mode) {
  case cudaAddressModeBorder:
    return abi::kAddressBorder;
  case cudaAddressModeWrap:
    return normalized ? abi::kAddressWrap : abi::kAddressClamp;
  case cudaAddressModeMirror:
    return normalized ? abi::kAddressMirror : abi::kAddressClamp;
  default:
    return abi::kAddressClamp;
  }
}

/// How channels are read. READSFLOAT: they become numbers.
cudaError_t describeFormat(const ElementFormat &format, const cudaTextureDesc &t, TextureRecord &r,
                           bool &readsFloat) {
  bool isFloat = format.kind == ElementFormat::Float,
       isSigned = format.kind == ElementFormat::Signed;
  bool normalizes = format.isNormalized || (!isFloat && t.readMode == cudaReadModeNormalizedFloat);
  if (normalizes && format.channelBytes == 4)
    return cudaErrorInvalidNormSetting;
  readsFloat = isFloat || normalizes;
  r.channels = format.channels;
  r.texelShift = uint32_t(std::countr_zero(format.bytes()));
  r.kind = format.channelBytes == 4   ? abi::kTexelWord
           : format.channelBytes == 1 ? abi::kTexelByte
           : isFloat                  ? abi::kTexelHalf
                                      : abi::kTexelShort;
  r.signShift = isSigned && format.channelBytes < 4 ? 32 - 8 * format.channelBytes : 0;
  r.least = INT32_MIN;
  r.one = readsFloat ? bitsOf(1.0f) : 1;
  if (!isFloat)
    r.flags |= abi::kTextureIntegers;
  if (!normalizes)
    return cudaSuccess;
  if (t.sRGB && format.channelBytes == 1 && !isSigned) {
    r.kind = abi::kTexelSrgb;
    r.flags &= ~uint32_t(abi::kTextureIntegers);
    return cudaSuccess;
  }
  int most = (1 << (8 * format.channelBytes - isSigned)) - 1;
  r.divisor = float(most);
  r.least = isSigned ? -most : 0;
  return cudaSuccess;
}

/// The border as a fetch returns it, before the division: a number, or the integer next to 0.
void describeBorder(const ElementFormat &format, const cudaTextureDesc &t, bool readsFloat,
                    TextureRecord &r) {
  for (unsigned c = 0; c < 4; ++c) {
    float color = t.borderColor[c];
    if (c >= format.channels)
      r.border[c] = c == 3 ? r.one : 0;
    else if (readsFloat)
      r.border[c] = bitsOf(r.divisor != 0 ? color * r.divisor : color);
    else if (format.kind == ElementFormat::Signed)
      r.border[c] = uint32_t(int32_t(std::clamp<double>(color, INT32_MIN, INT32_MAX)));
    else
      r.border[c] = uint32_t(std::clamp<double>(color, 0, UINT32_MAX));
  }
}

bool isMode(cudaTextureAddressMode mode) {
  return mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder;
}
bool isMode(cudaTextureFilterMode mode) {
  return mode == cudaFilterModePoint || mode == cudaFilterModeLinear;
}

cudaError_t describe(const Image &image, const cudaTextureDesc &t, TextureRecord &r) {
  for (cudaTextureAddressMode mode : t.addressMode)
    if (!isMode(mode))
      return cudaErrorInvalidValue;
  if (!isMode(t.filterMode) || !isMode(t.mipmapFilterMode) ||
      (t.readMode != cudaReadModeElementType && t.readMode != cudaReadModeNormalizedFloat))
    return cudaErrorInvalidValue;
  bool readsFloat = false;
  if (cudaError_t e = describeFormat(image.format, t, r, readsFloat); e != cudaSuccess)
    return e;
  r.base = image.levels[0];
  r.lastLevel = uint32_t(image.levels.size()) - 1;
  bool filters = t.filterMode == cudaFilterModeLinear && !image.isLinear;
  bool filtersLevels = t.mipmapFilterMode == cudaFilterModeLinear && r.lastLevel > 0;
  if ((filters || filtersLevels) && !readsFloat)
    return cudaErrorInvalidFilterSetting;
  bool normalized = t.normalizedCoords && !image.isLinear;
  auto set = [&](bool condition, abi::TextureFlags flag) { r.flags |= condition ? flag : 0; };
  set(filters, abi::kTextureLinear);
  set(filtersLevels, abi::kTextureMipLinear);
  set(normalized, abi::kTextureNormalized);
  for (unsigned d = 0; d < 3; ++d) {
    r.addressing[d] =
        image.isLinear ? uint8_t(abi::kAddressClamp) : addressingOf(t.addressMode[d], normalized);
    set(r.addressing[d] == abi::kAddressBorder, abi::kTextureBorder);
  }
  r.bias = t.mipmapLevelBias;
  r.minLod = t.minMipmapLevelClamp;
  r.maxLod = t.maxMipmapLevelClamp;
  describeBorder(image.format, t, readsFloat, r);
  return cudaSuccess;
}

/// Whether the device has a texture unit that samples textures with the state R and LEVELS.
bool hasUnitFor(Context &context, const TextureRecord &r, const std::vector<VxImageLevel> &levels) {
  return context.usesTextureUnit() && !texture::unitRefusal(r) &&
         std::none_of(levels.begin(), levels.end(),
                      [](const VxImageLevel &level) { return texture::unitRefusal(level); });
}

/// What a byte means in sRGB (IEC 61966-2-1).
std::vector<float> srgbTable() {
  std::vector<float> table;
  for (int i = 0; i < 256; ++i) {
    double c = i / 255.0;
    table.push_back(float(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4)));
  }
  return table;
}

template <typename T> void append(std::vector<uint8_t> &bytes, const std::vector<T> &values) {
  const auto *begin = reinterpret_cast<const uint8_t *>(values.data());
  bytes.insert(bytes.end(), begin, begin + values.size() * sizeof(T));
}

/// Puts a record and what it refers to, which follows it, into device memory.
cudaError_t writeRecord(Context &context, TextureRecord record,
                        const std::vector<VxImageLevel> &levels, uint64_t &address) {
  std::vector<uint8_t> bytes(sizeof record);
  append(bytes, levels);
  uint64_t table = bytes.size();
  if (record.kind == abi::kTexelSrgb)
    append(bytes, srgbTable());
  if (cudaError_t e = context.allocate(bytes.size(), address); e != cudaSuccess)
    return e;
  record.levels = address + sizeof record;
  record.srgb = address + table;
  std::memcpy(bytes.data(), &record, sizeof record);
  cudaError_t e = context.writeAlone(address, bytes);
  if (e != cudaSuccess)
    (void)context.release(address);
  return e;
}

} // namespace

cudaError_t createTexture(Context &context, const TextureObject &object,
                          cudaTextureObject_t &handle) {
  Image image;
  if (cudaError_t e = imageOf(context, object.resource, image); e != cudaSuccess)
    return e;
  if (object.view) {
    bool isArray = object.resource.resType == cudaResourceTypeArray ||
                   object.resource.resType == cudaResourceTypeMipmappedArray;
    if (!isArray)
      return cudaErrorInvalidValue;
    if (cudaError_t e = applyView(*object.view, image); e != cudaSuccess)
      return e;
  }
  TextureRecord record{};
  if (cudaError_t e = describe(image, object.texture, record); e != cudaSuccess)
    return e;
  if (hasUnitFor(context, record, image.levels))
    record.flags |= abi::kTextureUnit;
  uint64_t address = 0;
  cudaError_t e = writeRecord(context, record, image.levels, address);
  if (e != cudaSuccess)
    return e;
  handle = address;
  context.handles().textures.add(handle, std::make_shared<TextureObject>(object));
  return cudaSuccess;
}

cudaError_t createSurface(Context &context, const SurfaceObject &object,
                          cudaSurfaceObject_t &handle) {
  if (object.resource.resType != cudaResourceTypeArray)
    return cudaErrorInvalidValue;
  auto array = context.handles().arrays.find(object.resource.res.array.array);
  // A level of a mipmapped array need not have been made for surfaces: programs write levels as
  // surfaces without the flag, which CUDA takes.
  if (!array || !(array->isLevel || array->flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  TextureRecord record{};
  record.base = array->memory;
  record.channels = array->format.channels;
  record.texelShift = uint32_t(std::countr_zero(array->format.bytes()));
  uint64_t address = 0;
  if (cudaError_t e = writeRecord(context, record, {}, address); e != cudaSuccess)
    return e;
  handle = address;
  context.handles().surfaces.add(handle, std::make_shared<SurfaceObject>(object));
  return cudaSuccess;
}

bool destroyTexture(Context &context, cudaTextureObject_t handle) {
  if (!context.handles().textures.remove(handle))
    return false;
  (void)context.release(handle);
  return true;
}

bool destroySurface(Context &context, cudaSurfaceObject_t handle) {
  if (!context.handles().surfaces.remove(handle))
    return false;
  (void)context.release(handle);
  return true;
}

} // namespace vx::rt
