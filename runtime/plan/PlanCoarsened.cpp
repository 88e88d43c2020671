// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner of mapping coarsened: a hardware warp of kCoarsenedLanes lanes runs a CUDA warp.

#include "runtime/plan/MappingPlanner.h"
#include <algorithm>

namespace vx::rt {
namespace {

std::string missingForCoarsened(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  if (std::string missing = missingInstructions(kernel, shape); !missing.empty())
    return missing;
  if (shape.numThreads != abi::kCoarsenedLanes)
    return "its code is for hardware warps of " + std::to_string(abi::kCoarsenedLanes) +
           " lanes; the device has " + std::to_string(shape.numThreads);
  return {};
}

bool placeCoarsened(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
                    const PlanRequest &request) {
  // All lanes of a CUDA warp have threads, and the number of a thread in the grid is an `int`.
  if (request.blockThreads % abi::kWarpSize || !request.isFlat ||
      (request.gridBlocks != UINT64_MAX &&
       request.gridBlocks > uint64_t(INT32_MAX) / request.blockThreads))
    return false;
  uint32_t warps = request.blockThreads / abi::kWarpSize;
  bool isDirect = kernel.directEntry && warps <= shape.numWarps;
  plan.entry = isDirect ? kernel.directEntry : kernel.chunkedEntry;
  plan.warpsPerBlock = isDirect ? warps : shape.numWarps;
  plan.blocksPerCore = isDirect ? shape.numWarps / warps : 1;
  if (plan.entry == kernel.chunkedEntry)
    plan.contextThreads = roundUp(request.blockThreads / abi::kCoarsenedParts, abi::kWarpSize);
  // Blocks that wait at a barrier each need an id of their own.
  if (plan.warpsPerBlock > 1)
    plan.blocksPerCore = std::min(plan.blocksPerCore, shape.numBarriers);
  return plan.entry != 0;
}

} // namespace

const MappingPlanner kCoarsenedPlanner = {missingForCoarsened, placeCoarsened};

} // namespace vx::rt
