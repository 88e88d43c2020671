// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of the mappings in which a hardware thread runs several CUDA threads one after
// another: a block (block-per-lane), or some CUDA warps of one (warps-per-lane).

#include "runtime/plan/MappingPlanner.h"
#include <algorithm>

namespace vx::rt {
namespace {

std::string needsNothing(const abi::KernelRecord &, const DeviceShape &) {
  return {};
}

/// The hardware threads of a block: ONCORE blocks of WARPS CUDA warps are resident, as far
/// as there is room, each on HARTS hardware threads if possible. Few blocks are spread over
/// hardware warps first, which hide each other's latency.
void placeOnThreads(LaunchPlan &plan, const DeviceShape &shape, uint64_t onCore, uint32_t warps,
                    uint32_t harts) {
  uint32_t numWarps = shape.numWarps, lanes = shape.numThreads;
  // Hardware warps of several blocks have no barrier of their own; those of one block need it.
  uint32_t across = std::min(std::max(1u, uint32_t(numWarps / onCore)), harts);
  if (shape.numBarriers < numWarps / across)
    across = 1;
  harts = std::min(harts, across * std::min(lanes, divideUp(harts, across)));
  uint32_t warpsOfHart = divideUp(warps, harts);
  // Each of the hardware warps has some CUDA warp.
  plan.fields.serial.hartsPerBlock = divideUp(warps, warpsOfHart);
  plan.warpsPerBlock = std::min(across, plan.fields.serial.hartsPerBlock);
  plan.fields.serial.lanesPerBlock = divideUp(plan.fields.serial.hartsPerBlock, plan.warpsPerBlock);
  plan.fields.serial.contextThreads = warpsOfHart * abi::kWarpSize;
  if (plan.warpsPerBlock == 1)
    plan.fields.serial.blocksPerWarp =
        std::min(lanes / plan.fields.serial.lanesPerBlock, divideUp(onCore, numWarps));
  uint64_t room = uint64_t(numWarps / plan.warpsPerBlock) * plan.fields.serial.blocksPerWarp;
  plan.blocksPerCore = uint32_t(std::min(room, onCore));
}

/// A block on one hardware thread or, where it SPREADS, its CUDA warps on several.
bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
           const PlanRequest &request, bool spreads) {
  plan.entry = kernel.directEntry;
  uint64_t onCore = std::min(blocksOfCore(request, shape), shape.lanes());
  // Of lanes that run in lockstep, none may wait for another.
  if (kernel.flags & abi::kKernelBlocksWait)
    onCore = std::min<uint64_t>(onCore, shape.numWarps);
  uint32_t warps = divideUp(request.blockThreads, abi::kWarpSize);
  placeOnThreads(plan, shape, onCore, warps, spreads ? warps : 1);
  // An idle hardware thread costs more than slower memory does; blocks that are spread make up for
  // those that find no room.
  plan.keepsBlocks = plan.fields.serial.hartsPerBlock == 1;
  plan.contextThreads = plan.fields.serial.contextThreads;
  plan.contextsPerBlock = plan.warpsPerBlock * plan.fields.serial.lanesPerBlock;
  return plan.entry != 0;
}

} // namespace

const MappingPlanner kBlockPerLanePlanner = {
    needsNothing,
    [](LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
       const PlanRequest &request) { return place(plan, kernel, shape, request, false); },
};

const MappingPlanner kWarpsPerLanePlanner = {
    needsNothing,
    [](LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
       const PlanRequest &request) { return place(plan, kernel, shape, request, true); },
};

} // namespace vx::rt
