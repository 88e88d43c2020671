// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-structurize: make every divergent branch a well-formed fork or loop exit (SimtStructure.h).
//
// Needs: no switch, one exit, reducible loops in simplified form. A function that is well-formed
// already is left as it is, so that an if/else keeps its diamond and costs one split and one join.
// Otherwise stock UnifyLoopExits and StructurizeCFG rewrite it: each loop then leaves at one place,
// and every region has one entry and one exit, with the branch conditions kept per lane in phis.
// Where there are many phis, values that live across blocks are in memory meanwhile.

#include "lib/VortexIR/ValuesInMemory.h"
#include "passes/Passes.h"
#include "passes/divergence/SimtStructure.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

using namespace llvm;

namespace vx {
namespace {

BasicBlock *findOffender(Function &f, FunctionAnalysisManager &fam) {
  return SimtStructure(f, fam.getResult<UniformityInfoAnalysis>(f),
                       fam.getResult<DominatorTreeAnalysis>(f),
                       fam.getResult<PostDominatorTreeAnalysis>(f), fam.getResult<LoopAnalysis>(f))
      .findOffender();
}

// StructurizeCFG looks for the values of each phi through all blocks of a region, on its own, which
// takes a tenth of a second for so many pairs of a phi and a block. In smaller functions it leaves
// fewer phis than values in memory do, in larger ones up to ten times as many.
constexpr size_t kManyPairs = 20000;

bool hasManyPhis(const Function &f) {
  size_t phis = 0;
  for (const BasicBlock &bb : f)
    phis += size_t(std::distance(bb.phis().begin(), bb.phis().end()));
  return phis * f.size() > kManyPairs;
}

} // namespace

PreservedAnalyses StructurizePass::run(Function &f, FunctionAnalysisManager &fam) {
  if (!findOffender(f, fam))
    return PreservedAnalyses::all();
  auto structurize = [&] {
    FunctionPassManager fpm;
    fpm.addPass(UnifyLoopExitsPass());
    fpm.addPass(StructurizeCFGPass(/*SkipUniformRegions=*/false));
    fpm.addPass(LoopSimplifyPass());
    fpm.run(f, fam);
  };
  if (hasManyPhis(f))
    changeWithValuesInMemory(f, fam, structurize);
  else
    structurize();
  fam.invalidate(f, PreservedAnalyses::none());
  if (BasicBlock *bad = findOffender(f, fam))
    f.getContext().diagnose(
        DiagnosticInfoUnsupported(f, "control flow that cannot be structurized for SIMT execution",
                                  bad->getTerminator()->getDebugLoc()));
  return PreservedAnalyses::none();
}

} // namespace vx
