// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mappings of the serial entry (vx-serialize-kernels): block-per-lane, and warps-per-lane, in
// which several hardware threads share a block.

#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/mappings/KernelMapping.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Every kernel that has the sw lowering has it.
class BlockPerLaneMapping final : public KernelMapping {
public:
  constexpr BlockPerLaneMapping() : KernelMapping(abi::Mapping::BlockPerLane) {}

  std::optional<SerialForm> serialFormOf(const Function &variant) const override {
    return SerialForm{hasWarpFunctions(variant) ? RegionMapping::Warps : RegionMapping::Serial,
                      isForHost(*variant.getParent()) ? makeHostSlot : makeLaneSlot, false};
  }
};

class WarpsPerLaneMapping final : public KernelMapping {
public:
  constexpr WarpsPerLaneMapping() : KernelMapping(abi::Mapping::WarpsPerLane) {}

  std::string whyNot(MappingFacts &facts) const override {
    if (facts.isForHost())
      return "a thread of the host runs a whole block";
    if (facts.blocksWait())
      return "blocks may wait for each other";
    if (!hasWarpFunctions(facts.variant))
      return "it has no warp functions";
    // Hardware warps that share blocks must come to barriers in one order.
    if (hasPaths(facts.module()))
      return kOnPaths;
    return "";
  }

  std::optional<SerialForm> serialFormOf(const Function &) const override {
    return SerialForm{RegionMapping::SharedWarps, makeWarpsOfBlockSlot, true};
  }
};

constexpr BlockPerLaneMapping kBlockPerLane;
constexpr WarpsPerLaneMapping kWarpsPerLane;

} // namespace

const KernelMapping &kBlockPerLaneMapping = kBlockPerLane;
const KernelMapping &kWarpsPerLaneMapping = kWarpsPerLane;

} // namespace vx
