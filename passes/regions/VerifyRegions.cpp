// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-verify-regions: reports as an error, with the boundary's line, what of a function with
// barriers is not in the canonical form of lib/PRTransform (ParallelRegions.h). The builders of
// loops check the same in every compilation, and the places of values with it; this pass is for
// tests and for pipelines put together by hand.

#include "lib/PRTransform/ParallelRegions.h"
#include "passes/Passes.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

PreservedAnalyses VerifyRegionsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !hasBoundary(f))
    return PreservedAnalyses::all();
  for (const RegionProblem &problem : ParallelRegions::verify(f)) {
    DiagnosticLocation at = problem.at ? DiagnosticLocation(problem.at->getDebugLoc())
                                       : DiagnosticLocation(f.getSubprogram());
    f.getContext().diagnose(
        DiagnosticInfoUnsupported(f, Twine("not in canonical form: ") + problem.what, at));
  }
  return PreservedAnalyses::all();
}

} // namespace vx
