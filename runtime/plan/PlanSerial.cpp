// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of the mappings in which a hardware thread runs several CUDA threads one after
// another: a block (block-per-lane), or some CUDA warps of one (warps-per-lane).

#include "runtime/plan/MappingPlanner.h"
#include <algorithm>
#include <cmath>

namespace vx::rt {
namespace {

// The caches hold the lines of so many hardware threads with blocks of their own until their next
// elements; of more, a line is fetched again, this often at most.
constexpr double kCachedThreads = 64, kMostFetches = 2;

class SerialPlanner : public MappingPlanner {
public:
  std::string whatIsMissing(const abi::KernelRecord &, const DeviceShape &) const override {
    return {};
  }
  Streams streamsOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                    const DeviceShape &shape, double resident) const override;
  Work workOfBlock(const LaunchPlan &plan, const abi::EntryCost &cost, const DeviceShape &shape,
                   uint32_t blockThreads) const override;

protected:
  ~SerialPlanner() = default;
};

Streams SerialPlanner::streamsOf(const LaunchPlan &plan, const abi::KernelRecord &,
                                 const DeviceShape &, double resident) const {
  const abi::SerialFields &f = plan.fields.serial;
  double lanes = f.lanesPerBlock * std::min<double>(f.blocksPerWarp, resident);
  Streams s;
  s.count = std::ceil(resident / f.blocksPerWarp) * plan.warpsPerBlock;
  s.nearLines = std::ceil(lanes / 8); // values of up to eight bytes, side by side
  s.stackLines = lanes;
  s.farLines = lanes * std::clamp(s.count * lanes / kCachedThreads, 1.0, kMostFetches);
  s.apart = true;
  return s;
}

Work SerialPlanner::workOfBlock(const LaunchPlan &plan, const abi::EntryCost &cost,
                                const DeviceShape &, uint32_t blockThreads) const {
  bool hasWarps = cost.warp.cycles; // a loop over CUDA warps, and one over the lanes of each
  double warps = divideUp(divideUp(blockThreads, abi::kWarpSize),
                          std::max(1u, plan.fields.serial.hartsPerBlock));
  double ofWarp = std::min(blockThreads, abi::kWarpSize);
  return Work()
      .add(cost.block, 1)
      .add(cost.warp, warps)
      .add(cost.thread, hasWarps ? warps * ofWarp : blockThreads);
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
bool placeBlocks(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
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

class BlockPerLanePlanner final : public SerialPlanner {
public:
  bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
             const PlanRequest &request) const override {
    return placeBlocks(plan, kernel, shape, request, /*spreads=*/false);
  }
  bool hasAllLaunches(const abi::KernelRecord &) const override { return true; }
};

class WarpsPerLanePlanner final : public SerialPlanner {
public:
  bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
             const PlanRequest &request) const override {
    return placeBlocks(plan, kernel, shape, request, /*spreads=*/true);
  }
};

constexpr BlockPerLanePlanner kBlockPerLane;
constexpr WarpsPerLanePlanner kWarpsPerLane;

} // namespace

const MappingPlanner &kBlockPerLanePlanner = kBlockPerLane;
const MappingPlanner &kWarpsPerLanePlanner = kWarpsPerLane;

} // namespace vx::rt
