// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ValuesInMemory.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
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

SmallPtrSet<const BasicBlock *, 16> findLiveIn(const AllocaInst &slot) {
  // What each block does first.
  DenseMap<const BasicBlock *, const Instruction *> first;
  for (const User *user : slot.users()) {
    const auto *i = cast<Instruction>(user);
    const Instruction *&f = first[i->getParent()];
    if (!f || i->comesBefore(f))
      f = i;
  }
  SmallPtrSet<const BasicBlock *, 16> writes, liveIn;
  SmallVector<const BasicBlock *, 16> work;
  for (auto [bb, i] : first) {
    if (!isa<LoadInst>(i))
      writes.insert(bb);
    else if (liveIn.insert(bb).second)
      work.push_back(bb);
  }
  while (!work.empty())
    for (const BasicBlock *pred : predecessors(work.pop_back_val()))
      if (!writes.contains(pred) && liveIn.insert(pred).second)
        work.push_back(pred);
  return liveIn;
}

} // namespace vx
