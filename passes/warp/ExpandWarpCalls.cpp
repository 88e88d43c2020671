// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-expand-warp-calls: a call through a pointer that differs between threads, and that may lead to
// a warp function, becomes compares and direct calls (lib/VortexIR/CallTargets.h), so that what is
// done for warp functions in several places of a function finds them. Functions without warp
// functions share the call through the pointer that is left. Calls with a uniform target stay.

#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

static bool expandCalls(Function &f, TransitiveCallers &callers, FunctionAnalysisManager &fam) {
  SmallVector<CallInst *, 4> calls;
  for (Instruction &i : instructions(f))
    if (isThroughPointer(i) && callers.isCalledBy(i))
      calls.push_back(cast<CallInst>(&i));
  if (calls.empty())
    return false;
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  erase_if(calls, [&](CallInst *call) { return ui.isUniform(call->getCalledOperand()); });
  for (CallInst *call : calls)
    callers.expand(*call);
  return !calls.empty();
}

PreservedAnalyses ExpandWarpCallsPass::run(Module &m, ModuleAnalysisManager &mam) {
  TransitiveCallers callers(m, isWarpLevel);
  if (callers.empty())
    return PreservedAnalyses::all();
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  bool changed = false;
  for (Function &f : m)
    if (!f.isDeclaration())
      changed |= expandCalls(f, callers, fam);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
