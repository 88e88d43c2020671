// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-sync-warps-at-fences: memory fences in code that was written for warps in lockstep:
//
//     record[lane] = v;                        all lanes write,
//     __threadfence();
//     if (lane == 0) atomicExch(lock, 0);      one says that they have
//
// Where a warp executes a fence as one, its lanes have all written before any of them continues.
// The sw lowering runs threads one after another: lane 0 would release the lock before lane 1 has
// written. So in the software variant the threads of the warp synchronize after the fence, as by
// __syncwarp().
//
// Where the analysis cannot prove that all of them reach the fence, those that arrive there
// together synchronize if the kernel keeps sets of waiting threads anyway. A fence that one lane
// executes orders what that lane does.

#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/KernelInfo.h"
#include "passes/Passes.h"
#include "passes/regions/LogicalWarps.h"
#include "passes/regions/SingleLane.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if all threads of a warp reach FENCE together or, with ENDS, those that have not
/// ended: a divergent branch before it has one successor that leads to it, and the others lead to
/// the end.
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

PreservedAnalyses SyncWarpsAtFencesPass::run(Function &kernel, FunctionAnalysisManager &fam) {
  if (kernel.isDeclaration() || !isSoftwareVariant(kernel) || kernel.hasFnAttribute(kLanesSpinAttr))
    return PreservedAnalyses::all();
  SmallVector<Instruction *, 8> fences;
  for (Instruction &i : instructions(kernel))
    if (auto fn = getVxFn(&i); fn && isFence(*fn))
      fences.push_back(&i);
  // Kernels whose warp functions do not need the whole warp stay as they are.
  if (fences.empty() || findGroupThreads(kernel) != kWarpSize)
    return PreservedAnalyses::all();
  WarpView view(kernel, fam);
  Function &f = view.function();
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(f);
  bool regular = isRegular(f, view.warp(), pdt, isNestedBoundary);
  bool isDivergent = !regular && !onlyEndsDiffer(f, view.warp(), pdt);
  for (Instruction *fence : fences) {
    const Instruction &copy = view.copyOf(*fence);
    if (runsInSingleLane(*copy.getParent(), dt, view.warp()))
      continue;
    IRBuilder<> b(fence->getNextNode());
    b.SetCurrentDebugLocation(fence->getDebugLoc());
    if (isReachedByWarp(copy, view.warp(), pdt, !regular))
      emitCall(b, VxFn::WarpSync, {b.getInt32(-1)});
    else if (isDivergent)
      emitCall(b, VxFn::ActiveMask);
  }
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
