// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of the mappings in which each thread of a block has a lane: with the warp functions
// of the hardware (hw), and with exchanges through local memory (thread-per-lane).

#include "intrinsics/abi/FatBinaryNames.h"
#include "runtime/plan/MappingPlanner.h"
#include <algorithm>
#include <bit>

namespace vx::rt {

std::string missingInstructions(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  if (kernel.isaProfile <= uint32_t(shape.profile))
    return {};
  return "it needs instructions of profile '" +
         std::string(toString(abi::IsaProfile(kernel.isaProfile))) + "', the device has '" +
         toString(shape.profile) + "'";
}

Streams LanePlanner::streamsOf(const LaunchPlan &plan, const abi::KernelRecord &kernel,
                               const DeviceShape &shape, double resident) const {
  Streams s;
  s.merged = mergedWarps(kernel, shape);
  s.ofBlock = plan.warpsPerBlock / s.merged;
  s.count = resident * s.ofBlock;
  s.nearLines = s.farLines = s.merged * std::max(1.0, shape.numThreads / 16.0);
  s.stackLines = s.merged * shape.numThreads;
  return s;
}

Work LanePlanner::workOfBlock(const LaunchPlan &plan, const abi::EntryCost &cost,
                              const DeviceShape &shape, uint32_t blockThreads) const {
  uint64_t atOnce = uint64_t(plan.warpsPerBlock) * shape.numThreads * threadsOfLane();
  return Work()
      .add(cost.block, 1)
      .add(cost.thread, divideUp(blockThreads, std::max<uint64_t>(1, atOnce)));
}

namespace {

/// Hardware warps that merge into one group; 1: none.
uint32_t warpsPerGroup(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  return kernel.groupThreads > shape.numThreads ? kernel.groupThreads / shape.numThreads : 1;
}

/// Returns true if groups of KERNEL are hardware warps, or aligned sets of them, all lanes of the
/// device.
bool canFormLogicalWarps(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  uint32_t group = kernel.groupThreads, lanes = shape.numThreads;
  if (group == 0)
    return true;
  if (lanes > group && (kernel.flags & abi::kKernelExactGroups))
    return false;
  if (lanes >= group)
    return lanes % group == 0 && abi::kWarpSize % lanes == 0;
  uint32_t warps = group / lanes;
  return group % lanes == 0 && lanes >= abi::kMinLogicalWarpLanes &&
         warps <= abi::kMaxLogicalWarpParts && shape.numWarps % warps == 0;
}

class HardwarePlanner final : public LanePlanner {
public:
  std::string whatIsMissing(const abi::KernelRecord &kernel,
                            const DeviceShape &shape) const override;
  bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
             const PlanRequest &request) const override;
  bool hasAllLaunches(const abi::KernelRecord &kernel) const override {
    return !(kernel.flags & abi::kKernelFlat);
  }

private:
  double mergedWarps(const abi::KernelRecord &kernel, const DeviceShape &shape) const override {
    return kernel.groupThreads > shape.numThreads ? double(kernel.groupThreads) / shape.numThreads
                                                  : 1;
  }
};

/// A mapping whose logical warps exchange values through local memory.
class ThreadPerLanePlanner final : public LanePlanner {
public:
  std::string whatIsMissing(const abi::KernelRecord &kernel,
                            const DeviceShape &shape) const override;
  bool place(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
             const PlanRequest &request) const override;
};

std::string HardwarePlanner::whatIsMissing(const abi::KernelRecord &kernel,
                                           const DeviceShape &shape) const {
  uint32_t group = kernel.groupThreads, lanes = shape.numThreads;
  std::string together =
      "its warp functions need " + std::to_string(group) + " threads that execute together";
  auto has = [&](const std::string &what) { return together + "; the device has " + what; };
  if (std::string missing = missingInstructions(kernel, shape); !missing.empty())
    return missing;
  if (group == 0)
    return {};
  // A CUDA warp must begin with the first lane of a group, and a segment must not cross two.
  bool divides =
      lanes > group ? lanes % group == 0 && abi::kWarpSize % lanes == 0 : group % lanes == 0;
  bool regroups = kernel.flags & abi::kKernelExactGroups ? lanes != group : lanes < group;
  if (divides && !regroups)
    return {};
  if (!divides)
    return has(std::to_string(lanes) + " lanes in a warp, which do not divide into such groups");
  if (shape.lanes() < group)
    return has(std::to_string(shape.lanes()) + " lanes in a core");
  if (!(kernel.flags & abi::kKernelRegroups) || shape.profile != abi::IsaProfile::Warp)
    return has(std::to_string(lanes) + " lanes in a warp and " +
               (shape.profile == abi::IsaProfile::Warp
                    ? "the program was compiled without instructions to regroup them"
                    : "no instruction to regroup them (isa.warp = warp has)"));
  return {};
}

std::string ThreadPerLanePlanner::whatIsMissing(const abi::KernelRecord &kernel,
                                                const DeviceShape &shape) const {
  if (mayHangInStep(kernel, shape))
    return "lanes of a warp may wait for a lock that another one holds";
  return canFormLogicalWarps(kernel, shape) ? "" : "its warp functions need larger hardware warps";
}

/// vx_tile's operands for groups of SIZE threads, all of which run.
uint32_t regroupOperands(uint32_t size) {
  uint32_t mask = 0;
  for (uint32_t thread = 0; thread < abi::kWarpSize; thread += size)
    mask |= 0x80u >> thread / 4;
  return mask << 8 | size;
}

/// Entry, warps per block, and how many blocks the warps of a core allow. Blocks take whole groups
/// of UNIT hardware warps, so that each starts at a multiple of its size, or parts of one (CUTS).
bool placeOnLanes(LaunchPlan &plan, const abi::KernelRecord &kernel, const DeviceShape &shape,
                  uint32_t blockThreads, bool cuts) {
  uint32_t unit = warpsPerGroup(kernel, shape), numWarps = shape.numWarps / unit * unit;
  uint32_t groupsPerWarp = cuts ? shape.numThreads / kernel.groupThreads : 1;
  uint32_t warps = roundUp(divideUp(blockThreads, shape.numThreads), unit);
  bool isDirect = kernel.directEntry && warps <= numWarps;
  plan.entry = isDirect ? kernel.directEntry : kernel.chunkedEntry;
  plan.warpsPerBlock = isDirect ? warps : numWarps;
  plan.blocksPerCore = isDirect ? numWarps / warps : 1;
  plan.fields.groups.perBlock = plan.warpsPerBlock / unit * groupsPerWarp;
  if (plan.entry == kernel.chunkedEntry)
    plan.contextThreads = roundUp(blockThreads, abi::kWarpSize);
  if (!isDirect)
    return plan.entry != 0;
  // In the last warp there may be groups without a thread of the block: they end at once, unless
  // the entry is the region form, which all of them share.
  if (cuts && kernel.directEntry != kernel.chunkedEntry)
    plan.fields.groups.perBlock = divideUp(blockThreads, kernel.groupThreads);
  // Blocks that wait at a barrier each need an id of their own.
  if (plan.fields.groups.perBlock > 1)
    plan.blocksPerCore = std::min(plan.blocksPerCore, shape.numBarriers);
  return true;
}

bool HardwarePlanner::place(LaunchPlan &plan, const abi::KernelRecord &kernel,
                            const DeviceShape &shape, const PlanRequest &request) const {
  if ((kernel.flags & abi::kKernelFlat) && !request.isFlat)
    return false;
  bool cuts = (kernel.flags & abi::kKernelExactGroups) && kernel.groupThreads < shape.numThreads;
  if (warpsPerGroup(kernel, shape) > 1 || cuts)
    plan.fields.groups.regroup = regroupOperands(kernel.groupThreads);
  return placeOnLanes(plan, kernel, shape, request.blockThreads, cuts);
}

/// Barriers and exchange memory of logical warps; false if there is not enough of them.
bool ThreadPerLanePlanner::place(LaunchPlan &plan, const abi::KernelRecord &kernel,
                                 const DeviceShape &shape, const PlanRequest &request) const {
  uint32_t blockThreads = request.blockThreads;
  if ((kernel.flags & abi::kKernelFlat) && !request.isFlat)
    return false;
  if (!placeOnLanes(plan, kernel, shape, blockThreads, false))
    return false;
  if (kernel.groupThreads == 0)
    return true;
  // The lanes of a logical warp all have threads. Nor may some lanes of a hardware warp sit out a
  // chunk and be back in the next: each lane counts the exchanges to know which of the two buffers
  // is next.
  if (plan.entry == kernel.chunkedEntry && blockThreads % shape.numThreads)
    return false;
  abi::LogicalWarpFields &fields = plan.fields.logicalWarps;
  uint32_t unit = warpsPerGroup(kernel, shape);
  for (fields.hardwareWarps = unit; unit > 1; fields.hardwareWarps *= 2) {
    uint32_t lanes = fields.hardwareWarps * shape.numThreads;
    if (fields.hardwareWarps > abi::kMaxLogicalWarpParts || lanes > abi::kWarpSize ||
        blockThreads % lanes || plan.warpsPerBlock % fields.hardwareWarps)
      return false;
    // A block that is one logical warp waits at one barrier.
    uint32_t ofBlock = plan.warpsPerBlock / fields.hardwareWarps;
    uint32_t perBlock = ofBlock + (ofBlock > 1 ? 1 : 0);
    if (perBlock > shape.numBarriers && (kernel.flags & abi::kKernelExactGroups))
      return false;
    if (perBlock > shape.numBarriers) // larger logical warps, fewer barriers
      continue;
    plan.blocksPerCore = std::min(plan.blocksPerCore, shape.numBarriers / perBlock);
    fields.barriers = ofBlock > 1 ? plan.blocksPerCore : 0;
    fields.shift = uint32_t(std::countr_zero(fields.hardwareWarps));
    break;
  }
  // Values are exchanged in local memory, after what blocks share.
  fields.exchangeStride = 8 * (shape.lanes() + 2 * shape.numWarps);
  plan.ownLocalBytes = 2 * fields.exchangeStride;
  if (plan.ownLocalBytes > shape.localMemBytes)
    return false;
  fields.exchange = shape.localMemBase + (shape.localMemBytes - plan.ownLocalBytes) / 8 * 8;
  return true;
}

constexpr HardwarePlanner kHardware;
constexpr ThreadPerLanePlanner kThreadPerLane;

} // namespace

const MappingPlanner &kHardwarePlanner = kHardware;
const MappingPlanner &kThreadPerLanePlanner = kThreadPerLane;

} // namespace vx::rt
