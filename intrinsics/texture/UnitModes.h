// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The textures that the texture unit can sample: the runtime asks before it gives a texture to the
// unit, and the unit itself, because a program can make any bytes a texture.

#ifndef VX_INTRINSICS_TEXTURE_UNITMODES_H
#define VX_INTRINSICS_TEXTURE_UNITMODES_H

#include "intrinsics/abi/TextureRecord.h"

namespace vx::texture {

/// The width and height of a level at most, in elements.
constexpr uint32_t kUnitMaxSize = 1u << 17;

/// Returns why the texture unit cannot sample LEVEL, or null.
constexpr const char *unitRefusal(const VxImageLevel &level) {
  if (level.width == 0 || level.height == 0 || level.width > kUnitMaxSize ||
      level.height > kUnitMaxSize)
    return "its size is not one of 1 to 131072 elements";
  if (level.depth != 1)
    return "it has layers, faces or three dimensions";
  return nullptr;
}

/// Returns why it cannot sample textures with the state R, whatever their levels are; or null.
constexpr const char *unitRefusal(const abi::TextureRecord &r) {
  constexpr uint32_t registerBits = 32, maxTexelShift = 4;
  if (r.kind == abi::kTexelSrgb)
    return "its elements are in sRGB";
  if (r.kind > abi::kTexelSrgb || (r.channels != 1 && r.channels != 2 && r.channels != 4) ||
      r.texelShift > maxTexelShift || r.signShift >= registerBits)
    return "its format does not exist";
  for (uint8_t mode : r.addressing)
    if (mode > abi::kAddressMirror)
      return "an addressing mode does not exist";
  if (r.lastLevel >= abi::kMaxTextureLevels)
    return "it has too many levels";
  const auto last = static_cast<int32_t>(r.lastLevel << 8);
  if (r.minLod < 0 || r.minLod > last || r.maxLod < 0 || r.maxLod > last)
    return "its levels of detail are not those of its levels";
  return nullptr;
}

} // namespace vx::texture

#endif // VX_INTRINSICS_TEXTURE_UNITMODES_H
