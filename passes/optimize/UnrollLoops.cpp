// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-unroll-loops: runs four iterations of small loops that load from memory in one
// (LoopUnroller.h). A warp issues its instructions in order and waits for a load where its value is
// used, so the loads of four iterations side by side wait once, and there is one branch instead of
// four.
//
// Loops whose threads synchronize are left to vx-unroll-warp-loops: lanes with different numbers of
// iterations diverge in a different place now.

#include "passes/Passes.h"
#include "passes/optimize/LoopUnroller.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {

static bool isWorthIt(const Loop &loop) {
  unsigned instructions = 0, loads = 0;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      const auto *call = dyn_cast<CallBase>(&i);
      const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
      if ((call && (!intrinsic || call->isConvergent())) || i.isAtomic() || i.isVolatile() ||
          isa<AllocaInst>(i))
        return false;
      if (const auto *load = dyn_cast<LoadInst>(&i))
        loads += !loop.isLoopInvariant(load->getPointerOperand());
      instructions += !i.isDebugOrPseudoInst();
    }
  return loads != 0 && instructions <= kMaxUnrolledInstructions;
}

PreservedAnalyses UnrollLoopsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  return unrollLoops(f, fam, isWorthIt) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
