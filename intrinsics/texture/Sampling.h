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

/// Normalized coordinates have 21 fractional bits, and what is below is cut off.
constexpr int kFraction = 21;
constexpr float kOne = 1 << kFraction;

/// Returns the largest integer up to X.
VX_INLINE int32_t floored(float x) {
  auto i = static_cast<int32_t>(x);
  return i - (static_cast<float>(i) > x);
}

/// Returns a normalized coordinate of a texture that repeats, in the first period. Whole periods go
/// first, so that nothing is rounded; infinities and what is not a number count as some.
VX_INLINE int32_t firstPeriod(float x, unsigned isMirror) {
  float periods = x * asFloat(0x3f800000 - (isMirror << 23));
  periods = __builtin_fminf(__builtin_fmaxf(periods, -0x1p30f), 0x1p30f);
  float part = periods - static_cast<float>(static_cast<int32_t>(periods));
  return floored(part * (kOne * (isMirror ? 2 : 1))) & ((1 << kFraction << isMirror) - 1);
}

/// Returns where index I of the infinite texture, at most one outside of the first period, is in
/// the texture.
VX_INLINE int32_t repeated(int32_t i, int32_t size, unsigned isMirror) {
  int32_t period = size << isMirror;
  i += period & i >> 31;
  i &= (i - period) >> 31;
  int32_t over = i - size; // the second half of a mirror's period goes back
  return size + ~(over ^ over >> 31);
}

/// An index into one dimension; ISOUTSIDE: the border is there instead.
struct Index {
  uint32_t value;
  bool isOutside;
};

/// Returns the element that X is in; not-a-number counts as 0.
VX_INLINE Index nearest(float x, uint32_t size, bool isNormalized, unsigned mode) {
  auto count = static_cast<int32_t>(size);
  auto isBorder = [&](float end) { return mode == kAddressBorder && (x < 0.0f || x >= end); };
  if (!isNormalized) {
    auto end = static_cast<float>(count);
    float inside = __builtin_fminf(__builtin_fmaxf(x, 0.0f), end - 1.0f);
    return {static_cast<uint32_t>(static_cast<int32_t>(inside)), isBorder(end)};
  }
  unsigned isMirror = mode & 1;
  int32_t at;
  if (mode & 2)
    at = firstPeriod(x, isMirror);
  else
    at = static_cast<int32_t>(__builtin_fminf(__builtin_fmaxf(x * kOne, 0.0f), kOne - 1.0f));
  auto i = static_cast<int32_t>(static_cast<int64_t>(at) * count >> kFraction);
  int32_t inside = mode & 2 ? repeated(i, count, isMirror) : i;
  return {static_cast<uint32_t>(inside), isBorder(1.0f)};
}

/// The two elements around a coordinate, and the weight of the second in 1/256, halves up. It is 0
/// where there is only one, at the edge of a texture that is clamped.
struct Pair {
  Index index[2];
  int32_t weight;
};

/// Returns the neighbours for coordinates in elements, clamped. One without weight may be any
/// element.
VX_INLINE Pair neighbours(float x, uint32_t size) {
  float last = static_cast<float>(static_cast<int32_t>(size)) - 0.5f;
  float inside = __builtin_fminf(__builtin_fmaxf(x, 0.5f), last);
  int32_t at = ((static_cast<int32_t>(inside * 512.0f) + 1) >> 1) - 128; // from the first middle
  int32_t weight = at & 255;
  auto first = static_cast<uint32_t>(at >> 8);
  return {{{first, false}, {first + (weight != 0), false}}, weight};
}

VX_INLINE Pair neighbours(float x, uint32_t size, bool isNormalized, unsigned mode) {
  auto count = static_cast<int32_t>(size);
  unsigned isMirror = mode & 1;
  auto position = [&](int64_t at) { // of 2^-21 elements
    return static_cast<int32_t>((at + (1 << 12)) >> 13) - 128;
  };
  auto index = [](int32_t i, bool isOutside) { return Index{static_cast<uint32_t>(i), isOutside}; };
  if (mode & 2) {
    int32_t at = position(static_cast<int64_t>(firstPeriod(x, isMirror)) * count);
    int32_t low = at >> 8;
    return {{index(repeated(low, count, isMirror), false),
             index(repeated(low + 1, count, isMirror), false)},
            at & 255};
  }
  float bounded =
      __builtin_fminf(__builtin_fmaxf(x * (isNormalized ? kOne : 512.0f), -0x1.8p26f), 0x1.8p26f);
  int32_t fixed = floored(bounded) & -static_cast<int32_t>(x == x);
  int32_t at = position(fixed * static_cast<int64_t>(isNormalized ? count : 1 << 12));
  int32_t low = at >> 8;
  bool isBorder = mode == kAddressBorder;
  auto element = [&](int32_t i) {
    int32_t positive = i & ~(i >> 31), over = positive - (count - 1);
    int32_t inside = positive - (over & ~(over >> 31));
    return index(inside, isBorder && inside != i);
  };
  Index first = element(low), second = element(low + 1);
  bool areTwo = isBorder || first.value != second.value;
  return {{first, second}, at & 255 & -static_cast<int32_t>(areTwo)};
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
    Index i = nearest(p.at[d], sizes[d], p.isNormalized, r.addressing[d]);
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
  /// Writes the weights of the elements in 1/256, whose sum is WHOLE. The pairs are divided one
  /// after the other, and each share is rounded.
  VX_INLINE void weights(int32_t whole, int32_t *out) const {
    if constexpr (D == 3) {
      int32_t behind = (whole * pairs[2].weight + 127) >> 8; // the front has the halves
      flatWeights(whole - behind, out);
      flatWeights(behind, out + 4);
    } else {
      flatWeights(whole, out);
    }
  }

private:
  VX_INLINE void flatWeights(int32_t whole, int32_t *out) const {
    int32_t right = rounded(whole * pairs[0].weight), left = whole - right;
    if constexpr (D == 1) {
      out[0] = left;
      out[1] = right;
    } else {
      int32_t below = pairs[1].weight;
      out[3] = rounded(right * below);
      out[1] = right - out[3];
      out[0] = rounded(left * (256 - below));
      out[2] = left - out[0];
    }
  }
  /// Rounds halves up.
  static VX_INLINE int32_t rounded(int32_t in256ths) { return (in256ths + 128) >> 8; }
};
/// Returns the elements that a filter takes; NEEDSALL: those that have no weight, too.
template <unsigned D>
VX_INLINE Neighbourhood<D> neighbourhood(const TextureRecord &r, const Level &level, const Place &p,
                                         bool needsAll = false) {
  const uint32_t sizes[3] = {level.width, level.height, level.depth};
  Neighbourhood<D> n;
  n.layer = p.layer;
  if (!p.isNormalized && !(r.flags & abi::kTextureBorder) && !needsAll)
    for (unsigned d = 0; d < D; ++d)
      n.pairs[d] = neighbours(p.at[d], sizes[d]);
  else
    for (unsigned d = 0; d < D; ++d)
      n.pairs[d] = neighbours(p.at[d], sizes[d], p.isNormalized, r.addressing[d]);
  return n;
}

/// Returns the element at ADDRESS or the border, as the program gets it.
template <unsigned N, typename Memory>
VX_INLINE Texel<N> texelAt(const Memory &m, const TextureRecord &r, uint64_t address,
                           bool isOutside) {
  Texel<N> texel = load<N>(m, r, address);
  for (unsigned c = 0; c < N; ++c)
    texel.bits[c] = isOutside ? r.border[c] : texel.bits[c];
  if (r.divisor != 0)
    for (unsigned c = 0; c < N; ++c)
      texel.bits[c] = number(r, texel.bits[c]);
  return texel;
}

/// Returns what a filter makes of the elements around P, which together have the weight WHOLE.
template <unsigned D, unsigned N, typename Memory>
VX_INLINE Sum<N> filter(const Memory &m, const TextureRecord &r, const Level &level, const Place &p,
                        int32_t whole = 256) {
  constexpr unsigned count = 1u << D;
  Neighbourhood<D> n = neighbourhood<D>(r, level, p);
  uint64_t addresses[count];
  for (unsigned i = 0; i < count; ++i)
    addresses[i] = n.address(r, level, i);
  struct Elements {
    uint32_t bits[count][N];
  };
  Elements e = withFormat(m, r, [&](auto channel) {
    Elements e;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned c = 0; c < N; ++c)
        e.bits[i][c] = channel(addresses[i], present(r, c));
    return e;
  });
  if (r.flags & abi::kTextureBorder)
    for (unsigned i = 0; i < count; ++i)
      for (unsigned c = 0; c < N; ++c)
        e.bits[i][c] = n.isOutside(i) ? r.border[c] : e.bits[i][c];
  int32_t weights[count];
  n.weights(whole, weights);
  Sum<N> sum;
  if (r.flags & abi::kTextureIntegers) {
    for (unsigned c = 0; c < N; ++c)
      sum.bits[c] = e.bits[0][c] * weights[0];
    for (unsigned i = 1; i < count; ++i)
      for (unsigned c = 0; c < N; ++c)
        sum.bits[c] += e.bits[i][c] * weights[i];
    return sum;
  }
  // In double nothing is lost: there is one rounding, with halves away from 0.
  double sums[N];
  for (unsigned i = 0; i < count; ++i) {
    double weight = weights[i];
    uint32_t counts = -static_cast<uint32_t>(weights[i] != 0); // else an infinity would
    for (unsigned c = 0; c < N; ++c) {
      double value = asFloat(e.bits[i][c] & counts);
      sums[c] = i == 0 ? weight * value : __builtin_elementwise_fma(weight, value, sums[c]);
    }
  }
  for (unsigned c = 0; c < N; ++c)
    sum.bits[c] = asBits(static_cast<float>(sums[c] * (0x1p-8 + 0x1p-58)));
  return sum;
}

/// Returns the part of a filter between levels that LEVEL has at P, with the weight WHOLE, for
/// textures that give numbers.
template <unsigned D, unsigned N, typename Memory>
VX_INLINE Sum<N> levelSum(const Memory &m, const TextureRecord &r, const Level &level,
                          const Place &p, int32_t whole) {
  if (r.flags & abi::kTextureLinear)
    return filter<D, N>(m, r, level, p, whole);
  Nearest<D> n = nearest<D>(r, level, p);
  Texel<N> texel = load<N>(m, r, n.address);
  Sum<N> sum;
  for (unsigned c = 0; c < N; ++c) {
    uint32_t bits = n.isOutside ? r.border[c] : texel.bits[c];
    sum.bits[c] = r.flags & abi::kTextureIntegers
                      ? bits * whole
                      : asBits(asFloat(bits) * (static_cast<float>(whole) * 0x1p-8f));
  }
  return sum;
}

/// Returns what LEVEL shows at P, as the program gets it.
template <unsigned D, unsigned N, typename Memory>
VX_INLINE Texel<N> sampleLevel(const Memory &m, const TextureRecord &r, const Level &level,
                               const Place &p) {
  if (r.flags & abi::kTextureLinear)
    return result(r, filter<D, N>(m, r, level, p));
  Nearest<D> n = nearest<D>(r, level, p);
  return texelAt<N>(m, r, n.address, n.isOutside);
}

/// Returns the level of detail that is shown, in steps of 1/256.
VX_INLINE int32_t levelOfDetail(const TextureRecord &r, float lod) {
  float bounded = __builtin_fminf(__builtin_fmaxf(lod, -0x1p8f), 0x1p8f);
  int32_t asked = static_cast<int32_t>(bounded * 256.0f) & -static_cast<int32_t>(lod == lod);
  int32_t detail = asked + r.bias;
  detail = detail > r.maxLod ? r.maxLod : detail;
  return detail < r.minLod ? r.minLod : detail;
}

/// Returns what levels of a mipmapped texture show at a level of detail. LEVELS samples one of
/// them, by its number: texel() as the program gets it, sum() a part of it.
template <unsigned N, typename Levels>
VX_INLINE Texel<N> blendLevels(const TextureRecord &r, float lod, const Levels &levels) {
  int32_t detail = levelOfDetail(r, lod);
  if (!(r.flags & abi::kTextureMipLinear)) // the nearest one; of two, the less detailed one
    return levels.texel((detail + 128) >> 8);
  int32_t first = detail >> 8, weight = detail & 255;
  // Elements that no filter changes keep their bits.
  if (weight == 0 && r.divisor == 0 && !(r.flags & abi::kTextureLinear))
    return levels.texel(first);
  Sum<N> sum;
  for (unsigned c = 0; c < N; ++c)
    sum.bits[c] = 0;
  int32_t last = first + (weight != 0);
#pragma nounroll
  for (int32_t i = first; i <= last; ++i) {
    Sum<N> part = levels.sum(i, i == first ? 256 - weight : weight);
    for (unsigned c = 0; c < N; ++c)
      sum.bits[c] = r.flags & abi::kTextureIntegers
                        ? sum.bits[c] + part.bits[c]
                        : asBits(asFloat(sum.bits[c]) + asFloat(part.bits[c]));
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
  VX_INLINE Texel<N> texel(unsigned i) const { return sampleLevel<D, N>(m, r, level(i), place); }
  VX_INLINE Sum<N> sum(unsigned i, int32_t whole) const {
    return levelSum<D, N>(m, r, level(i), place, whole);
  }
};

} // namespace vx::texture

#endif // VX_INTRINSICS_TEXTURE_SAMPLING_H
