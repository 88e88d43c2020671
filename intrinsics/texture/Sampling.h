// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sampling of one level of a texture: which elements a coordinate names and with which weights
// (CUDA C++ Programming Guide, "Texture Fetching"). For the device and the simulator's texture
// unit.

#ifndef VX_INTRINSICS_TEXTURE_SAMPLING_H
#define VX_INTRINSICS_TEXTURE_SAMPLING_H

#include "intrinsics/texture/Texels.h"

#pragma clang fp contract(off)

namespace vx::texture {

using abi::kAddressBorder;
using abi::kAddressMirror;
using abi::kAddressWrap;

/// The weights of filters are fixed-point numbers with 8 fractional bits, so that 1 is one of them.
VX_INLINE float quantize(float fraction) {
  return static_cast<float>(static_cast<int>(fraction * 256.0f + 0.5f)) * (1.0f / 256.0f);
}

/// An index into one dimension; ISOUTSIDE: the border is there instead.
struct Index {
  uint32_t value;
  bool isOutside;
};

/// A coordinate in elements, still unbounded. Where it repeats it is in [0, SIZE].
VX_INLINE float scale(float x, float size, bool isNormalized, unsigned mode) {
  if (mode & 2) { // of normalized coordinates only
    float period = mode == kAddressMirror ? 2.0f : 1.0f;
    float turns = __builtin_floorf(x * (mode == kAddressMirror ? 0.5f : 1.0f));
    float part = x - turns * period;
    x = mode == kAddressMirror && part > 1.0f ? 2.0f - part : part;
  }
  return x * (isNormalized ? size : 1.0f);
}

/// The element that X is in; not-a-number counts as 0.
VX_INLINE Index nearest(float x, float size, unsigned mode) {
  bool isOutside = mode == kAddressBorder && !(x >= 0.0f && x < size);
  float inside = __builtin_fminf(__builtin_fmaxf(x, 0.0f), size - 1.0f);
  return {static_cast<uint32_t>(static_cast<int32_t>(inside)), isOutside};
}

VX_INLINE Index bounded(int32_t i, int32_t size, unsigned mode) {
  int32_t last = size - 1;
  bool below = i<0, above = i> last;
  bool wraps = mode == kAddressWrap;
  int32_t inside = below ? (wraps ? last : 0) : above ? (wraps ? 0 : last) : i;
  return {static_cast<uint32_t>(inside), mode == kAddressBorder && (below || above)};
}

/// The two elements around X, and the weight of the second.
struct Pair {
  Index index[2];
  float weight;
};
VX_INLINE Pair neighbours(float x, float size, unsigned mode) {
  float shifted = __builtin_fminf(__builtin_fmaxf(x - 0.5f, -2.0f), size);
  int32_t low = static_cast<int32_t>(shifted);
  low -= static_cast<float>(low) > shifted;
  int32_t count = static_cast<int32_t>(size);
  return {{bounded(low, count, mode), bounded(low + 1, count, mode)},
          quantize(shifted - static_cast<float>(low))};
}

VX_INLINE uint64_t addressOf(const TextureRecord &r, const Level &level, uint32_t x, uint32_t y,
                             uint32_t z) {
  return level.data + z * level.slicePitch + y * level.rowPitch +
         (static_cast<uint64_t>(x) << r.texelShift);
}

/// A place in a texture of D dimensions; LAYER counts where D is less than 3.
struct Place {
  float at[3];
  uint32_t layer;
  bool isNormalized;
};

template <unsigned D> struct Nearest {
  uint64_t address;
  bool isOutside;
};
template <unsigned D>
VX_INLINE Nearest<D> nearest(const TextureRecord &r, const Level &level, const Place &p) {
  const uint32_t sizes[3] = {level.width, level.height, level.depth};
  uint32_t index[3] = {0, 0, p.layer};
  bool isOutside = false;
  for (unsigned d = 0; d < D; ++d) {
    float size = static_cast<float>(sizes[d]);
    unsigned mode = r.addressing[d];
    Index i = nearest(scale(p.at[d], size, p.isNormalized, mode), size, mode);
    index[d] = i.value;
    isOutside |= i.isOutside;
  }
  return {addressOf(r, level, index[0], index[1], index[2]), isOutside};
}

/// The elements around a place: element I, bit d of I says which of the two in dimension d.
template <unsigned D> struct Neighbourhood {
  Pair pairs[D];
  uint32_t layer;

  VX_INLINE uint64_t address(const TextureRecord &r, const Level &level, unsigned i) const {
    uint32_t index[3] = {0, 0, layer};
    for (unsigned d = 0; d < D; ++d)
      index[d] = pairs[d].index[i >> d & 1].value;
    return addressOf(r, level, index[0], index[1], index[2]);
  }
  VX_INLINE bool isOutside(unsigned i) const {
    bool outside = false;
    for (unsigned d = 0; d < D; ++d)
      outside |= pairs[d].index[i >> d & 1].isOutside;
    return outside;
  }
  /// The product of 1 - weight and weight.
  VX_INLINE float weight(unsigned i) const {
    float product = 1.0f;
    for (unsigned d = 0; d < D; ++d)
      product *= i >> d & 1 ? pairs[d].weight : 1.0f - pairs[d].weight;
    return product;
  }
};
template <unsigned D>
VX_INLINE Neighbourhood<D> neighbourhood(const TextureRecord &r, const Level &level,
                                         const Place &p) {
  const uint32_t sizes[3] = {level.width, level.height, level.depth};
  Neighbourhood<D> n;
  n.layer = p.layer;
  for (unsigned d = 0; d < D; ++d) {
    float size = static_cast<float>(sizes[d]);
    unsigned mode = r.addressing[d];
    n.pairs[d] = neighbours(scale(p.at[d], size, p.isNormalized, mode), size, mode);
  }
  return n;
}

/// The element at ADDRESS or the border, as the program gets it.
template <unsigned N, typename Memory>
VX_INLINE Texel<N> texelAt(const Memory &m, const TextureRecord &r, uint64_t address,
                           bool isOutside) {
  Texel<N> texel = load<N>(m, r, address);
  if (r.divisor == 0) {
    for (unsigned c = 0; c < N; ++c)
      texel.bits[c] = isOutside ? r.border[c] : texel.bits[c];
    return texel;
  }
  Color<N> color;
  for (unsigned c = 0; c < N; ++c)
    color.value[c] = isOutside ? asFloat(r.border[c]) : number(r, texel.bits[c]);
  return result(r, color);
}

/// What a filter makes of the elements around P, before the division.
template <unsigned D, unsigned N, typename Memory>
VX_INLINE Color<N> filter(const Memory &m, const TextureRecord &r, const Level &level,
                          const Place &p) {
  constexpr unsigned count = 1u << D;
  Neighbourhood<D> n = neighbourhood<D>(r, level, p);
  uint64_t addresses[count];
  for (unsigned i = 0; i < count; ++i)
    addresses[i] = n.address(r, level, i);
  struct Elements {
    float value[count][N];
  };
  Elements e = withFormat(m, r, [&](auto channel) {
    Elements e;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned c = 0; c < N; ++c)
        e.value[i][c] = number(r, channel(addresses[i], present(r, c)));
    return e;
  });
  if (r.flags & abi::kTextureBorder)
    for (unsigned i = 0; i < count; ++i)
      for (unsigned c = 0; c < N; ++c)
        e.value[i][c] = n.isOutside(i) ? asFloat(r.border[c]) : e.value[i][c];
  Color<N> sum;
  for (unsigned c = 0; c < N; ++c)
    sum.value[c] = n.weight(0) * e.value[0][c];
  for (unsigned i = 1; i < count; ++i)
    for (unsigned c = 0; c < N; ++c)
      sum.value[c] = __builtin_elementwise_fma(n.weight(i), e.value[i][c], sum.value[c]);
  return sum;
}

/// What LEVEL shows at P, for textures that give numbers, before the division.
template <unsigned D, unsigned N, typename Memory>
VX_INLINE Color<N> sampleColor(const Memory &m, const TextureRecord &r, const Level &level,
                               const Place &p) {
  if (r.flags & abi::kTextureLinear)
    return filter<D, N>(m, r, level, p);
  Nearest<D> n = nearest<D>(r, level, p);
  Texel<N> texel = load<N>(m, r, n.address);
  Color<N> color;
  for (unsigned c = 0; c < N; ++c)
    color.value[c] = n.isOutside ? asFloat(r.border[c]) : number(r, texel.bits[c]);
  return color;
}

/// The same as the program gets it, for all textures.
template <unsigned D, unsigned N, typename Memory>
VX_INLINE Texel<N> sampleLevel(const Memory &m, const TextureRecord &r, const Level &level,
                               const Place &p) {
  if (r.flags & abi::kTextureLinear)
    return result(r, filter<D, N>(m, r, level, p));
  Nearest<D> n = nearest<D>(r, level, p);
  return texelAt<N>(m, r, n.address, n.isOutside);
}

/// The level of detail that is shown, in steps of 1/256.
VX_INLINE float levelOfDetail(const TextureRecord &r, float lod) {
  lod = __builtin_fminf(__builtin_fmaxf(lod + r.bias, r.minLod), r.maxLod);
  lod = __builtin_fminf(__builtin_fmaxf(lod, 0.0f), static_cast<float>(r.lastLevel));
  return quantize(lod);
}

/// What levels of a mipmapped texture show at a level of detail. LEVELS samples one of them, by its
/// number: element() as the program gets it, color() before the division.
template <unsigned N, typename Levels>
VX_INLINE Texel<N> blendLevels(const TextureRecord &r, float lod, const Levels &levels) {
  float detail = levelOfDetail(r, lod);
  bool isLinear = r.flags & abi::kTextureMipLinear;
  unsigned first = static_cast<unsigned>(static_cast<int>(detail));
  float weight = detail - static_cast<float>(first);
  if (!isLinear) { // the nearest one; of two, the more detailed one
    first += weight > 0.5f;
    weight = 0;
  }
  bool isElement = r.divisor == 0 && !(r.flags & abi::kTextureLinear);
  if (isElement && weight == 0)
    return levels.element(first);
  Color<N> sum;
  for (unsigned c = 0; c < N; ++c)
    sum.value[c] = 0;
  unsigned last = first + (weight != 0);
#pragma nounroll
  for (unsigned i = first; i <= last; ++i) {
    Color<N> color = levels.color(i);
    float share = i == first ? 1.0f - weight : weight;
    for (unsigned c = 0; c < N; ++c)
      sum.value[c] = __builtin_elementwise_fma(share, color.value[c], sum.value[c]);
  }
  return result(r, sum);
}

/// The levels of a texture in M, sampled at PLACE.
template <unsigned D, unsigned N, typename Memory> struct SampledLevels {
  const Memory &m;
  const TextureRecord &r;
  const Place &place;

  VX_INLINE decltype(auto) level(unsigned i) const {
    return m.template read<Level>(r.levels + i * sizeof(Level));
  }
  VX_INLINE Texel<N> element(unsigned i) const {
    const Level &l = level(i);
    Nearest<D> n = nearest<D>(r, l, place);
    return texelAt<N>(m, r, n.address, n.isOutside);
  }
  VX_INLINE Color<N> color(unsigned i) const { return sampleColor<D, N>(m, r, level(i), place); }
};

} // namespace vx::texture

#endif // VX_INTRINSICS_TEXTURE_SAMPLING_H
