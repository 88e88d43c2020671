// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/ThreadWaits.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/WarpView.h"
#include "passes/regions/ScratchCopy.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns the branch to WAIT if a loop that does nothing else ends by it (vx-yield-in-waits).
BranchInst *getBranchBack(const Instruction &wait) {
  const BasicBlock *bb = wait.getParent();
  const BasicBlock *before = bb->getSinglePredecessor();
  auto *branch =
      before ? dyn_cast<BranchInst>(const_cast<Instruction *>(before->getTerminator())) : nullptr;
  return isDivergentWait(wait) && bb->size() == 2 && branch && branch->isConditional() ? branch
                                                                                       : nullptr;
}

/// Removes the waits of KERNEL: what its threads wait for has happened at once.
void removeWaits(Function &kernel) {
  SmallVector<Instruction *, 4> waits;
  for (Instruction &i : instructions(kernel))
    if (isThreadWait(i))
      waits.push_back(&i);
  for (Instruction *wait : waits)
    if (BranchInst *branch = getBranchBack(*wait)) {
      bool onTrue = branch->getSuccessor(0) == wait->getParent();
      branch->setCondition(ConstantInt::getBool(kernel.getContext(), !onTrue));
      wait->moveBefore(branch->getIterator());
    }
  for (Instruction &i : make_early_inc_range(instructions(kernel)))
    if (auto fn = getVxFn(&i); fn == VxFn::MbarrierTest || fn == VxFn::NamedTest) {
      i.replaceAllUsesWith(ConstantInt::get(i.getType(), 1));
      i.eraseFromParent();
    }
}

bool hasWaits(const Function &f) {
  return any_of(instructions(f), isThreadWait);
}

} // namespace

void markInLoop(Instruction &wait) {
  wait.setMetadata(kInLoopMetadata, MDNode::get(wait.getContext(), {}));
}

void markAmongLanes(Instruction &wait, bool forLock) {
  MDNode *mark = MDNode::get(wait.getContext(), {});
  wait.setMetadata(kAmongLanesMetadata, mark);
  if (forLock)
    wait.setMetadata(kForLockMetadata, mark);
}

bool waitsForLocksOnly(const Function &kernel) {
  return hasWaits(kernel) && all_of(instructions(kernel), [](const Instruction &i) {
           return !isBoundary(i) || i.hasMetadata(kForLockMetadata);
         });
}

void eraseWaits(Function &kernel) {
  for (Instruction &i : make_early_inc_range(instructions(kernel)))
    if (isThreadWait(i))
      i.eraseFromParent();
}

bool isDivergentWait(const Instruction &i) {
  return isThreadWait(i) && !i.hasMetadata(kInLoopMetadata);
}

bool waitsDivergently(Function &kernel, FunctionAnalysisManager &fam) {
  if (!hasWaits(kernel))
    return false;
  if (any_of(instructions(kernel),
             [](const Instruction &i) { return i.hasMetadata(kAmongLanesMetadata); }))
    return true;
  ScratchCopy copy(kernel, fam);
  removeWaits(*copy);
  WarpView view(*copy, fam);
  return !isRegular(view.function(), view.warp(),
                    fam.getResult<PostDominatorTreeAnalysis>(view.function()), isDivergentWait);
}

bool isRegularBesideWaits(Function &kernel, FunctionAnalysisManager &fam) {
  if (!hasWaits(kernel))
    return false;
  ScratchCopy copy(kernel, fam);
  Function &f = *copy;
  removeWaits(f);
  prepareLoops(f, fam);
  fam.invalidate(f, PreservedAnalyses::none());
  return isRegular(f, fam.getResult<UniformityInfoAnalysis>(f),
                   fam.getResult<PostDominatorTreeAnalysis>(f),
                   [](const Instruction &i) { return isBoundary(i) && !isThreadWait(i); });
}

} // namespace vx
