// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner of mapping coarsened: a hardware warp of kCoarsenedLanes lanes runs a CUDA warp.

#include "runtime/plan/MappingPlanner.h"
#include <algorithm>

namespace vx::rt {
namespace {

class CoarsenedPlanner final : public LanePlanner {
public:
  std::string whatIsMissing(const abi::KernelRecord &kernel,
                            const DeviceShape &shape) const override;
  bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
             const PlanRequest &request) const override;
  /// The code is larger; and where threads exchange no values, no warps are merged in hw, and what
  /// is left of the estimate depends on how many hardware warps have work in loops.
  double marginOver(const abi::KernelRecord &hw) const override {
    return hw.groupThreads ? 1.01 : 1.1;
  }

private:
  uint32_t threadsOfLane() const override { return abi::kCoarsenedParts; }
};

std::string CoarsenedPlanner::whatIsMissing(const abi::KernelRecord &kernel,
                                            const DeviceShape &shape) const {
  if (std::string missing = missingInstructions(kernel, shape); !missing.empty())
    return missing;
  if (shape.numThreads != abi::kCoarsenedLanes)
    return "its code is for hardware warps of " + std::to_string(abi::kCoarsenedLanes) +
           " lanes; the device has " + std::to_string(shape.numThreads);
  return {};
}

bool CoarsenedPlanner::place(LaunchPlan &plan, const abi::KernelRecord &kernel,
                             const DeviceShape &shape, const PlanRequest &request) const {
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

constexpr CoarsenedPlanner kPlanner;

} // namespace

const MappingPlanner &kCoarsenedPlanner = kPlanner;

} // namespace vx::rt
