// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/Reconvergence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

BasicBlock *findReconvergence(const BasicBlock &bb, const PostDominatorTree &pdt) {
  const DomTreeNode *node = pdt.getNode(&bb);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

bool reaches(ArrayRef<const BasicBlock *> starts, const BasicBlock *end,
             function_ref<bool(const Instruction &)> test) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *, 16> work(starts);
  while (!work.empty()) {
    const BasicBlock *bb = work.pop_back_val();
    if (bb == end || !seen.insert(bb).second)
      continue;
    if (any_of(*bb, test))
      return true;
    append_range(work, successors(bb));
  }
  return false;
}

bool isRegular(Function &f, FunctionAnalysisManager &fam) {
  return isRegular(f, fam.getResult<UniformityInfoAnalysis>(f),
                   fam.getResult<PostDominatorTreeAnalysis>(f), isBoundary);
}

bool isRegular(Function &f, UniformityInfo &ui, const PostDominatorTree &pdt, BoundaryTest test) {
  return none_of(f, [&](const BasicBlock &bb) {
    return ui.hasDivergentTerminator(bb) &&
           reaches(SmallVector<const BasicBlock *, 4>(successors(&bb)), findReconvergence(bb, pdt),
                   test);
  });
}

} // namespace vx
