// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a CUDA warp, for compiler, runtime and device code alike.

#ifndef VX_ABI_WARP_SIZE_H
#define VX_ABI_WARP_SIZE_H

#include <stdint.h>

namespace vx::abi {

/// Threads of a CUDA warp, on every device, and the binary logarithm of that.
inline constexpr uint32_t kWarpSize = 32, kWarpShift = 5;
static_assert(1u << kWarpShift == kWarpSize);

/// Threads of a block, and CUDA warps of one, at most.
inline constexpr uint32_t kMaxBlockThreads = 1024, kMaxBlockWarps = kMaxBlockThreads / kWarpSize;

/// Hardware warps of a logical warp, at most: each has a byte of a 64-bit word for its flags.
inline constexpr uint32_t kMaxLogicalWarpParts = 8;
/// Lanes of a hardware warp of several that are a logical warp, at least: two of them share a byte
/// of a ballot, at most.
inline constexpr uint32_t kMinLogicalWarpLanes = 4;

/// Mapping coarsened: lanes of the hardware warps that run CUDA warps, and threads of each lane.
inline constexpr uint32_t kCoarsenedLanes = 8, kCoarsenedParts = kWarpSize / kCoarsenedLanes;

} // namespace vx::abi

#endif // VX_ABI_WARP_SIZE_H
