// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-find-lane-waits: marks the software variants of kernels in which a lane may wait for another
// of its warp (WaitLoops.h, ThreadWaits.h): flag lanes-wait, attribute vx-lanes-spin. Changes no
// code.

#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/KernelInfo.h"
#include "passes/Passes.h"
#include "passes/regions/ThreadWaits.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/IR/InstIterator.h"

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
  // Without warp functions the region form runs them, in hw too.
  bool apart = any_of(instructions(f), isWarpLevel) && waitsApart(f, fam);
  setKernelFlag(f, abi::kKernelLanesWait, waits.locks || apart);
  if (waits.spins)
    f.addFnAttr(kLanesSpinAttr);
  return PreservedAnalyses::all();
}

} // namespace vx
