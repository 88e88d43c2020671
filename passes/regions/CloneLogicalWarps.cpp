// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-clone-logical-warps: the variants of a kernel for the mappings that form logical warps
// (LogicalWarps.h), thread-per-lane and split-warps, as vx-decide-mappings allows them:
//
//   @k.sw "vx-logical-warp-plan"="early-exit flat"   ->   @k.sw and
//                                                         @k.warps "vx-logical-warp"="early-exit",
//                                                                  flag flat
//                                                         @k.split the same, "vx-split-warps"
//
// The copies are mapped to lanes as a kernel of the hw lowering is (vx-map-kernels).

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/LogicalWarps.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

/// Returns the variant of VARIANT with SUFFIX.
static Function &cloneFor(const LogicalWarpPlan &plan, Function &variant, StringRef suffix) {
  ValueToValueMapTy map;
  Function &copy = *CloneFunction(&variant, map);
  copy.setName(sourceNameOf(variant) + suffix);
  copy.removeFnAttr(kSoftwareAttr);
  copy.removeFnAttr(kLogicalWarpPlanAttr);
  copy.addFnAttr(kLogicalWarpAttr,
                 plan.flow == WarpFlow::Uniform ? kUniformWarps : kEarlyExitWarps);
  setKernelFlag(copy, abi::kKernelBlocksWait, false); // lanes of a block only share a warp
  setKernelFlag(copy, abi::kKernelFlat, plan.flat);
  setKernelFlag(copy, abi::kKernelExactGroups, plan.exactGroups);
  return copy;
}

PreservedAnalyses CloneLogicalWarpsPass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> variants;
  for (Function &f : m)
    if (isSoftwareVariant(f) && f.hasFnAttribute(kLogicalWarpPlanAttr))
      variants.push_back(&f);
  MappingDecisions decisions(m);
  for (Function *f : variants) {
    auto plan = LogicalWarpPlan::parse(f->getFnAttribute(kLogicalWarpPlanAttr).getValueAsString());
    if (!plan)
      continue;
    const MappingDecision &decision = decisions.of(*f);
    if (decision.allows(abi::Mapping::ThreadPerLane))
      cloneFor(*plan, *f, ".warps");
    if (decision.allows(abi::Mapping::SplitWarps))
      cloneFor(*plan, *f, ".split").addFnAttr(kSplitWarpsAttr);
  }
  return variants.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
