// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our headers call some contract functions by name. They pass as they are; the declaration and the
// calls get the attributes that the table names, whatever the front end thought of them.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {

void importContractCalls(Module &m) {
  for (Function &f : m) {
    std::optional<VxFn> fn = f.isDeclaration() ? lookupVxFn(f.getName()) : std::nullopt;
    if (!fn)
      continue;
    if (f.getFunctionType() != getType(m.getContext(), *fn)) {
      reportUnsupported(m, "'" + f.getName() + "' is declared with another type than vxcc's");
      continue;
    }
    addAttributes(f, *fn);
    for (User *user : f.users())
      if (auto *call = dyn_cast<CallInst>(user); call && f.isConvergent())
        call->setConvergent();
  }
}

} // namespace vx::import
