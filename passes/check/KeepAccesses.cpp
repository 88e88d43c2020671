// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-keep-accesses: in code for the checkers (module flag vx.check), every access of the source is
// there to be checked. Loads whose values are not used, stores that are overwritten and values that
// could stay in registers are kept: the accesses become volatile, with a mark that says that the
// source does not call them so (lib/VortexIR/SourceAccesses). Accesses to what no other thread sees
// - locals by their names, parameters, constants - stay as they are.

#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

/// True for memory that is the thread's own or never written.
static bool isOfNoInterest(const Value *object) {
  if (isa<AllocaInst>(object))
    return true;
  if (const auto *g = dyn_cast<GlobalVariable>(object))
    return g->isConstant();
  const auto *argument = dyn_cast<Argument>(object);
  return argument && argument->hasByValAttr();
}

PreservedAnalyses KeepAccessesPass::run(Module &m, ModuleAnalysisManager &) {
  if (!isForCheckers(m))
    return PreservedAnalyses::all();
  for (Function &f : m)
    for (Instruction &i : instructions(f)) {
      const Value *address = getLoadStorePointerOperand(&i);
      if (address && !i.isVolatile() && !i.isAtomic() &&
          !isOfNoInterest(getUnderlyingObject(address)))
        markPlain(i);
    }
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
