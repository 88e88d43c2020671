// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-separate-loads: in code for the checkers (module flag vx.forCheckers), the loads whose values
// meet in a phi stay two loads. InstCombine would make one of them, of a phi of the addresses, that
// is of no line:
//
//   then:  a = load p                      then:  a = load p; a' = freeze a
//   else:  b = load q              ->      else:  b = load q; b' = freeze b
//   join:  x = phi [a, then], [b, else]    join:  x = phi [a', then], [b', else]

#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "passes/Passes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

PreservedAnalyses SeparateLoadsPass::run(Function &f, FunctionAnalysisManager &) {
  if (!deviceOption::forCheckers(*f.getParent()))
    return PreservedAnalyses::all();
  for (BasicBlock &block : f)
    for (PHINode &phi : block.phis())
      for (Use &use : phi.incoming_values()) {
        auto *load = dyn_cast<LoadInst>(use);
        if (!load || !isMarkedPlain(*load))
          continue;
        load->setMetadata(LLVMContext::MD_noundef, nullptr); // or there was nothing to freeze
        auto *frozen = new FreezeInst(load, load->getName(), std::next(load->getIterator()));
        frozen->setDebugLoc(load->getDebugLoc());
        use.set(frozen);
      }
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
