// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ValuesInMemory.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace vx {

void changeWithValuesInMemory(Function &f, FunctionAnalysisManager &fam,
                              function_ref<void()> change) {
  fam.invalidate(f, PreservedAnalyses::none());
  FunctionPassManager toMemory, toValues;
  toMemory.addPass(RegToMemPass());
  toMemory.run(f, fam);
  change();
  fam.invalidate(f, PreservedAnalyses::none());
  toValues.addPass(PromotePass());
  toValues.run(f, fam);
  fam.invalidate(f, PreservedAnalyses::none());
}

} // namespace vx
