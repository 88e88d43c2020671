// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one launch is laid out on the device: the entry, warps per block, resident blocks, and where
// shared memory and the values that live across barriers are. Pure arithmetic over the kernel's
// record and the shape of the device; LaunchDescriptor.h says what the numbers mean. What depends
// on the mapping is up to its planner (MappingPlanner.h).

#ifndef VX_RUNTIME_PLAN_LAUNCHPLAN_H
#define VX_RUNTIME_PLAN_LAUNCHPLAN_H

#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "runtime/core/DeviceShape.h"
#include <cstdint>
#include <optional>
#include <string>

namespace vx::rt {

struct Dim {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// The launch that a plan is for.
struct PlanRequest {
  uint32_t blockThreads = 1;
  uint32_t dynSharedBytes = 0;
  uint64_t gridBlocks = UINT64_MAX; ///< unknown: many
  bool isFlat = true;               ///< blocks have one dimension
  uint32_t clusterBlocks = 1;       ///< that are to be on one core
};

struct LaunchPlan {
  abi::Mapping mapping{};
  uint64_t entry = 0; ///< as in the kernel's record
  uint32_t warpsPerBlock = 1;
  uint32_t blocksPerCore = 1;
  uint64_t blocksAtOnce = 1; ///< on the device
  uint32_t sharedStride = 0;
  bool sharedInLocalMem = true;
  uint64_t sharedCoreStride = 0;   ///< 0 in local memory
  uint64_t sharedScratchBytes = 0; ///< global memory needed for shared memory
  uint64_t contextStride = 0;
  uint64_t contextBytes = 0; ///< global memory needed for contexts
  abi::MappingFields fields = abi::kNoMappingFields;
  // What the mapping asks of the common part of the planner.
  bool keepsBlocks = false;      ///< rather global memory for shared memory than fewer blocks
  uint32_t ownLocalBytes = 0;    ///< for the mapping itself, at the end of local memory
  uint32_t contextThreads = 0;   ///< threads of a context; 0: none is needed
  uint32_t contextsPerBlock = 1; ///< contexts of a resident block
  // The spill area: in local memory, where that has room for it, else in global memory.
  bool spillInLocalMem = false;
  uint32_t spillOffset = 0;       ///< bytes from the start of local memory
  uint32_t spillMask = 0;         ///< bits of a hardware thread's number that choose its column
  uint64_t spillScratchBytes = 0; ///< global memory needed for the spill area
};

/// Returns what a device of SHAPE lacks to run KERNEL in the first mapping that its entries are
/// for, or in MAPPING, whatever the launch; empty: nothing.
std::string whatIsMissing(const abi::KernelRecord &kernel, const DeviceShape &shape);
std::string whatIsMissing(const abi::KernelRecord &kernel, const DeviceShape &shape,
                          abi::Mapping mapping);

/// The plan of REQUEST for KERNEL in MAPPING, which its entries are for; none if the launch cannot
/// have the mapping or the device lacks something.
std::optional<LaunchPlan> planLaunch(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                     const PlanRequest &request, abi::Mapping mapping);
/// Plans the launch in the first mapping that the entries of KERNEL are for.
std::optional<LaunchPlan> planLaunch(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                     uint32_t blockThreads, uint32_t dynSharedBytes,
                                     uint64_t gridBlocks = UINT64_MAX);

/// How many of the blocks of KERNEL that PLAN keeps on a core fit into what the core is said to
/// hold.
uint32_t occupancyOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                     const DeviceShape &shape, uint32_t blockThreads, uint32_t dynSharedBytes);

/// The most dynamic shared memory, LIMIT at most, that each of BLOCKS blocks of KERNEL may have for
/// a core to hold them all, where PLAN has room for them without.
uint32_t sharedRoomOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                      const DeviceShape &shape, uint32_t blockThreads, uint32_t blocks,
                      uint32_t limit);

/// Returns true if lanes of RECORD, which a device of SHAPE runs in lockstep, may wait for each
/// other.
bool mayHangInStep(const abi::KernelRecord &record, const DeviceShape &shape);

/// The stack that each lane needs to run KERNEL where the program asks for LIMIT bytes, as a power
/// of two: all that the kernel is known to need, and no less than the device gives anyway.
uint64_t stackBytesFor(const abi::KernelRecord &kernel, const DeviceShape &shape, uint64_t limit);

/// Writes PLAN and the dimensions into the fields of a descriptor that they decide. Addresses
/// (kernelEntry, args, sharedBase in global memory, context, …) are the caller's.
void fillDescriptor(abi::LaunchDescriptor &descriptor, const LaunchPlan &plan,
                    const abi::KernelRecord &kernel, const Dim &grid, const Dim &block,
                    uint32_t dynSharedBytes);

} // namespace vx::rt

#endif // VX_RUNTIME_PLAN_LAUNCHPLAN_H
