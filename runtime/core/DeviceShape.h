// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of a device, and CUDA's limits, which are the same on every device.

#ifndef VX_RUNTIME_CORE_DEVICESHAPE_H
#define VX_RUNTIME_CORE_DEVICESHAPE_H

#include "intrinsics/abi/FatBinary.h"
#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/abi/WarpSize.h"
#include <algorithm>
#include <cstdint>

namespace vx::rt {

class Device;

using abi::kMaxBlockThreads;
inline constexpr uint32_t kMaxBlockDimZ = 64;
inline constexpr uint32_t kMaxGridDimX = 0x7fffffff;
inline constexpr uint32_t kMaxGridDimYZ = 65535;
inline constexpr uint32_t kMaxSharedBytes = 48 * 1024;       ///< of a block, by default
inline constexpr uint32_t kMaxSharedBytesOptIn = 163 * 1024; ///< after cudaFuncSetAttribute
inline constexpr uint32_t kThreadRegisters = 64; ///< 32 for integers, 32 for floating point

struct DeviceShape {
  uint32_t numThreads = 1, numWarps = 1, numCores = 1, numBarriers = 1;
  uint64_t localMemBytes = 0, localMemBase = 0;
  abi::IsaProfile profile = abi::IsaProfile::Warp;
  uint64_t stackBytes = 0;    ///< of a lane, at least
  uint64_t maxStackBytes = 0; ///< that every lane can have

  static DeviceShape of(const Device &device);
  uint32_t lanes() const { return numThreads * numWarps; }
  /// Returns how many threads a core is said to hold (a larger block than it has lanes runs in
  /// chunks, so one of the largest size fits), how many blocks and how many registers. In a launch
  /// it may hold more.
  uint32_t residentThreads() const { return std::max(kMaxBlockThreads, lanes()); }
  uint32_t residentBlocks() const { return residentThreads() / abi::kWarpSize; }
  uint32_t registers() const { return residentThreads() * kThreadRegisters; }
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_DEVICESHAPE_H
