// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionBuilder.h"
#include "lib/PRTransform/BlockLoops.h"
#include "lib/PRTransform/Coordinates.h"
#include "lib/PRTransform/NestedLoops.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionCuts.h"
#include "lib/PRTransform/RegionPrinter.h"
#include "lib/PRTransform/ThreadRanks.h"
#include "lib/PRTransform/VerifyRegions.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// Lets what a thread stores in a lane array stay until all others have read it: no region may both
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

/// Returns the blocks at which the paths from a divergent branch of F reconverge, if on one of them
/// threads ask who runs with them.
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

/// Returns true if all threads of a warp of F take the same path between its boundaries, and all
/// threads of the block between its barriers. If not, threads that took different paths execute
/// together from where those reconverge, as on a GPU: OPS gets a boundary there.
bool findNestedFlow(Function &f, WarpOps &ops, FunctionAnalysisManager &fam) {
  WarpUniformity warp(f, ops, fam);
  auto &block = fam.getResult<UniformityInfoAnalysis>(f);
  auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(f);
  auto atBlockLevel = [](const Instruction &i) { return isNestedBoundary(i) && isBlockLevel(i); };
  if (isRegular(f, warp.info(), pdt, isNestedBoundary) && isRegular(f, block, pdt, +atBlockLevel))
    return true;
  for (BasicBlock *join : findReconvergencePoints(f, ops, warp.info(), pdt))
    ops.addMarker(*join->getFirstInsertionPt());
  return false;
}

/// Reports groups in kernels with waits: groups continue before threads wait for the whole block,
/// which is too early for one of whose threads some still wait elsewhere.
void refuseGroupsWithWaits(Function &f) {
  const Instruction *group = nullptr;
  bool waits = false;
  for (const Instruction &i : instructions(f)) {
    waits |= isThreadWait(i);
    if (getVxFn(&i) == VxFn::GroupSync)
      group = &i;
  }
  if (waits && group)
    f.getContext().diagnose(
        DiagnosticInfoUnsupported(f,
                                  "a kernel with both a barrier of several warps and waits at "
                                  "mbarriers is not supported by vxcc",
                                  group->getDebugLoc()));
}

/// Makes the loops of F, and with NESTED its warp functions, which OPS then has, what regions are
/// found in. Returns whether they are regular.
bool prepareFlow(Function &f, bool nested, bool whole, std::optional<WarpOps> &ops,
                 FunctionAnalysisManager &fam) {
  if (nested) {
    useThreadRanks(f);
    if (whole)
      useWarpsInRows(f);
    ops.emplace(f);
  }
  prepareLoops(f, fam);
  return nested ? findNestedFlow(f, *ops, fam) : isRegular(f, fam);
}

} // namespace

bool hasRegularForm(Function &kernel, FunctionAnalysisManager &fam) {
  Function *f = cloneWithRegionParams(kernel);
  std::optional<WarpOps> ops; // its placeholders are used until the copy is gone
  bool regular = prepareFlow(*f, hasWarpFunctions(kernel), /*whole=*/false, ops, fam);
  fam.clear(*f, f->getName());
  f->eraseFromParent();
  return regular;
}

RegionFunction buildRegionFunction(Function &kernel, FunctionAnalysisManager &fam,
                                   RegionMapping mapping, raw_ostream *description) {
  bool whole = mapping == RegionMapping::WholeWarps;
  bool nested = whole || mapping == RegionMapping::Warps || mapping == RegionMapping::SharedWarps;
  BoundaryTest isEnd = nested ? isNestedBoundary : isBoundary;
  refuseGroupsWithWaits(kernel);
  Function *f = cloneWithRegionParams(kernel);
  std::optional<WarpOps> ops;
  bool regular = prepareFlow(*f, nested, whole, ops, fam);
  ParallelRegions::canonicalize(*f, isEnd);
  if (nested && separateRounds(*f, *ops))
    ParallelRegions::canonicalize(*f, isEnd);
  if (regular && !deviceOption::forCheckers(*f->getParent()))
    cutRegions(*f, isEnd, fam);
  while (recomputeCheapValues(*f, ParallelRegions(*f, isEnd)))
    ;
  ParallelRegions regions(*f, isEnd);
  if (mapping == RegionMapping::Shared)
    keepThreadIdx(*f, regions);
  fam.invalidate(*f, PreservedAnalyses::none());
  std::optional<WarpUniformity> warp;
  if (nested)
    warp.emplace(*f, *ops, fam);
  StorageRules rules{fam.getResult<UniformityInfoAnalysis>(*f), regular};
  if (nested) {
    rules.warp = regular ? &warp->info() : nullptr;
    rules.blockLevel = isBlockLevel;
  }
  RegionStorage storage = assignStorage(*f, regions, rules);
  verifyRegions(*f, regions, storage, isEnd);
  if (description)
    printRegions(*description, regions, storage, nested ? &*ops : nullptr, regular);
  fam.invalidate(*f, PreservedAnalyses::none());
  auto makeNestedLoops = regular ? makeRegularLoops : makeIrregularLoops;
  std::unique_ptr<LoopBuilder> loops =
      nested ? makeNestedLoops(*f, regions, *ops, std::move(storage), mapping)
             : makeBlockLoops(*f, regions, std::move(storage), regular,
                              mapping == RegionMapping::Serial);
  loops->run();
  promoteVariables(*f, fam);
  return {f, loops->contextBytes(), loops->contextFixedBytes(), regular};
}

} // namespace vx
