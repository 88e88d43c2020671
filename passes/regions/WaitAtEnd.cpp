// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-wait-at-end: in kernels of logical warps whose threads may end before others of their warp
// (attribute vx-logical-warp="early-exit"), those that have ended continue to take part in the
// exchanges of their logical warp:
//
//     return        ->        do wait while (some thread of the logical warp has not ended); return

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {

/// F has one return.
static void waitAtEnd(Function &f) {
  for (BasicBlock &bb : make_early_inc_range(f)) {
    if (!isa<ReturnInst>(bb.getTerminator()))
      continue;
    BasicBlock *after = SplitBlock(&bb, bb.getTerminator());
    auto *loop = BasicBlock::Create(f.getContext(), "warp.end", &f, after);
    bb.getTerminator()->replaceSuccessorWith(after, loop);
    IRBuilder<> b(loop);
    Value *more = emitCall(b, VxFn::LogicalWarpWait, {b.getInt32(-1)});
    b.CreateCondBr(b.CreateIsNotNull(more), loop, after);
    return;
  }
}

PreservedAnalyses WaitAtEndPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() ||
      f.getFnAttribute(kLogicalWarpAttr).getValueAsString() != kEarlyExitWarps || !isKernel(f))
    return PreservedAnalyses::all();
  waitAtEnd(f);
  return PreservedAnalyses::none();
}

} // namespace vx
