// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/LogicalWarps.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "lib/VortexIR/ExpandWarpFunctions.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/regions/FlatBlocks.h"
#include "passes/regions/ScratchCopy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns the kind of control flow around the warp functions of KERNEL, none of which is a match
/// or reduction.
WarpFlow classify(Function &kernel, FunctionAnalysisManager &fam) {
  std::optional<WarpOps> ops; // its placeholders are used until the copy is gone
  ScratchCopy copy(kernel, fam);
  Function &f = *copy;
  bool barriers = hasBoundary(f);
  ops.emplace(f);
  prepareLoops(f, fam);
  WarpUniformity warp(f, *ops, fam);
  auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(f);
  if (isRegular(f, warp.info(), pdt, isNestedBoundary))
    return WarpFlow::Uniform;
  return !barriers && onlyEndsDiffer(f, warp.info(), pdt) ? WarpFlow::EarlyExit
                                                          : WarpFlow::Divergent;
}

/// Returns true if control flow around warp functions of F is uniform in each group of threads,
/// less than a warp, that exchanges values. Blocks are flat.
bool isUniformInGroups(Function &f, FunctionAnalysisManager &fam) {
  unsigned threads = findGroupThreads(f);
  bool votes = any_of(instructions(f), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && isVote(*fn); // those of logical warps are of the whole warp
  });
  if (votes || threads == 0 || threads >= kWarpSize)
    return false;
  ScratchCopy groups(f, fam);
  useGroupNumbers(*groups, Log2_32(threads));
  return classify(*groups, fam) == WarpFlow::Uniform;
}

} // namespace

bool onlyEndsDiffer(Function &f, UniformityInfo &ui, const PostDominatorTree &pdt) {
  for (BasicBlock &bb : f) {
    if (!ui.hasDivergentTerminator(bb))
      continue;
    const BasicBlock *join = findReconvergence(bb, pdt);
    auto busy = count_if(successors(&bb), [&](const BasicBlock *next) {
      return reaches(next, join, isNestedBoundary);
    });
    if (busy && (busy > 1 || !join || !isa<ReturnInst>(join->getTerminator()) ||
                 any_of(*join, isNestedBoundary)))
      return false; // the others wait at JOIN
  }
  return true;
}

static constexpr StringLiteral kFlatWord = "flat", kGroupsWord = "exact-groups";

std::string LogicalWarpPlan::toString() const {
  std::string text = (flow == WarpFlow::Uniform ? kUniformWarps : kEarlyExitWarps).str();
  if (flat)
    text += (" " + kFlatWord).str();
  if (exactGroups)
    text += (" " + kGroupsWord).str();
  return text;
}

std::optional<LogicalWarpPlan> LogicalWarpPlan::parse(StringRef text) {
  LogicalWarpPlan plan;
  SmallVector<StringRef, 3> words;
  SplitString(text, words);
  for (StringRef word : words)
    if (word == kUniformWarps || word == kEarlyExitWarps)
      plan.flow = word == kUniformWarps ? WarpFlow::Uniform : WarpFlow::EarlyExit;
    else if (word == kFlatWord)
      plan.flat = true;
    else if (word == kGroupsWord)
      plan.exactGroups = true;
  return plan.flow == WarpFlow::Divergent ? std::nullopt : std::optional(plan);
}

LogicalWarpPlan planLogicalWarps(Function &variant, FunctionAnalysisManager &fam) {
  LogicalWarpPlan plan;
  bool exchanges = any_of(instructions(variant), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && isWarpFunction(*fn);
  });
  if (!exchanges) {
    plan.flow = WarpFlow::Uniform;
    return plan;
  }
  ScratchCopy copy(variant, fam); // what vx-expand-warp-functions will make of it
  expandWarpFunctions(*copy);
  plan.flow = classify(*copy, fam);
  if (plan.flow == WarpFlow::Uniform)
    return plan;
  assumeFlatBlocks(*copy);
  bool inGroups = plan.flow == WarpFlow::Divergent && isUniformInGroups(*copy, fam);
  useGroupNumbers(*copy, kWarpShift);
  WarpFlow flat = classify(*copy, fam);
  if (inGroups && flat == WarpFlow::Divergent) {
    flat = WarpFlow::Uniform;
    plan.exactGroups = true;
  }
  plan.flat = flat < plan.flow;
  plan.flow = std::min(flat, plan.flow);
  return plan;
}

} // namespace vx
