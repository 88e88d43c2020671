// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/WarpFences.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/GroupThreads.h"
#include "passes/regions/LogicalWarps.h"
#include "passes/regions/OneLane.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// True if all threads of a warp reach FENCE together or, with ENDS, those that have not ended: a
/// divergent branch before it has one successor that leads to it, and the others lead to the end.
bool isReachedByWarp(const Instruction &fence, UniformityInfo &warp, const PostDominatorTree &pdt,
                     bool ends) {
  Function &f = *const_cast<Function *>(fence.getFunction());
  auto isFenceItself = [&](const Instruction &i) { return &i == &fence; };
  return none_of(f, [&](const BasicBlock &bb) {
    if (!warp.hasDivergentTerminator(bb))
      return false;
    const BasicBlock *join = findReconvergence(bb, pdt);
    auto leadTo = [&](auto test) {
      return count_if(successors(&bb),
                      [&](const BasicBlock *next) { return reaches(next, join, test); });
    };
    auto toFence = leadTo(isFenceItself);
    if (toFence == 0)
      return false;
    return !ends || toFence > 1 || leadTo(isNestedBoundary) > 1 || !join ||
           !isa<ReturnInst>(join->getTerminator()) || any_of(*join, isNestedBoundary);
  });
}

} // namespace

void syncWarpsAtFences(Function &kernel, WarpView &view, FunctionAnalysisManager &fam) {
  SmallVector<Instruction *, 8> fences;
  for (Instruction &i : instructions(kernel))
    if (auto fn = getVxFn(&i); fn && isFence(*fn))
      fences.push_back(&i);
  if (fences.empty() || findGroupThreads(kernel) != kWarpSize)
    return;
  Function &f = view.function();
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(f);
  bool regular = isRegular(f, view.warp(), pdt, isNestedBoundary);
  bool isDivergent = !regular && !onlyEndsDiffer(f, view.warp(), pdt);
  for (Instruction *fence : fences) {
    const Instruction &copy = view.copyOf(*fence);
    if (runsInOneLane(*copy.getParent(), dt, view.warp()))
      continue;
    IRBuilder<> b(fence->getNextNode());
    b.SetCurrentDebugLocation(fence->getDebugLoc());
    if (isReachedByWarp(copy, view.warp(), pdt, !regular))
      emitCall(b, VxFn::WarpSync, {b.getInt32(-1)});
    else if (isDivergent)
      emitCall(b, VxFn::ActiveMask);
  }
}

} // namespace vx
