// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest arrays, textures and surfaces, in elements: those of compute capability 8.0 (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability").

#ifndef VX_RUNTIME_MEMORY_IMAGELIMITS_H
#define VX_RUNTIME_MEMORY_IMAGELIMITS_H

#include <cstdint>

namespace vx::rt {

struct ImageExtent {
  uint64_t width, height = 1, depth = 1; ///< DEPTH: or layers
};

inline constexpr ImageExtent kMax1D{131072};
inline constexpr ImageExtent kMax1DMipmapped{32768};
inline constexpr ImageExtent kMax1DLayered{32768, 1, 2048};
inline constexpr ImageExtent kMax1DLinear{1 << 28};
inline constexpr ImageExtent kMax2D{131072, 65536};
inline constexpr ImageExtent kMax2DMipmapped{32768, 32768};
inline constexpr ImageExtent kMax2DGather{32768, 32768};
inline constexpr ImageExtent kMax2DLayered{32768, 32768, 2048};
inline constexpr ImageExtent kMax2DLinear{131072, 65000};
inline constexpr uint64_t kMax2DLinearPitch = 2097120;                          ///< bytes
inline constexpr uint64_t kTextureAlignment = 512, kTexturePitchAlignment = 32; ///< of memory
inline constexpr ImageExtent kMax3D{16384, 16384, 16384};
inline constexpr ImageExtent kMax3DAlternate{8192, 8192, 32768};
inline constexpr ImageExtent kMaxCubemap{32768, 32768, 6};
inline constexpr ImageExtent kMaxCubemapLayered{32768, 32768, 2046};
// Surfaces, where they are smaller than textures.
inline constexpr ImageExtent kMaxSurface1D{32768};

} // namespace vx::rt

#endif // VX_RUNTIME_MEMORY_IMAGELIMITS_H
