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
//
// Loops that only wait for what stands in shared memory (cuda::latch) wait for threads of their own
// block, as at an mbarrier, whether one thread or many execute them: they end in a boundary in all
// kernels.

#include "lib/PRTransform/WarpOps.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/SharedPointers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/OneLane.h"
#include "passes/regions/ThreadWaits.h"
#include "passes/regions/WaitLoops.h"
#include "passes/regions/WaitingIterations.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;

namespace vx {
namespace {

/// Loops that only wait for what is written to shared memory.
struct SharedWaits {
  SmallVector<Edge, 4> edges; ///< from their ends to their begins
  /// By which they are left. Threads look at different times, and what one sees is not what others
  /// see, though all read the same variable.
  SmallVector<BranchInst *, 4> exits;
};

SharedWaits findSharedWaits(const Function &f, const LoopInfo &loops) {
  SharedWaits found;
  // Which does not go together (RegionBuilder.cpp).
  if (any_of(instructions(f), [](const Instruction &i) { return getVxFn(&i) == VxFn::GroupSync; }))
    return found;
  std::optional<SharedPointers> shared;
  auto mayBeShared = [&](const Value &pointer) {
    if (!shared)
      shared.emplace(*f.getParent());
    return shared->mayBeShared(&pointer);
  };
  SmallPtrSet<const Loop *, 4> around; // an inner one waits
  SmallVector<Loop *, 4> outerFirst = loops.getLoopsInPreorder();
  for (const Loop *loop : reverse(outerFirst)) {
    bool isOuter = around.contains(loop);
    if (!isOuter && !waitsInShared(*loop, mayBeShared))
      continue;
    around.insert(loop->getParentLoop());
    if (isOuter)
      continue;
    SmallVector<BasicBlock *, 2> latches, exiting;
    loop->getLoopLatches(latches);
    for (BasicBlock *latch : latches)
      found.edges.push_back({latch, loop->getHeader()});
    loop->getExitingBlocks(exiting);
    for (BasicBlock *bb : exiting)
      if (auto *branch = dyn_cast<BranchInst>(bb->getTerminator()))
        found.exits.push_back(branch);
  }
  return found;
}

/// The edges by which iterations end in which lanes wait for each other together.
SmallVector<Edge, 4> findCommonWaits(Function &f, FunctionAnalysisManager &fam) {
  SmallVector<Edge, 4> idle;
  for (const Function *reached : reachableFrom({&f}))
    if (any_of(instructions(*reached), isWarpLevel))
      return idle;
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &warp = fam.getResult<UniformityInfoAnalysis>(f);
  auto inOneLane = [&](const BasicBlock &bb) { return runsInOneLane(bb, dt, warp); };
  for (const Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder())
    append_range(idle, findWaitingIterations(*loop, inOneLane));
  return idle;
}

CallInst &addWait(Edge edge) {
  auto [from, to] = edge;
  IRBuilder<> b(SplitEdge(from, to)->getTerminator());
  b.SetCurrentDebugLocation(from->getTerminator()->getDebugLoc());
  return *emitCall(b, VxFn::ThreadWait);
}

} // namespace

PreservedAnalyses YieldInWaitsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !isKernel(f))
    return PreservedAnalyses::all();
  SharedWaits apart = findSharedWaits(f, fam.getResult<LoopAnalysis>(f));
  SmallVector<Edge, 4> common = findCommonWaits(f, fam);
  erase_if(common, [&](const Edge &edge) { return is_contained(apart.edges, edge); });
  if (apart.edges.empty() && common.empty())
    return PreservedAnalyses::all();
  for (Edge edge : apart.edges)
    addWait(edge);
  for (BranchInst *branch : apart.exits)
    hideCondition(*branch);
  for (Edge edge : common)
    markInLoop(addWait(edge));
  return PreservedAnalyses::none();
}

} // namespace vx
