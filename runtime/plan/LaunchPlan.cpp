// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/plan/LaunchPlan.h"
#include "intrinsics/abi/AddressMap.h"
#include "runtime/plan/MappingPlanner.h"
#include <bit>

namespace vx::rt {

/// Alignment of a block's shared memory: CUDA's largest, that of a cache line.
static constexpr uint32_t kSharedAlignment = 128;

const MappingPlanner &plannerOf(abi::Mapping mapping) {
  static const MappingPlanner *const planners[] = {
#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE) &k##ENUM##Planner,
#include "intrinsics/abi/Mappings.def"
  };
  return *planners[uint32_t(mapping)];
}

std::string whatIsMissing(const abi::KernelRecord &kernel, const DeviceShape &shape,
                          abi::Mapping mapping) {
  return plannerOf(mapping).whatIsMissing(kernel, shape);
}

std::string whatIsMissing(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  return whatIsMissing(kernel, shape, abi::firstMapping(kernel));
}

bool mayHangInStep(const abi::KernelRecord &record, const DeviceShape &shape) {
  return (record.flags & abi::kKernelLanesWait) && (shape.numThreads > 1 || record.groupThreads);
}

/// The spill area goes to the end of the first LOCALBYTES of local memory if blocks leave that
/// much.
static void placeSpills(LaunchPlan &plan, const DeviceShape &shape, uint64_t localBytes) {
  uint32_t columns = std::bit_ceil(shape.lanes()); // the threads of a core differ in these bits
  uint64_t bytes = abi::spillAreaBytes(columns);
  uint64_t used = plan.sharedInLocalMem ? uint64_t(plan.sharedStride) * plan.blocksPerCore : 0;
  uint64_t offset = localBytes >= bytes ? (localBytes - bytes) / 64 * 64 : 0;
  plan.spillInLocalMem = localBytes >= bytes && offset >= used;
  plan.spillOffset = plan.spillInLocalMem ? uint32_t(offset) : 0;
  plan.spillMask = plan.spillInLocalMem ? columns - 1 : ~0u;
  plan.spillScratchBytes =
      plan.spillInLocalMem ? 0 : abi::spillAreaBytes(uint64_t(shape.lanes()) * shape.numCores);
}

/// Decides where the shared memory of blocks is: in local memory, of which LOCALBYTES are left for
/// it, or in global memory. Each block's starts at a multiple of the largest alignment a variable
/// can ask for.
static void placeShared(LaunchPlan &plan, const DeviceShape &shape, uint64_t localBytes) {
  uint64_t wanted = uint64_t(plan.sharedStride) * (plan.keepsBlocks ? plan.blocksPerCore : 1);
  if (wanted > localBytes) {
    plan.sharedInLocalMem = false;
    plan.sharedCoreStride = uint64_t(plan.sharedStride) * plan.blocksPerCore;
    plan.sharedScratchBytes = plan.sharedCoreStride * shape.numCores;
  } else if (plan.sharedStride) {
    plan.blocksPerCore =
        uint32_t(std::min<uint64_t>(plan.blocksPerCore, localBytes / plan.sharedStride));
  }
}

/// The memory for what threads keep across regions. The serial mappings interleave the contexts of
/// a hardware warp, those of all lanes that may work.
static void placeContexts(LaunchPlan &plan, const abi::KernelRecord &kernel,
                          const DeviceShape &shape) {
  if (plan.contextThreads == 0)
    return;
  uint64_t bytes = uint64_t(kernel.contextBytes) * plan.contextThreads + kernel.contextFixedBytes;
  plan.contextStride = (bytes + 63) & ~uint64_t(63);
  uint32_t contexts =
      roundUp(plan.blocksPerCore, plan.fields.serial.blocksPerWarp) * plan.contextsPerBlock;
  plan.contextBytes = plan.contextStride * contexts * shape.numCores;
}

std::optional<LaunchPlan> planLaunch(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                     const PlanRequest &request, abi::Mapping mapping) {
  LaunchPlan plan;
  plan.mapping = mapping;
  if (request.blockThreads == 0 || request.gridBlocks == 0 ||
      !whatIsMissing(kernel, shape, mapping).empty() ||
      !plannerOf(mapping).place(plan, kernel, shape, request))
    return std::nullopt;
  // No more slots than blocks: a small grid is spread over all cores, and hardware warps without a
  // block end at once.
  plan.blocksPerCore = std::min(plan.blocksPerCore, blocksOfCore(request, shape));
  plan.sharedStride = roundUp(roundUp(kernel.staticSharedBytes + request.dynSharedBytes, 16) +
                                  roundUp(kernel.tailSharedBytes, 16),
                              kSharedAlignment);
  uint64_t localBytes = shape.localMemBytes - plan.ownLocalBytes;
  placeShared(plan, shape, localBytes);
  placeSpills(plan, shape, localBytes);
  plan.blocksAtOnce = uint64_t(plan.blocksPerCore) * shape.numCores;
  placeContexts(plan, kernel, shape);
  return plan;
}

std::optional<LaunchPlan> planLaunch(const abi::KernelRecord &kernel, const DeviceShape &shape,
                                     uint32_t blockThreads, uint32_t dynSharedBytes,
                                     uint64_t gridBlocks) {
  return planLaunch(kernel, shape, {blockThreads, dynSharedBytes, gridBlocks},
                    abi::firstMapping(kernel));
}

uint32_t occupancyOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                     const DeviceShape &shape, uint32_t blockThreads, uint32_t dynSharedBytes) {
  uint32_t blocks = std::min(plan.blocksPerCore, shape.residentBlocks());
  blocks = std::min(blocks, shape.residentThreads() / roundUp(blockThreads, abi::kWarpSize));
  if (uint32_t shared = kernel.staticSharedBytes + dynSharedBytes)
    blocks = std::min(blocks, kMaxSharedBytesOptIn / shared);
  return blocks;
}

uint32_t sharedRoomOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                      const DeviceShape &shape, uint32_t blockThreads, uint32_t blocks,
                      uint32_t limit) {
  uint64_t taken = roundUp(kernel.staticSharedBytes, 16) + roundUp(kernel.tailSharedBytes, 16);
  // Most is in global memory, to which blocks leave the local memory that does not hold one of
  // them; less than that may be their part of the local memory.
  for (uint64_t all : {uint64_t(kMaxSharedBytesOptIn), shape.localMemBytes - plan.ownLocalBytes}) {
    uint64_t each = all / blocks / kSharedAlignment * kSharedAlignment;
    uint32_t room = uint32_t(std::min<uint64_t>(each > taken ? each - taken : 0, limit));
    std::optional<LaunchPlan> with = planLaunch(kernel, shape, blockThreads, room);
    if (with && occupancyOf(*with, kernel, shape, blockThreads, room) >= blocks)
      return room;
  }
  return 0;
}

/// What a kernel gets at least for the part of its stack whose size is not known: CUDA's default
/// The least that a kernel gets for the part of its stack whose size is not known: CUDA's default
/// limit.
static constexpr uint64_t kOpenStackBytes = 1024;

uint64_t stackBytesFor(const abi::KernelRecord &kernel, const DeviceShape &shape, uint64_t limit) {
  uint64_t needed = uint64_t(kernel.localBytes) + sizeof(abi::ThreadControlBlock);
  if (kernel.flags & abi::kKernelOpenStack)
    needed += kOpenStackBytes;
  return std::bit_ceil(std::max({needed, limit, shape.stackBytes, uint64_t(1)}));
}

void fillDescriptor(abi::LaunchDescriptor &descriptor, const LaunchPlan &plan,
                    const abi::KernelRecord &kernel, const Dim &grid, const Dim &block,
                    uint32_t dynSharedBytes) {
  descriptor.gridDim[0] = grid.x;
  descriptor.gridDim[1] = grid.y;
  descriptor.gridDim[2] = grid.z;
  descriptor.blockDim[0] = block.x;
  descriptor.blockDim[1] = block.y;
  descriptor.blockDim[2] = block.z;
  descriptor.numBlocks = grid.count();
  descriptor.blockThreads = uint32_t(block.count());
  descriptor.warpsPerBlock = plan.warpsPerBlock;
  descriptor.blocksPerCore = plan.blocksPerCore;
  descriptor.fields = plan.fields;
  descriptor.dynSharedOffset = kernel.staticSharedBytes;
  descriptor.dynSharedBytes = dynSharedBytes;
  descriptor.sharedStride = plan.sharedStride;
  descriptor.sharedCoreStride = plan.sharedCoreStride;
  descriptor.contextStride = plan.contextStride;
  descriptor.blocksAtOnce = plan.blocksAtOnce;
  descriptor.spillMask = plan.spillMask;
  descriptor.threadInverse[0] = abi::inverseOf(block.x);
  descriptor.threadInverse[1] = abi::inverseOf(block.y);
  descriptor.slotInverse = abi::inverseOf(plan.warpsPerBlock);
  descriptor.gridInverse[0] = abi::wideInverseOf(grid.x);
  descriptor.gridInverse[1] = abi::wideInverseOf(grid.y);
}

} // namespace vx::rt
