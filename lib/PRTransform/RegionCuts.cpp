// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionCuts.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace vx {
namespace {

/// Instructions of all regions up to which they have what they share: their loops are faster
/// without barriers that no thread needs.
constexpr uint64_t kSmallRegions = 4000;
/// Copies of each instruction that are few compared with the loops around them.
constexpr uint64_t kFewCopies = 3;

bool areTooLarge(Function &f, BoundaryTest test) {
  ParallelRegions regions(f, test);
  uint64_t all = 0;
  for (const BasicBlock &bb : f)
    all += bb.size() * regions.regionsOf(&bb).size();
  return all > kSmallRegions && all > kFewCopies * f.getInstructionCount();
}

/// Returns the blocks that only some threads of the block may come to between a divergent branch
/// and where its ways meet.
SmallPtrSet<const BasicBlock *, 32> findParted(Function &f, FunctionAnalysisManager &fam) {
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(f);
  SmallPtrSet<const BasicBlock *, 32> parted;
  for (const BasicBlock &bb : f)
    if (ui.hasDivergentTerminator(bb))
      reaches(SmallVector<const BasicBlock *, 4>(successors(&bb)), findReconvergence(bb, pdt),
              [&](const Instruction &i) {
                parted.insert(i.getParent());
                return false;
              });
  return parted;
}

/// Cuts what starts at the boundaries of TEST; END are all that a region ends at.
void cut(Function &f, BoundaryTest test, BoundaryTest end, FunctionAnalysisManager &fam) {
  if (!areTooLarge(f, test))
    return;
  fam.invalidate(f, PreservedAnalyses::none());
  SmallPtrSet<BasicBlock *, 32> starts;
  for (BasicBlock &bb : f)
    if (test(bb.front()))
      starts.insert(bb.getSingleSuccessor());
  ForwardIDFCalculator frontier(fam.getResult<DominatorTreeAnalysis>(f));
  frontier.setDefiningBlocks(starts);
  SmallVector<BasicBlock *, 32> meetings;
  frontier.calculate(meetings);
  SmallPtrSet<const BasicBlock *, 32> parted = findParted(f, fam);
  for (BasicBlock *bb : meetings) {
    if (parted.contains(bb) || end(bb->front()))
      continue;
    IRBuilder<> b(bb, bb->getFirstInsertionPt());
    emitCall(b, VxFn::Barrier);
  }
  ParallelRegions::canonicalize(f, end);
}

} // namespace

void cutRegions(Function &f, BoundaryTest test, FunctionAnalysisManager &fam) {
  cut(f, isBoundary, test, fam);
  if (test != isBoundary) // what starts at a barrier has its own copy of the loops over lanes
    cut(f, test, test, fam);
}

} // namespace vx
