// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of textures: how channels are read from memory and what they mean. For the device
// library, where a memory is the device's own, and for the texture unit of the simulator: both
// compute the same bits.
//
// A Memory has `template <typename T> T read(uint64_t address) const`.

#ifndef VX_INTRINSICS_TEXTURE_TEXELS_H
#define VX_INTRINSICS_TEXTURE_TEXELS_H

#include "intrinsics/abi/TextureRecord.h"

// Entries are whole functions, so that structures never are arguments of a call.
#define VX_INLINE inline __attribute__((always_inline))

namespace vx::texture {

using abi::TextureRecord;
using Level = VxImageLevel;

VX_INLINE float asFloat(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
VX_INLINE uint32_t asBits(float value) {
  return __builtin_bit_cast(uint32_t, value);
}

/// The first N channels of an element, each in 32 bits.
template <unsigned N> struct Texel {
  uint32_t bits[N];
};
/// Sums over channels of elements with weights: floats, or integers in steps of 1/256, with the
/// signs of the channels.
template <unsigned N> struct Sum {
  uint32_t bits[N];
};

/// Returns the float of an IEEE half; a NaN keeps its bits.
VX_INLINE uint32_t fromHalf(uint16_t half) {
  uint32_t magnitude = (half & 0x7fffu) << 13;
  uint32_t finite = asBits(asFloat(magnitude) * 0x1p112f); // what exponents differ by
  return (half & 0x8000u) << 16 | (magnitude < 0x0f800000u ? finite : magnitude | 0x7f800000u);
}

/// Returns element I of the T at ADDRESS of M.
template <typename T, typename Memory>
VX_INLINE T element(const Memory &m, uint64_t address, unsigned i) {
  return m.template read<T>(address + i * sizeof(T));
}

/// Returns BODY(channel), where channel(address, c) is channel C of the element at ADDRESS of M:
/// the decision on the format is made once for all that BODY reads.
template <typename Memory, typename Body>
VX_INLINE auto withFormat(const Memory &m, const TextureRecord &r, Body &&body) {
  auto extend = [&](uint32_t bits) {
    return static_cast<uint32_t>(static_cast<int32_t>(bits << r.signShift) >> r.signShift);
  };
  if (r.kind == abi::kTexelWord)
    return body([&](uint64_t address, unsigned c) { return element<uint32_t>(m, address, c); });
  if (r.kind == abi::kTexelByte)
    return body(
        [&](uint64_t address, unsigned c) { return extend(element<uint8_t>(m, address, c)); });
  if (r.kind == abi::kTexelShort)
    return body(
        [&](uint64_t address, unsigned c) { return extend(element<uint16_t>(m, address, c)); });
  if (r.kind == abi::kTexelHalf)
    return body(
        [&](uint64_t address, unsigned c) { return fromHalf(element<uint16_t>(m, address, c)); });
  return body([&](uint64_t address, unsigned c) {
    unsigned byte = element<uint8_t>(m, address, c);
    float linear = element<float>(m, r.srgb, byte);
    return asBits(c == 3 ? static_cast<float>(byte) / 255.0f : linear);
  });
}

/// Returns the channel of an element to read for channel C: one that is there, so that nothing
/// branches.
VX_INLINE unsigned present(const TextureRecord &r, unsigned c) {
  return c < r.channels ? c : 0;
}
/// Sets channels that an element does not have to 0.
template <unsigned N> VX_INLINE void complete(const TextureRecord &r, Texel<N> &texel) {
  for (unsigned c = 1; c < N; ++c)
    texel.bits[c] = c < r.channels ? texel.bits[c] : 0;
}

/// Returns the element at ADDRESS of M.
template <unsigned N, typename Memory>
VX_INLINE Texel<N> load(const Memory &m, const TextureRecord &r, uint64_t address) {
  Texel<N> texel = withFormat(m, r, [&](auto channel) {
    Texel<N> texel;
    for (unsigned c = 0; c < N; ++c)
      texel.bits[c] = channel(address, present(r, c));
    return texel;
  });
  complete(r, texel);
  return texel;
}

/// Returns the number that an integer stands for.
VX_INLINE uint32_t number(const TextureRecord &r, uint32_t bits) {
  auto integer = static_cast<float>(static_cast<int32_t>(bits));
  return asBits(__builtin_fmaxf(integer, r.least) / r.divisor);
}

/// Returns a float that has been a half's value before it was filtered: it is one again, with
/// halves away from 0.
VX_INLINE uint32_t roundedToHalf(uint32_t bits) {
  return (bits + 0x1000u) & ~0x1fffu;
}

/// Returns what the program gets for SUM. Integers of 8 bits are blended as ones of 16.
template <unsigned N> VX_INLINE Texel<N> result(const TextureRecord &r, const Sum<N> &sum) {
  Texel<N> texel;
  for (unsigned c = 0; c < N; ++c)
    texel.bits[c] = sum.bits[c];
  if (r.divisor != 0) {
    bool isByte = r.kind == abi::kTexelByte;
    int32_t integers[N];
    if (isByte && r.signShift != 0) {
      for (unsigned c = 0; c < N; ++c) {
        auto s = static_cast<int32_t>(sum.bits[c]);
        integers[c] = s + (((s >> 4) + (s >> 12) + 4) >> 3);
      }
    } else {
      for (unsigned c = 0; c < N; ++c) {
        auto s = static_cast<int32_t>(sum.bits[c]);
        integers[c] = (s & -static_cast<int32_t>(isByte)) + ((s + 128) >> 8);
      }
    }
    for (unsigned c = 0; c < N; ++c) {
      float bounded = __builtin_fmaxf(static_cast<float>(integers[c]), -32767.0f);
      texel.bits[c] = asBits(bounded / r.filteredDivisor);
    }
  } else if (r.kind >= abi::kTexelHalf) {
    for (unsigned c = 0; c < N; ++c)
      texel.bits[c] =
          r.kind == abi::kTexelSrgb && c == 3 ? texel.bits[c] : roundedToHalf(texel.bits[c]);
  }
  complete(r, texel);
  return texel;
}

} // namespace vx::texture

#endif // VX_INTRINSICS_TEXTURE_TEXELS_H
