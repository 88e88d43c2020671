// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ReachableFunctions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

SetVector<const Function *> reachableFrom(ArrayRef<const Function *> roots) {
  SetVector<const Function *> reached(roots.begin(), roots.end());
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const Instruction &inst : instructions(*reached[i])) {
      const auto *call = dyn_cast<CallBase>(&inst);
      if (!call || call->isInlineAsm())
        continue;
      if (const Function *callee = call->getCalledFunction()) {
        reached.insert(callee);
        continue;
      }
      for (const Function &f : *reached[i]->getParent())
        if (f.hasAddressTaken() && f.getFunctionType() == call->getFunctionType())
          reached.insert(&f);
    }
  return reached;
}

} // namespace vx
