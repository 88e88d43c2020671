// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one launch is laid out on the device: the entry, warps per block, resident blocks, and where
// shared memory and the values that live across barriers are. Pure arithmetic over the kernel's
// record and the shape of the device; LaunchDescriptor.h says what the numbers mean.

#ifndef VX_RUNTIME_CORE_LAUNCHPLAN_H
#define VX_RUNTIME_CORE_LAUNCHPLAN_H

#include "intrinsics/abi/FatBinary.h"
#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include <cstdint>
#include <optional>
#include <string>

namespace vx::rt {

class Device;

/// CUDA's limits, the same on every configuration.
inline constexpr uint32_t kCudaWarpSize = 32;
inline constexpr uint32_t kMaxBlockThreads = 1024;
inline constexpr uint32_t kMaxBlockDimZ = 64;
inline constexpr uint32_t kMaxGridDimX = 0x7fffffff;
inline constexpr uint32_t kMaxGridDimYZ = 65535;
inline constexpr uint32_t kMaxSharedBytes = 48 * 1024;       ///< of a block, by default
inline constexpr uint32_t kMaxSharedBytesOptIn = 163 * 1024; ///< after cudaFuncSetAttribute

/// The shape of a device.
struct DeviceShape {
  uint32_t numThreads = 1, numWarps = 1, numCores = 1, numBarriers = 1;
  uint64_t localMemBytes = 0, localMemBase = 0;
  abi::IsaProfile profile = abi::IsaProfile::Warp;
  uint64_t stackBytes = 0;    ///< of a lane, at least
  uint64_t maxStackBytes = 0; ///< that every lane can have

  static DeviceShape of(const Device &device);
  uint32_t lanes() const { return numThreads * numWarps; }
};

struct Dim {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// How the sw lowering maps a kernel: a block to a hardware thread; the CUDA warps of a block to
/// hardware threads; a thread to a lane.
enum class SwMapping { Auto, Block, Spread, Warp };

/// Whether GRIDBLOCKS blocks of BLOCKTHREADS threads are faster one to a hardware thread: so small
/// that most lanes of a warp would be idle otherwise, and enough of them for all hardware threads.
bool isFasterByBlock(const DeviceShape &shape, uint32_t blockThreads, uint64_t gridBlocks);

/// Whether they are faster with the CUDA warps of each spread over hardware threads than one to a
/// hardware thread.
bool isFasterSpread(const DeviceShape &shape, uint32_t blockThreads, uint64_t gridBlocks);

struct LaunchPlan {
  uint64_t entry = 0; ///< as in the kernel's record
  uint32_t warpsPerBlock = 1;
  uint32_t blocksPerCore = 1;
  uint64_t blocksAtOnce = 1;   ///< on the device
  uint32_t regroup = 0;        ///< as in the descriptor
  uint32_t groupsPerBlock = 1; ///< as in the descriptor
  uint32_t sharedStride = 0;
  bool sharedInLocalMem = true;
  uint64_t sharedCoreStride = 0;   ///< 0 in local memory
  uint64_t sharedScratchBytes = 0; ///< global memory needed for shared memory
  uint64_t contextStride = 0;
  uint64_t contextBytes = 0; ///< global memory needed for contexts
  // kKernelTeams: as in the descriptor.
  uint32_t teamWarps = 1, teamShift = 31, teamBarriers = 0;
  uint32_t exchangeOffset = 0; ///< bytes from the start of local memory
  uint32_t exchangeStride = 0;
  // kKernelSerial: as in the descriptor.
  uint32_t hartsPerBlock = 1, lanesPerBlock = 1, blocksPerWarp = 1, contextThreads = 0;
  // The spill area: in local memory, where that has room for it, else in global memory.
  bool spillInLocalMem = false;
  uint32_t spillOffset = 0;       ///< bytes from the start of local memory
  uint32_t spillCoreStride = 0;   ///< 0 in local memory
  uint64_t spillScratchBytes = 0; ///< global memory needed for the spill area
};

/// What a device of SHAPE lacks to run KERNEL, whatever the launch; empty: nothing.
std::string whatIsMissing(const abi::KernelRecord &kernel, const DeviceShape &shape);

/// The plan for GRIDBLOCKS blocks (unknown: many) of BLOCKTHREADS threads with DYNSHAREDBYTES of
/// dynamic shared memory; none when the kernel has no entry that fits or the device lacks
/// something. A serial KERNEL is spread over hardware threads if MAPPING is Spread and it has
/// several CUDA warps.
std::optional<LaunchPlan> planLaunch(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                     uint32_t blockThreads, uint32_t dynSharedBytes,
                                     uint64_t gridBlocks = UINT64_MAX,
                                     SwMapping mapping = SwMapping::Block);

/// The stack that each lane needs to run KERNEL where the program asks for LIMIT bytes, as a power
/// of two: all that the kernel is known to need, and no less than the device gives anyway.
uint64_t stackBytesFor(const abi::KernelRecord &kernel, const DeviceShape &shape, uint64_t limit);

/// Writes PLAN and the dimensions into the fields of a descriptor that they decide. Addresses
/// (kernelEntry, args, sharedBase in global memory, context, …) are the caller's.
void fillDescriptor(abi::LaunchDescriptor &descriptor, const LaunchPlan &plan,
                    const abi::KernelRecord &kernel, const Dim &grid, const Dim &block,
                    uint32_t dynSharedBytes);

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_LAUNCHPLAN_H
