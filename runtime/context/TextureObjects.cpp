// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/TextureObjects.h"
#include "intrinsics/abi/TextureRecord.h"
#include "intrinsics/texture/UnitModes.h"
#include "runtime/context/Context.h"
#include "runtime/context/Runtime.h"
#include "runtime/core/Addresses.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/ImageLimits.h"
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

/// The levels that a texture shows, from the first one on.
struct Image {
  ElementFormat format;
  std::vector<VxImageLevel> levels;
  bool isLinear = false; ///< linear memory, which is not filtered and has no addressing modes
};

/// Returns true if memory at POINTER can be a texture.
bool isPlace(const void *pointer, const ElementFormat &format, bool isStrict) {
  return pointer && addressOf(pointer) % (isStrict ? kTextureAlignment : format.bytes()) == 0;
}

cudaError_t linearImage(const cudaResourceDesc &resource, bool isStrict, Image &image) {
  const auto &r = resource.res.linear;
  std::optional<ElementFormat> format = elementFormat(r.desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  if (!isPlace(r.devPtr, *format, isStrict))
    return cudaErrorInvalidValue;
  uint64_t width = std::min<uint64_t>(r.sizeInBytes / format->bytes(), UINT32_MAX);
  image = {*format, {{addressOf(r.devPtr), 0, 0, uint32_t(width), 1, 1, 0}}, true};
  return cudaSuccess;
}

cudaError_t pitchedImage(const cudaResourceDesc &resource, bool isStrict, Image &image) {
  const auto &r = resource.res.pitch2D;
  std::optional<ElementFormat> format = elementFormat(r.desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  if (r.width > kMax2DLinear.width || r.height > kMax2DLinear.height ||
      r.pitchInBytes > kMax2DLinearPitch || !isPlace(r.devPtr, *format, isStrict) ||
      r.pitchInBytes % (isStrict ? kTexturePitchAlignment : format->bytes()))
    return cudaErrorInvalidValue;
  image = {*format,
           {{addressOf(r.devPtr), r.pitchInBytes, 0, std::max(uint32_t(r.width), 1u),
             std::max(uint32_t(r.height), 1u), 1, 0}}};
  return cudaSuccess;
}

cudaError_t imageOf(Context &context, const cudaResourceDesc &resource, bool isStrict,
                    Image &image) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    auto array = context.handles().arrays.find(resource.res.array.array);
    if (!array)
      return cudaErrorInvalidResourceHandle;
    image = {array->format, {array->memory}};
    return cudaSuccess;
  }
  case cudaResourceTypeMipmappedArray: {
    auto array = context.handles().mipmappedArrays.find(resource.res.mipmap.mipmap);
    if (!array)
      return cudaErrorInvalidResourceHandle;
    image.format = array->levels[0]->format;
    for (const auto &level : array->levels)
      image.levels.push_back(level->memory);
    return cudaSuccess;
  }
  case cudaResourceTypeLinear:
    return linearImage(resource, isStrict, image);
  case cudaResourceTypePitch2D:
    return pitchedImage(resource, isStrict, image);
  }
  return cudaErrorInvalidValue;
}

/// The part of IMAGE that VIEW names, and as what.
cudaError_t applyView(const cudaResourceViewDesc &view, bool isStrict, Image &image) {
  const VxImageLevel &base = image.levels[0];
  bool isFlat = base.depth == 1;
  if (isStrict && (view.format == cudaResViewFormatNone ||
                   (isFlat && (view.width != base.width || view.depth != 0 ||
                               std::max<size_t>(view.height, 1) != base.height))))
    return cudaErrorInvalidValue;
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

/// Returns the record's code for MODE; modes that repeat are for normalized coordinates.
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
  r.least = float(isSigned ? -most : 0);
  r.filteredDivisor = isSigned ? 32767 : 65535;
  return cudaSuccess;
}

/// Returns the number that a byte in sRGB means to a GPU: a value near that of IEC 61966-2-1 with
/// few bits.
const std::vector<float> &srgbTable() {
  // As halves.
  static constexpr uint16_t halves[] = {
      0x0000, 0x0d00, 0x1100, 0x1380, 0x1500, 0x1640, 0x1780, 0x1860, 0x1900, 0x19a0, 0x1a40,
      0x1ae0, 0x1b80, 0x1c20, 0x1c80, 0x1ce0, 0x1d50, 0x1dc0, 0x1e30, 0x1eb0, 0x1f30, 0x1fb0,
      0x2018, 0x2060, 0x20b0, 0x20f8, 0x2148, 0x21a0, 0x21f0, 0x2248, 0x22a8, 0x2300, 0x2360,
      0x23d0, 0x2418, 0x2450, 0x2488, 0x24c0, 0x24f8, 0x2530, 0x2570, 0x25b0, 0x25f0, 0x2630,
      0x2670, 0x26b8, 0x2700, 0x2748, 0x2790, 0x27e0, 0x2818, 0x2840, 0x2868, 0x2890, 0x28b8,
      0x28e0, 0x2910, 0x2940, 0x2968, 0x2998, 0x29c8, 0x29f8, 0x2a28, 0x2a60, 0x2a90, 0x2ac0,
      0x2b00, 0x2b30, 0x2b60, 0x2ba0, 0x2bd0, 0x2c08, 0x2c28, 0x2c40, 0x2c60, 0x2c80, 0x2ca0,
      0x2cc0, 0x2ce0, 0x2d00, 0x2d20, 0x2d48, 0x2d68, 0x2d88, 0x2db0, 0x2dd0, 0x2df8, 0x2e18,
      0x2e40, 0x2e68, 0x2e88, 0x2eb0, 0x2ed8, 0x2f00, 0x2f28, 0x2f50, 0x2f80, 0x2fa0, 0x2fd0,
      0x3000, 0x3010, 0x3028, 0x3040, 0x3058, 0x3070, 0x3088, 0x30a0, 0x30b8, 0x30d0, 0x30e8,
      0x3100, 0x3118, 0x3130, 0x3148, 0x3160, 0x3180, 0x3198, 0x31b0, 0x31d0, 0x31e8, 0x3200,
      0x3220, 0x3238, 0x3258, 0x3270, 0x3290, 0x32b0, 0x32c8, 0x32e8, 0x3308, 0x3328, 0x3340,
      0x3360, 0x3380, 0x33a0, 0x33c0, 0x33e0, 0x3400, 0x3410, 0x3420, 0x3430, 0x3440, 0x3450,
      0x3468, 0x3478, 0x3488, 0x3498, 0x34a8, 0x34c0, 0x34d0, 0x34e0, 0x34f0, 0x3508, 0x3518,
      0x3528, 0x3540, 0x3550, 0x3568, 0x3578, 0x3590, 0x35a0, 0x35b0, 0x35c8, 0x35e0, 0x35f0,
      0x3608, 0x3618, 0x3630, 0x3640, 0x3658, 0x3670, 0x3688, 0x3698, 0x36b0, 0x36c8, 0x36d8,
      0x36f0, 0x3708, 0x3720, 0x3738, 0x3750, 0x3768, 0x3780, 0x3790, 0x37b0, 0x37c0, 0x37e0,
      0x37f0, 0x3808, 0x3810, 0x3820, 0x3828, 0x3838, 0x3848, 0x3850, 0x3860, 0x3868, 0x3878,
      0x3888, 0x3890, 0x38a0, 0x38b0, 0x38b8, 0x38c8, 0x38d8, 0x38e0, 0x38f0, 0x3900, 0x3908,
      0x3918, 0x3928, 0x3938, 0x3948, 0x3950, 0x3960, 0x3970, 0x3980, 0x3990, 0x3998, 0x39a8,
      0x39b8, 0x39c8, 0x39d8, 0x39e8, 0x39f8, 0x3a08, 0x3a18, 0x3a28, 0x3a38, 0x3a48, 0x3a58,
      0x3a68, 0x3a78, 0x3a88, 0x3a98, 0x3aa8, 0x3ab8, 0x3ac8, 0x3ad8, 0x3ae8, 0x3af8, 0x3b08,
      0x3b18, 0x3b28, 0x3b40, 0x3b50, 0x3b60, 0x3b70, 0x3b80, 0x3b90, 0x3ba0, 0x3bb0, 0x3bd0,
      0x3be0, 0x3bf0, 0x3c00,
  };
  static const std::vector<float> table = [] {
    std::vector<float> made;
    for (uint16_t half : halves)
      made.push_back(
          std::ldexp(float(half & 1023) + (half >> 10 ? 1024 : 0), std::max(half >> 10, 1) - 25));
    return made;
  }();
  return table;
}

/// LINEAR as sRGB has it, from 0 to 1.
float encoded(float linear) {
  return float(linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
}

/// VALUE as a half, rounded towards 0 and at most the largest finite one, but as a float.
uint32_t borderOfHalf(float value) {
  uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffff, sign = bits & 0x80000000;
  constexpr uint32_t largest = 0x477fe000, infinity = 0x7f800000, smallestNormal = 0x38800000;
  if (magnitude > largest && magnitude < infinity)
    magnitude = largest;
  else if (magnitude < smallestNormal)
    magnitude = bitsOf(std::trunc(std::bit_cast<float>(magnitude) * 0x1p24f) * 0x1p-24f);
  return sign | (magnitude & 0xffffe000);
}

/// VALUE from LEAST to 1, as one of MOST equal steps; not-a-number counts as 0. Halves go down.
int borderOfNormalized(float value, float least, float most) {
  float bounded = value == value ? std::clamp(value, least, 1.0f) : 0;
  return int(std::copysign(std::ceil(std::fabs(bounded) * most - 0.5f), bounded));
}

/// The border as channels of an element. One of integers is the low bits of its float.
void describeBorder(const ElementFormat &format, const cudaTextureDesc &t, TextureRecord &r) {
  bool isSigned = format.kind == ElementFormat::Signed;
  for (unsigned c = 0; c < format.channels; ++c) {
    float color = t.borderColor[c];
    if (r.kind == abi::kTexelSrgb)
      r.border[c] = bitsOf(c == 3 ? float(borderOfNormalized(color, 0, 255)) / 255.0f
                                  : srgbTable()[borderOfNormalized(encoded(color), 0, 255)]);
    else if (r.divisor != 0)
      r.border[c] = uint32_t(borderOfNormalized(color, isSigned ? -1.0f : 0.0f, r.divisor));
    else if (r.kind == abi::kTexelHalf)
      r.border[c] = borderOfHalf(color);
    else if (unsigned above = 32 - 8 * format.channelBytes; isSigned)
      r.border[c] = uint32_t(int32_t(bitsOf(color) << above) >> above);
    else
      r.border[c] = bitsOf(color) << above >> above;
  }
}

/// Levels in steps of 1/256, cut towards 0; not-a-number counts as MOST.
int32_t stepsOf(float levels, float least, float most) {
  return int32_t(std::fmin(std::fmax(levels == levels ? levels : most, least), most) * 256);
}

bool isMode(cudaTextureAddressMode mode) {
  return mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder;
}
bool isMode(cudaTextureFilterMode mode) {
  return mode == cudaFilterModePoint || mode == cudaFilterModeLinear;
}

cudaError_t describe(const Image &image, const cudaTextureDesc &t, TextureRecord &r) {
  // CUDA does not look at the third dimension's mode and at how channels are read.
  if (!isMode(t.addressMode[0]) || !isMode(t.addressMode[1]) || !isMode(t.filterMode) ||
      !isMode(t.mipmapFilterMode))
    return cudaErrorInvalidValue;
  bool readsFloat = false;
  if (cudaError_t e = describeFormat(image.format, t, r, readsFloat); e != cudaSuccess)
    return e;
  r.base = image.levels[0];
  r.lastLevel = uint32_t(image.levels.size()) - 1;
  bool wantsFilter = t.filterMode == cudaFilterModeLinear, filters = wantsFilter && !image.isLinear;
  bool filtersLevels = t.mipmapFilterMode == cudaFilterModeLinear && r.lastLevel > 0;
  if ((wantsFilter || filtersLevels) && !readsFloat)
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
  r.bias = stepsOf(t.mipmapLevelBias, -16, 16);
  r.minLod = stepsOf(t.minMipmapLevelClamp, 0, float(r.lastLevel));
  r.maxLod = stepsOf(t.maxMipmapLevelClamp, 0, float(r.lastLevel));
  describeBorder(image.format, t, r);
  return cudaSuccess;
}

/// Returns true if the device has a texture unit that samples textures with the state R and LEVELS.
bool hasUnitFor(Context &context, const TextureRecord &r, const std::vector<VxImageLevel> &levels) {
  return context.usesTextureUnit() && !texture::unitRefusal(r) &&
         std::none_of(levels.begin(), levels.end(),
                      [](const VxImageLevel &level) { return texture::unitRefusal(level); });
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
  if (cudaError_t e = context.memory().allocate(bytes.size(), address); e != cudaSuccess)
    return e;
  record.levels = address + sizeof record;
  record.srgb = address + table;
  std::memcpy(bytes.data(), &record, sizeof record);
  cudaError_t e = context.memory().writeAlone(address, bytes);
  if (e != cudaSuccess)
    (void)context.memory().release(address);
  return e;
}

} // namespace

cudaError_t createTexture(Context &context, const TextureObject &object,
                          cudaTextureObject_t &handle) {
  Image image;
  if (cudaError_t e = imageOf(context, object.resource, object.isStrict, image); e != cudaSuccess)
    return e;
  bool isArray = object.resource.resType == cudaResourceTypeArray ||
                 object.resource.resType == cudaResourceTypeMipmappedArray;
  if (object.view && isArray) // of memory, views have no effect
    if (cudaError_t e = applyView(*object.view, object.isStrict, image); e != cudaSuccess)
      return e;
  if (object.isStrict && image.format.kind == ElementFormat::Float &&
      object.texture.readMode == cudaReadModeNormalizedFloat)
    return cudaErrorInvalidNormSetting;
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
  if (!array) // CUDA does not look at the flag cudaArraySurfaceLoadStore
    return cudaErrorInvalidResourceHandle;
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
  (void)context.memory().release(handle);
  return true;
}

bool destroySurface(Context &context, cudaSurfaceObject_t handle) {
  if (!context.handles().surfaces.remove(handle))
    return false;
  (void)context.memory().release(handle);
  return true;
}

} // namespace vx::rt
