// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-find-lane-waits: marks the software variants of kernels in which a lane may wait for another
// of its warp (WaitLoops.h) that is not in the function with it: flag lanes-wait, attribute
// vx-lanes-spin. Changes no code.

#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/KernelInfo.h"
#include "passes/Passes.h"
#include "passes/regions/WaitLoops.h"

using namespace llvm;

namespace vx {

PreservedAnalyses FindLaneWaitsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !isSoftwareVariant(f))
    return PreservedAnalyses::all();
  LaneWaits waits;
  if (mayHaveLaneWaits(f, fam)) {
    WarpView view(f, fam);
    waits = findLaneWaits(view.function(), view.warp(), fam);
  }
  setKernelFlag(f, abi::kKernelLanesWait, waits.locks);
  if (waits.spins)
    f.addFnAttr(kLanesSpinAttr);
  return PreservedAnalyses::all();
}

} // namespace vx
