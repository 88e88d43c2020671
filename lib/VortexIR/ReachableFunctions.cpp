// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/CallTargets.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace vx {

SetVector<const Function *> reachableFrom(ArrayRef<const Function *> roots) {
  SetVector<const Function *> reached(roots.begin(), roots.end());
  std::optional<CallTargets> targets;
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const Instruction &inst : instructions(*reached[i])) {
      const auto *call = dyn_cast<CallBase>(&inst);
      if (!call || call->isInlineAsm())
        continue;
      if (!call->isIndirectCall()) {
        if (const Function *callee = call->getCalledFunction())
          reached.insert(callee);
        continue;
      }
      if (!targets)
        targets.emplace(*reached[i]->getParent());
      for (const Function *f : targets->of(*call))
        reached.insert(f);
    }
  return reached;
}

} // namespace vx
