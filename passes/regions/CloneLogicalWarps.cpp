// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-clone-logical-warps: the variant of a kernel for the mapping thread-per-lane (LogicalWarps.h):
//
//   @k.sw "vx-logical-warp-plan"="early-exit flat"   ->   @k.sw and
//                                                         @k.warps "vx-logical-warp"="early-exit",
//                                                                  flag flat
//
// The copy is mapped to lanes as a kernel of the hw lowering is (vx-map-kernels).

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/LogicalWarps.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

static void cloneFor(const LogicalWarpPlan &plan, Function &variant) {
  ValueToValueMapTy map;
  Function &copy = *CloneFunction(&variant, map);
  copy.setName(sourceNameOf(variant) + ".warps");
  copy.removeFnAttr(kSoftwareAttr);
  copy.removeFnAttr(kLogicalWarpPlanAttr);
  copy.addFnAttr(kLogicalWarpAttr,
                 plan.flow == WarpFlow::Uniform ? kUniformWarps : kEarlyExitWarps);
  setKernelFlag(copy, abi::kKernelBlocksWait, false); // lanes of a block only share a warp
  setKernelFlag(copy, abi::kKernelFlat, plan.flat);
  setKernelFlag(copy, abi::kKernelExactGroups, plan.exactGroups);
}

PreservedAnalyses CloneLogicalWarpsPass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> variants;
  for (Function &f : m)
    if (isSoftwareVariant(f) && f.hasFnAttribute(kLogicalWarpPlanAttr))
      variants.push_back(&f);
  for (Function *f : variants)
    if (auto plan =
            LogicalWarpPlan::parse(f->getFnAttribute(kLogicalWarpPlanAttr).getValueAsString()))
      cloneFor(*plan, *f);
  return variants.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
