// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-yield-in-waits: loops in which threads of a block wait for each other without a barrier
// (WaitingIterations.h).
//
// Where a thread is a lane, all of them go round. In region forms one thread after another runs to
// its next boundary, and the first would wait for ever. So a waiting iteration ends in a boundary
// at which the other threads go on (__vx_thread_wait), marked as one that lanes do not need.
//
// Left alone are kernels with warp functions, which would lose mappings by it, loops that take a
// lock (in region forms a thread has released it by its next boundary), those that one thread of a
// warp executes, which wait for other blocks, and those that only wait: lanes of a hardware warp
// could not wait there for each other, and the simulator reports loops that never end.

#include "lib/PRTransform/WarpOps.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/OneLane.h"
#include "passes/regions/ThreadWaits.h"
#include "passes/regions/WaitingIterations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {

PreservedAnalyses YieldInWaitsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !isKernel(f))
    return PreservedAnalyses::all();
  for (const Function *reached : reachableFrom({&f}))
    if (any_of(instructions(*reached), isWarpLevel))
      return PreservedAnalyses::all();
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &warp = fam.getResult<UniformityInfoAnalysis>(f);
  auto inOneLane = [&](const BasicBlock &bb) { return runsInOneLane(bb, dt, warp); };
  SmallVector<Edge, 4> idle;
  for (const Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder())
    append_range(idle, findWaitingIterations(*loop, inOneLane));
  if (idle.empty())
    return PreservedAnalyses::all();
  for (auto [from, to] : idle) {
    IRBuilder<> b(SplitEdge(from, to)->getTerminator());
    b.SetCurrentDebugLocation(from->getTerminator()->getDebugLoc());
    markInLoop(*emitCall(b, VxFn::ThreadWait));
  }
  return PreservedAnalyses::none();
}

} // namespace vx
