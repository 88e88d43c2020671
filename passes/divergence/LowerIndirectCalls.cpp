// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-indirect-calls: a jump goes where the last active lane says, so a call whose target
// differs between lanes must be expanded. It becomes a chain of compares and direct calls of its
// possible targets (lib/VortexIR/CallTargets.h); a pointer to none of them traps. Calls with a
// uniform target stay.

#include "lib/VortexIR/CallTargets.h"
#include "passes/Passes.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

PreservedAnalyses LowerIndirectCallsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  SmallVector<CallInst *, 4> work;
  for (Instruction &i : instructions(f))
    if (isThroughPointer(i))
      work.push_back(cast<CallInst>(&i));
  if (work.empty())
    return PreservedAnalyses::all();
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  erase_if(work, [&](CallInst *call) { return ui.isUniform(call->getCalledOperand()); });
  if (work.empty())
    return PreservedAnalyses::all();
  CallTargets targets(*f.getParent());
  for (CallInst *call : work)
    expandCall(*call, targets.of(*call));
  return PreservedAnalyses::none();
}

} // namespace vx
