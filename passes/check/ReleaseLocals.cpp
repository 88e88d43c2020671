// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-release-locals: what vx-keep-accesses has kept turns out to be an access to a local variable,
// once functions are inlined and pointers are values. It may be optimized like others of its kind:
// a method that is inlined leaves no object in memory.

#include "lib/VortexIR/SourceAccesses.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

PreservedAnalyses ReleaseLocalsPass::run(Function &f, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &i : instructions(f)) {
    const Value *address = getLoadStorePointerOperand(&i);
    if (!address || !isMarkedPlain(i) || !isa<AllocaInst>(getUnderlyingObject(address)))
      continue;
    unmarkPlain(i);
    changed = true;
  }
  return changed ? PreservedAnalyses::allInSet<CFGAnalyses>() : PreservedAnalyses::all();
}

} // namespace vx
