// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects as kernels see them: the handle is the device address of this record,
// which the runtime writes (runtime/core/Textures) and runtime/device/Textures.cpp and Surfaces.cpp
// read.

#ifndef VX_INTRINSICS_ABI_TEXTURERECORD_H
#define VX_INTRINSICS_ABI_TEXTURERECORD_H

#include "intrinsics/abi/ImageLevel.h"

namespace vx::abi {

/// The kind of value in a channel of an element.
enum TexelKind : uint32_t {
  kTexelWord, ///< 32 bits, integer or float, taken as they are
  kTexelByte, ///< integers of 8 bits
  kTexelShort,
  kTexelHalf, ///< IEEE half
  kTexelSrgb, ///< four bytes, three of them in sRGB; alpha is linear
};

/// The treatment of coordinates outside of the texture. The values that repeat have bit 1 set.
enum TextureAddressing : uint8_t {
  kAddressClamp = 0,
  kAddressBorder = 1,
  kAddressWrap = 2,
  kAddressMirror = 3,
};

enum TextureFlags : uint32_t {
  kTextureLinear = 1,     ///< filter; else the nearest element
  kTextureNormalized = 2, ///< coordinates are in [0, 1)
  kTextureMipLinear = 4,  ///< filter between levels; else the nearest level
  kTextureIntegers = 8,   ///< channels are integers, which a float result has to be made of
  kTextureBorder = 0x10,  ///< some coordinate has kAddressBorder
  kTextureUnit = 0x20,    ///< fetches that the texture unit can do are its own
};

/// The levels of a mipmapped array at most: 2^16 elements and what lies above.
constexpr unsigned kMaxTextureLevels = 17;

struct TextureRecord {
  VxImageLevel base; ///< level 0 of what the texture shows
  uint32_t flags;
  uint32_t channels;     ///< 1, 2 or 4
  uint32_t texelShift;   ///< log2 of an element's bytes
  TexelKind kind;        ///< of each channel
  uint32_t signShift;    ///< of signed channels of 8 and 16 bits: what extends the sign; else 0
  float least;           ///< smaller integers count as this one where numbers are made of them
  float divisor;         ///< of integers that are read as numbers up to 1; 0: they are not
  float filteredDivisor; ///< of those that a filter has made of them, which have 16 bits
  uint8_t addressing[4]; ///< TextureAddressing of x, y, z
  uint32_t lastLevel;    ///< 0: there is only the base
  int32_t bias, minLod, maxLod; ///< of the level of detail, in 1/256 of a level; minLod wins, both
                                ///< are from 0 to lastLevel
  uint32_t border[4];           ///< as a channel of an element, extended to 32 bits
  uint64_t levels;              ///< device address of the levels, VxImageLevel each
  uint64_t srgb;                ///< device address of 256 floats: what a byte in sRGB means
};

} // namespace vx::abi

#endif // VX_INTRINSICS_ABI_TEXTURERECORD_H
