// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-yield-in-waits: loops in which threads of a block wait for each other without a barrier.
//
//     while (k < n)                              // k of this thread, k - 1 of another one
//       if (ready[k - 1]) { …; ready[k] = 1; k += threads; }
//
// Where a thread is a lane, all of them go round. In region forms one thread after another runs to
// its next boundary, and the first would wait for ever. So a turn of such a loop that has changed
// nothing the loop's end depends on ends in a boundary at which the others go on
// (__vx_thread_wait), marked as one that lanes do not need.
//
// Left alone are kernels with warp functions, which would lose mappings by it, loops that take a
// lock (in region forms a thread has released it by its next boundary), those that one thread of a
// warp executes, which wait for other blocks, and those that only wait: lanes of a hardware warp
// could not wait there for each other, and the simulator finds out where nobody comes.

#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/OneLane.h"
#include "passes/regions/ThreadWaits.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

bool hasBoundaries(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *bb) { return any_of(*bb, isBoundary); });
}

/// Whether LOOP, or one around it in which threads go on without a boundary, may change memory.
bool isOfWriters(const Loop &loop) {
  for (const Loop *l = &loop; l && !hasBoundaries(*l); l = l->getParentLoop())
    if (mayWrite(*l))
      return true;
  return false;
}

/// The values that LOOP hands from one turn to the next and that its exits depend on.
SmallVector<const PHINode *, 4> findCarried(const Loop &loop) {
  SmallVector<const PHINode *, 4> carried;
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> work;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *bb : exiting)
    append_range(work, bb->getTerminator()->operands());
  while (!work.empty()) {
    const auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second)
      continue;
    const auto *phi = dyn_cast<PHINode>(i);
    if (phi && phi->getParent() == loop.getHeader())
      carried.push_back(phi);
    else
      append_range(work, i->operands());
  }
  return carried;
}

/// A way into a block.
using Edge = std::pair<BasicBlock *, BasicBlock *>;

/// The edges by which a turn of LOOP ends that leaves all of CARRIED as they are; LATCH: the last
/// block of a turn.
SmallVector<Edge, 4> findIdleEdges(const Loop &loop, BasicBlock *latch,
                                   ArrayRef<const PHINode *> carried) {
  Edge last{latch, loop.getHeader()};
  const BasicBlock *join = nullptr; // where the turns that change something meet the others
  for (const PHINode *phi : carried) {
    const Value *next = phi->getIncomingValueForBlock(latch);
    const auto *merged = dyn_cast<PHINode>(next);
    if (next == phi)
      continue;
    if (!merged || !loop.contains(merged) || (join && merged->getParent() != join))
      return {};
    join = merged->getParent();
  }
  if (!join)
    return {last};
  SmallVector<Edge, 4> idle;
  for (BasicBlock *before : predecessors(const_cast<BasicBlock *>(join))) {
    bool changes = any_of(carried, [&](const PHINode *phi) {
      const auto *merged = dyn_cast<PHINode>(phi->getIncomingValueForBlock(latch));
      return merged != phi && merged->getIncomingValueForBlock(before) != phi;
    });
    if (!changes)
      idle.push_back({before, const_cast<BasicBlock *>(join)});
  }
  return idle;
}

} // namespace

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
  for (const Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!isOfWriters(*loop) || !looksAtOthers(*loop, inOneLane))
      continue;
    SmallVector<BasicBlock *, 2> latches;
    loop->getLoopLatches(latches);
    SmallVector<const PHINode *, 4> carried = findCarried(*loop);
    for (BasicBlock *latch : latches)
      append_range(idle, findIdleEdges(*loop, latch, carried));
  }
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
