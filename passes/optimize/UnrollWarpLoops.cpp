// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-unroll-warp-loops: runs four iterations of small loops with votes and shuffles in one
// (LoopUnroller.h). Merged hardware warps are the only stream of instructions of their core, which
// waits for every branch and for every result that it needs next; four iterations have one branch,
// and their warp functions need not wait for each other.
//
// All lanes of a warp have to leave such a loop together, or those with fewer than four iterations
// left would be missing from the votes of the others: loops whose exit is uniform are unrolled, in
// kernels that have not been mapped yet. Loops with a barrier of the block stay as they are; they
// become parallel regions, where blocks are larger than a core.

#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/optimize/LoopUnroller.h"
#include "llvm/ADT/GenericUniformityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {

static bool isVoteOrShuffle(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && (isVote(*fn) || isShuffle(*fn));
}

static bool isSmallWarpLoop(const Loop &loop) {
  unsigned instructions = 0, warpFunctions = 0;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      bool isWarpFunction = isVoteOrShuffle(i);
      if ((isa<CallBase>(i) && !isa<IntrinsicInst>(i) && !isWarpFunction) || i.isAtomic() ||
          i.isVolatile() || isa<AllocaInst>(i))
        return false;
      warpFunctions += isWarpFunction;
      instructions += !i.isDebugOrPseudoInst();
    }
  return warpFunctions != 0 && instructions <= kMaxUnrolledInstructions;
}

PreservedAnalyses UnrollWarpLoopsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (none_of(instructions(f), isVoteOrShuffle))
    return PreservedAnalyses::all();
  auto isWorthIt = [&](const Loop &loop) {
    return isSmallWarpLoop(loop) && loop.getExitingBlock() &&
           fam.getResult<UniformityInfoAnalysis>(f).isUniform(
               loop.getExitingBlock()->getTerminator());
  };
  return unrollLoops(f, fam, isWorthIt) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
