// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-expand-warp-functions: matches, reductions and shuffles with a lower bound, in common IR
// (lib/VortexIR/ExpandWarpFunctions.h). Profile `base` has neither votes nor shuffles: that is said
// here.

#include "lib/VortexIR/ExpandWarpFunctions.h"
#include "lib/VortexIR/ReportUnsupported.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

/// Returns "shfl_up" for __vx_shfl_up_32.
static StringRef plainName(VxFn fn) {
  StringRef name = getInfo(fn).name.drop_front(StringRef("__vx_").size());
  auto [first, last] = name.rsplit('_');
  return last.contains('3') || last.contains('6') ? first : name;
}

PreservedAnalyses ExpandWarpFunctionsPass::run(Function &f, FunctionAnalysisManager &) {
  if (getIsa(*f.getParent()) == abi::IsaProfile::Base && !f.hasFnAttribute(kLogicalWarpAttr)) {
    for (Instruction &i : instructions(f))
      if (auto fn = getVxFn(&i); fn && isWarpFunction(*fn) && *fn != VxFn::WarpSync)
        reportUnsupported(i, "warp function '" + plainName(*fn) +
                                 "' needs instructions that profile 'base' does not have");
    return PreservedAnalyses::all();
  }
  return expandWarpFunctions(f) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
