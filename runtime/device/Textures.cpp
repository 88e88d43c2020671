// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches (CUDA C++ Programming Guide, "Texture Fetching"). Built to bitcode, ordinary C++
// run by every lane; include/vx/cuda/textures.h calls it. Functions come for 1, 2 and 4
// channels: one is returned as it is, two are the halves of a word, four are written to OUT.

#include "intrinsics/texture/Sampling.h"
#ifndef VX_NO_TEXTURE_UNIT
#include "runtime/device/TextureUnit.h"
#endif

#pragma clang fp contract(off)

using namespace vx::texture;

extern "C" float __nv_log2f(float);

namespace {

struct DeviceMemory {
  template <typename T> VX_INLINE const T &read(uint64_t address) const {
    return *reinterpret_cast<const T *>(static_cast<uintptr_t>(address));
  }
};

const TextureRecord &record(uint64_t texture) {
  return DeviceMemory().read<TextureRecord>(texture);
}

/// Layers count without a sign: one below 0 is beyond the last, as on GPUs.
uint32_t clampLayer(int layer, uint32_t layers) {
  auto number = static_cast<uint32_t>(layer);
  return number < layers ? number : layers - 1;
}

bool isNormalized(const TextureRecord &r) {
  return r.flags & vx::abi::kTextureNormalized;
}

/// Returns what levels of a mipmapped texture show at (x, y, z) at a level of detail.
template <unsigned D, unsigned N>
[[gnu::noinline]] Texel<N> sampleLevels(const TextureRecord &r, const Place &p, float lod) {
  DeviceMemory m;
  return blendLevels<N>(r, lod, SampledLevels<D, N, DeviceMemory>{m, r, p});
}

template <unsigned D, unsigned N>
VX_INLINE Texel<N> sample(const TextureRecord &r, const Place &p, float lod) {
  return r.lastLevel ? sampleLevels<D, N>(r, p, lod)
                     : sampleLevel<D, N>(DeviceMemory(), r, r.base, p);
}

/// Which face of a cube a direction points to, and where, in [0, 1].
struct FacePlace {
  uint32_t face;
  float s, t;
};
VX_INLINE FacePlace facePlace(float x, float y, float z) {
  float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  bool isX = ax >= ay && ax >= az, isY = !isX && ay >= az;
  float major = isX ? x : isY ? y : z;
  bool negative = major < 0;
  float m = __builtin_fabsf(major);
  float s = isX ? (negative ? z : -z) : isY ? x : negative ? -x : x;
  float t = isY ? (negative ? -z : z) : -y;
  uint32_t face = (isX ? 0 : isY ? 2 : 4) + negative;
  return {face, (s / m + 1.0f) * 0.5f, (t / m + 1.0f) * 0.5f};
}

VX_INLINE uint64_t packed(const Texel<2> &texel) {
  return texel.bits[0] | static_cast<uint64_t>(texel.bits[1]) << 32;
}
VX_INLINE void put(uint32_t *out, const Texel<4> &texel) {
  for (unsigned c = 0; c < 4; ++c)
    out[c] = texel.bits[c];
}

template <unsigned N> VX_INLINE Texel<N> fetch(uint64_t texture, int x) {
  const TextureRecord &r = record(texture);
  bool isInside = static_cast<uint32_t>(x) < r.base.width;
  uint64_t address = addressOf(r, r.base, isInside ? static_cast<uint32_t>(x) : 0, 0, 0);
  Texel<N> texel = texelAt<N>(DeviceMemory(), r, address, false);
  for (unsigned c = 0; c < N; ++c)
    texel.bits[c] = isInside ? texel.bits[c] : 0;
  return texel;
}

template <unsigned N>
[[gnu::noinline]] Texel<N> software1(uint64_t texture, float x, int layer, float lod) {
  const TextureRecord &r = record(texture);
  return sample<1, N>(r, {{x, 0, 0}, clampLayer(layer, r.base.depth), isNormalized(r)}, lod);
}
template <unsigned N>
[[gnu::noinline]] Texel<N> software2(uint64_t texture, float x, float y, int layer, float lod) {
  const TextureRecord &r = record(texture);
  return sample<2, N>(r, {{x, y, 0}, clampLayer(layer, r.base.depth), isNormalized(r)}, lod);
}
// In one and two dimensions a texture unit may do the work. Then nothing else must cost anything:
// the decision is inlined into the kernel, and software is a function, whose stack lanes do not
// share.
#ifdef VX_NO_TEXTURE_UNIT
#define VX_ENTRY
constexpr bool isForUnit(const TextureRecord &) {
  return false;
}
template <unsigned D, unsigned N>
Texel<N> sampleByUnit(const TextureRecord &, float, float, float) {
  return {};
}
#else
#define VX_ENTRY [[gnu::always_inline]]
VX_INLINE bool isForUnit(const TextureRecord &r) {
  return r.flags & vx::abi::kTextureUnit;
}
#endif
template <unsigned N> VX_INLINE Texel<N> sample1(uint64_t texture, float x, int layer, float lod) {
  const TextureRecord &r = record(texture);
  return isForUnit(r) ? sampleByUnit<1, N>(r, x, x, lod) : software1<N>(texture, x, layer, lod);
}
template <unsigned N>
VX_INLINE Texel<N> sample2(uint64_t texture, float x, float y, int layer, float lod) {
  const TextureRecord &r = record(texture);
  return isForUnit(r) ? sampleByUnit<2, N>(r, x, y, lod) : software2<N>(texture, x, y, layer, lod);
}

template <unsigned N>
VX_INLINE Texel<N> sample3(uint64_t texture, float x, float y, float z, float lod) {
  const TextureRecord &r = record(texture);
  return sample<3, N>(r, {{x, y, z}, 0, isNormalized(r)}, lod);
}
template <unsigned N>
VX_INLINE Texel<N> sampleCube(uint64_t texture, float x, float y, float z, int layer, float lod) {
  const TextureRecord &r = record(texture);
  FacePlace p = facePlace(x, y, z);
  uint32_t slice = 6 * clampLayer(layer, r.base.depth / 6) + p.face;
  return sample<2, N>(r, {{p.s, p.t, 0}, slice, true}, lod);
}

} // namespace

// tex1Dfetch: the element at an index; 0 outside.
extern "C" uint32_t __vx_tex_fetch_1(uint64_t texture, int x) {
  return fetch<1>(texture, x).bits[0];
}
extern "C" uint64_t __vx_tex_fetch_2(uint64_t texture, int x) {
  return packed(fetch<2>(texture, x));
}
extern "C" void __vx_tex_fetch_4(uint32_t *out, uint64_t texture, int x) {
  put(out, fetch<4>(texture, x));
}

extern "C" VX_ENTRY uint32_t __vx_tex_1d_1(uint64_t texture, float x, int layer, float lod) {
  return sample1<1>(texture, x, layer, lod).bits[0];
}
extern "C" VX_ENTRY uint64_t __vx_tex_1d_2(uint64_t texture, float x, int layer, float lod) {
  return packed(sample1<2>(texture, x, layer, lod));
}
extern "C" VX_ENTRY void __vx_tex_1d_4(uint32_t *out, uint64_t texture, float x, int layer,
                                       float lod) {
  put(out, sample1<4>(texture, x, layer, lod));
}

extern "C" VX_ENTRY uint32_t __vx_tex_2d_1(uint64_t texture, float x, float y, int layer,
                                           float lod) {
  return sample2<1>(texture, x, y, layer, lod).bits[0];
}
extern "C" VX_ENTRY uint64_t __vx_tex_2d_2(uint64_t texture, float x, float y, int layer,
                                           float lod) {
  return packed(sample2<2>(texture, x, y, layer, lod));
}
extern "C" VX_ENTRY void __vx_tex_2d_4(uint32_t *out, uint64_t texture, float x, float y, int layer,
                                       float lod) {
  put(out, sample2<4>(texture, x, y, layer, lod));
}

extern "C" uint32_t __vx_tex_3d_1(uint64_t texture, float x, float y, float z, float lod) {
  return sample3<1>(texture, x, y, z, lod).bits[0];
}
extern "C" uint64_t __vx_tex_3d_2(uint64_t texture, float x, float y, float z, float lod) {
  return packed(sample3<2>(texture, x, y, z, lod));
}
extern "C" void __vx_tex_3d_4(uint32_t *out, uint64_t texture, float x, float y, float z,
                              float lod) {
  put(out, sample3<4>(texture, x, y, z, lod));
}

extern "C" uint32_t __vx_tex_cube_1(uint64_t texture, float x, float y, float z, int layer,
                                    float lod) {
  return sampleCube<1>(texture, x, y, z, layer, lod).bits[0];
}
extern "C" uint64_t __vx_tex_cube_2(uint64_t texture, float x, float y, float z, int layer,
                                    float lod) {
  return packed(sampleCube<2>(texture, x, y, z, layer, lod));
}
extern "C" void __vx_tex_cube_4(uint32_t *out, uint64_t texture, float x, float y, float z,
                                int layer, float lod) {
  put(out, sampleCube<4>(texture, x, y, z, layer, lod));
}

/// tex2Dgather: channel COMPONENT of the four elements that a filter would take at (x, y), as
/// (left, lower), (right, lower), (right, upper), (left, upper) where y grows downwards.
extern "C" void __vx_tex_gather(uint32_t *out, uint64_t texture, float x, float y, int component) {
  const TextureRecord &r = record(texture);
  Neighbourhood<2> n = neighbourhood<2>(r, r.base, {{x, y, 0}, 0, isNormalized(r)}, true);
  constexpr unsigned order[4] = {2, 3, 1, 0};
  for (unsigned i = 0; i < 4; ++i) {
    Texel<4> texel =
        texelAt<4>(DeviceMemory(), r, n.address(r, r.base, order[i]), n.isOutside(order[i]));
    uint32_t chosen = texel.bits[0];
    for (int c = 1; c < 4; ++c)
      chosen = component == c ? texel.bits[c] : chosen;
    out[i] = chosen;
  }
}

// The level of detail of tex*Grad: log2 of the longer gradient in elements. Of cube maps, the
// gradients are those on the face that (x, y, z) points to.
namespace {
float detailOf(float squareX, float squareY) {
  return 0.5f * __nv_log2f(__builtin_fmaxf(squareX, squareY));
}
float sizeOf(const TextureRecord &r, uint32_t size) {
  return isNormalized(r) ? static_cast<float>(size) : 1.0f;
}
} // namespace

extern "C" float __vx_tex_lod_1d(uint64_t texture, float dx, float dy) {
  const TextureRecord &r = record(texture);
  float size = sizeOf(r, r.base.width);
  dx *= size, dy *= size;
  return detailOf(dx * dx, dy * dy);
}
extern "C" float __vx_tex_lod_2d(uint64_t texture, float sx, float tx, float sy, float ty) {
  const TextureRecord &r = record(texture);
  float width = sizeOf(r, r.base.width), height = sizeOf(r, r.base.height);
  sx *= width, sy *= width, tx *= height, ty *= height;
  return detailOf(sx * sx + tx * tx, sy * sy + ty * ty);
}
extern "C" float __vx_tex_lod_3d(uint64_t texture, float sx, float tx, float px, float sy, float ty,
                                 float py) {
  const TextureRecord &r = record(texture);
  float width = sizeOf(r, r.base.width), height = sizeOf(r, r.base.height);
  float depth = sizeOf(r, r.base.depth);
  sx *= width, sy *= width, tx *= height, ty *= height, px *= depth, py *= depth;
  return detailOf(sx * sx + tx * tx + px * px, sy * sy + ty * ty + py * py);
}
extern "C" float __vx_tex_lod_cube(uint64_t texture, float x, float y, float z, float xx, float yx,
                                   float zx, float xy, float yy, float zy) {
  const TextureRecord &r = record(texture);
  float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  bool isX = ax >= ay && ax >= az, isY = !isX && ay >= az;
  float m = isX ? x : isY ? y : z, s = isX ? y : x, t = isX || isY ? z : y;
  // The derivative of s / m is (s' - s / m * m') / m; a face is 2 wide.
  float half = 0.5f * static_cast<float>(r.base.width) / m;
  auto square = [&](float dx, float dy, float dz) {
    float dm = isX ? dx : isY ? dy : dz, ds = isX ? dy : dx, dt = isX || isY ? dz : dy;
    float u = (ds - s / m * dm) * half, v = (dt - t / m * dm) * half;
    return u * u + v * v;
  };
  return detailOf(square(xx, yx, zx), square(xy, yy, zy));
}
