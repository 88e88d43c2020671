// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-strip-hints: removes llvm.ssa.copy, with which the lowerings told UniformityAnalysis that a
// value is one for the block. Branches have been annotated; code generation needs no hints.

#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {

PreservedAnalyses StripHintsPass::run(Function &f, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &i : make_early_inc_range(instructions(f))) {
    auto *copy = dyn_cast<IntrinsicInst>(&i);
    if (!copy || copy->getIntrinsicID() != Intrinsic::ssa_copy)
      continue;
    copy->replaceAllUsesWith(copy->getArgOperand(0));
    copy->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
