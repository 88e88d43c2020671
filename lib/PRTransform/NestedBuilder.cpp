// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/NestedBuilder.h"
#include "lib/PRTransform/NestedLoops.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionPrinter.h"
#include "lib/PRTransform/VerifyRegions.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// What a thread stores in a lane array stays until all others have read it: no region may both
/// read and write it.
bool separateRounds(Function &f, WarpOps &ops) {
  ParallelRegions regions(f, isNestedBoundary);
  SmallVector<const WarpCall *, 4> found;
  for (const ParallelRegion &r : regions.regions())
    if (const WarpCall *op = r.boundary ? ops.of(&r.boundary->front()) : nullptr)
      if (op->valueType && op->collect && (!op->isReduction() || !op->width) &&
          r.successors.contains(r.id))
        found.push_back(op);
  for (const WarpCall *op : found)
    ops.separate(*op);
  return !found.empty();
}

/// Blocks at which the paths from a divergent branch of F reconverge, if on one of them threads ask
/// who runs with them.
SetVector<BasicBlock *> findReconvergencePoints(Function &f, const WarpOps &ops, UniformityInfo &ui,
                                                const PostDominatorTree &pdt) {
  auto asks = [&](const Instruction &i) {
    const WarpCall *op = ops.of(&i);
    return op && !op->hasMask();
  };
  SetVector<BasicBlock *> points;
  for (BasicBlock &bb : f) {
    BasicBlock *join = findReconvergence(bb, pdt);
    if (join && ui.hasDivergentTerminator(bb) &&
        reaches(SmallVector<const BasicBlock *, 4>(successors(&bb)), join, asks))
      points.insert(join);
  }
  points.remove_if([](BasicBlock *bb) { return isa<ReturnInst>(bb->front()); });
  return points;
}

} // namespace

RegionFunction buildNestedFunction(Function &kernel, FunctionAnalysisManager &fam, bool spreads,
                                   raw_ostream *description) {
  Function *f = cloneWithRegionParams(kernel);
  WarpOps ops(*f);
  prepareLoops(*f, fam);
  bool regular;
  {
    WarpUniformity warp(*f, ops, fam);
    auto &block = fam.getResult<UniformityInfoAnalysis>(*f);
    auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(*f);
    auto atBlockLevel = [](const Instruction &i) { return isNestedBoundary(i) && isBlockLevel(i); };
    regular = isRegular(*f, warp.info(), pdt, isNestedBoundary) &&
              isRegular(*f, block, pdt, +atBlockLevel);
    // Threads that took different paths execute together from where those reconverge, as on a GPU.
    if (!regular)
      for (BasicBlock *join : findReconvergencePoints(*f, ops, warp.info(), pdt))
        ops.addMarker(*join->getFirstInsertionPt());
  }
  ParallelRegions::canonicalize(*f, isNestedBoundary);
  if (separateRounds(*f, ops))
    ParallelRegions::canonicalize(*f, isNestedBoundary);
  while (recomputeCheapValues(*f, ParallelRegions(*f, isNestedBoundary)))
    ;
  fam.invalidate(*f, PreservedAnalyses::none());
  ParallelRegions regions(*f, isNestedBoundary);
  WarpUniformity warp(*f, ops, fam);
  RegionStorage storage =
      assignNestedStorage(*f, regions, fam.getResult<UniformityInfoAnalysis>(*f),
                          regular ? &warp.info() : nullptr, isBlockLevel);
  verifyRegions(*f, regions, storage, isNestedBoundary);
  if (description)
    printRegions(*description, regions, storage, &ops, regular);
  fam.invalidate(*f, PreservedAnalyses::none());
  auto makeLoops = regular ? makeRegularLoops : makeIrregularLoops;
  std::unique_ptr<NestedLoops> loops = makeLoops(*f, regions, ops, std::move(storage), spreads);
  loops->run();
  promoteVariables(*f, fam);
  return {f, loops->contextBytes(), loops->contextFixedBytes(), regular};
}

} // namespace vx
