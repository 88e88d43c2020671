// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-remove-tail-recursion: recursive functions with boundaries - barriers, warp functions - whose
// last act is to call themselves become loops. So they need no stack
// (lib/VortexIR/IterativeFunction.h), however deep they go, and without optimization, too.

#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"

using namespace llvm;

namespace vx {

static bool isConvergent(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && getInfo(*fn).effects == VxEffects::Convergent;
}

static bool callsItself(const Function &f) {
  return any_of(instructions(f), [&](const Instruction &i) {
    const auto *call = dyn_cast<CallBase>(&i);
    return call && call->getCalledFunction() == &f;
  });
}

PreservedAnalyses RemoveTailRecursionPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  TransitiveCallers callers(m, isConvergent);
  FunctionPassManager fpm;
  fpm.addPass(SROAPass(SROAOptions::PreserveCFG)); // calls keep their operands in memory
  fpm.addPass(TailCallElimPass());
  bool changed = false;
  for (Function *f : callers.get())
    if (callsItself(*f)) {
      fam.invalidate(*f, fpm.run(*f, fam));
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
