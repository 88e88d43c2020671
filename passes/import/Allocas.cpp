// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables of other producers than clang, such as the argument buffers of printf in MLIR,
// may be allocated where they are used. The mappings take them to be in the entry block, as clang
// has them.

#include "passes/import/Import.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {

void placeAllocas(Module &m) {
  for (Function &f : m) {
    if (f.isDeclaration())
      continue;
    BasicBlock &entry = f.getEntryBlock();
    for (BasicBlock &block : drop_begin(f))
      for (Instruction &i : make_early_inc_range(block))
        if (auto *local = dyn_cast<AllocaInst>(&i)) {
          if (isa<ConstantInt>(local->getArraySize()))
            local->moveBefore(entry, entry.getFirstNonPHIOrDbgOrAlloca());
          else
            reportUnsupported(*local, "a local variable whose size is known at run time only is "
                                      "not supported");
        }
  }
}

} // namespace vx::import
