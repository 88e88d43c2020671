// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mappings in which a lane runs one thread at a time: hw and thread-per-lane, whose hardware
// warps form logical warps (LogicalWarps.h):
//
//   @k.sw "vx-logical-warp-plan"="early-exit flat"   ->   @k.sw and
//                                                         @k.warps "vx-logical-warp"="early-exit",
//                                                                  flag flat

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/mappings/KernelMapping.h"
#include "passes/regions/LogicalWarps.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace vx {
namespace {

/// Every kernel that has the hw lowering has it; its variant is the kernel itself.
class HardwareMapping final : public KernelMapping {
public:
  constexpr HardwareMapping() : KernelMapping(abi::Mapping::Hardware) {}
  bool mergesWarps() const override { return true; }
};

class ThreadPerLaneMapping final : public KernelMapping {
public:
  constexpr ThreadPerLaneMapping() : KernelMapping(abi::Mapping::ThreadPerLane) {}

  std::string whyNot(MappingFacts &facts) const override { return facts.whyNoLogicalWarps(); }

  void makeVariant(Function &variant, FunctionAnalysisManager &) const override {
    auto plan =
        LogicalWarpPlan::parse(variant.getFnAttribute(kLogicalWarpPlanAttr).getValueAsString());
    if (!plan)
      return; // the hardware variant serves as well
    Function &copy = copyOf(variant, ".warps");
    copy.addFnAttr(kLogicalWarpAttr,
                   plan->flow == WarpFlow::Uniform ? kUniformWarps : kEarlyExitWarps);
    setKernelFlag(copy, abi::kKernelBlocksWait, false); // lanes of a block only share a warp
    setKernelFlag(copy, abi::kKernelFlat, plan->flat || hasKernelFlag(variant, abi::kKernelFlat));
    setKernelFlag(copy, abi::kKernelExactGroups, plan->exactGroups);
  }

  // Without warp functions, hardware is as good as software.
  bool isServedBy(const KernelInfo &info) const override {
    return info.record.isaProfile == static_cast<uint32_t>(abi::IsaProfile::Base) &&
           info.record.groupThreads == 0;
  }
};

constexpr HardwareMapping kHardware;
constexpr ThreadPerLaneMapping kThreadPerLane;

} // namespace

const KernelMapping &kHardwareMapping = kHardware;
const KernelMapping &kThreadPerLaneMapping = kThreadPerLane;

} // namespace vx
