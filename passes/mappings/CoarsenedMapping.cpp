// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mapping coarsened, whose lanes run several threads of a CUDA warp (lib/PRTransform/Coarsening.h):
//
//   @k.sw   ->   @k.sw and @k.coarse "vx-coarsened", flag flat
//
// No launch depends on it, so it is left out of large modules (--vx-mapping-budget).

#include "intrinsics/abi/WarpSize.h"
#include "lib/PRTransform/Coarsening.h"
#include "lib/PRTransform/ThreadRanks.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/ExpandWarpFunctions.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "passes/mappings/KernelMapping.h"
#include "passes/regions/FlatBlocks.h"
#include "passes/regions/LogicalWarps.h"
#include "passes/regions/ScratchCopy.h"
#include "passes/regions/ThreadWaits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace vx {
namespace {

/// The hardware warps that kernels are coarsened for.
constexpr WarpParts kCoarsenedWarp = {abi::kCoarsenedParts, abi::kCoarsenedLanes};

/// Instructions of a kernel without warp functions that is coarsened, at most: values of four
/// threads of a larger one have no room in registers.
constexpr unsigned kMaxPlain = 300;

constexpr const char *kBeyondBudget = "the module is too large for it (--vx-mapping-budget)";

/// Parts of a lane side by side hide as much latency as iterations do, in fewer registers: leaves
/// loops that were unrolled (vx-unroll-loops) to their originals.
void skipUnrolledLoops(Function &variant, FunctionAnalysisManager &fam) {
  SmallVector<BasicBlock *, 4> entries;
  for (Loop *loop : fam.getResult<LoopAnalysis>(variant).getLoopsInPreorder())
    if (findOptionMDForLoop(loop, kUnrolledLoop) && loop->getLoopPreheader())
      entries.push_back(loop->getLoopPreheader());
  for (BasicBlock *entry : entries) {
    BasicBlock *before = entry->getUniquePredecessor();
    auto *br = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!br || !br->isConditional())
      continue;
    br->setCondition(ConstantInt::getBool(br->getContext(), br->getSuccessor(0) != entry));
  }
  if (entries.empty())
    return;
  fam.invalidate(variant, PreservedAnalyses::none());
  FunctionPassManager fpm;
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstSimplifyPass());
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(ADCEPass());
  fpm.run(variant, fam);
  fam.invalidate(variant, PreservedAnalyses::none());
}

/// Leaves votes and shuffles only in VARIANT, makes it one for blocks of one dimension, and undoes
/// vx-unroll-loops.
void prepareForCoarsening(Function &variant, FunctionAnalysisManager &fam) {
  expandWarpFunctions(variant);
  skipUnrolledLoops(variant, fam);
  assumeFlatBlocks(variant);
  useGroupNumbers(variant, kWarpShift);
}

/// Returns true if F asks for the second or third coordinate of a thread, except for the number of
/// the thread in its block. Replaces that.
bool usesRows(Function &f) {
  useThreadRanks(f);
  return any_of(instructions(f), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn == VxFn::ThreadIdxY || fn == VxFn::ThreadIdxZ;
  });
}

class CoarsenedMapping final : public KernelMapping {
public:
  constexpr CoarsenedMapping() : KernelMapping(abi::Mapping::Coarsened) {}

  StringRef whyNotIn(const Module &m) const override {
    return deviceOption::coarsen(m) ? "" : "--vx-coarsen=false";
  }
  bool isMadeOfSoftwareVariant() const override { return true; }
  std::string whyNot(MappingFacts &facts) const override;
  void limit(ArrayRef<Function *> variants, MappingDecisions &decisions) const override;

  void makeVariant(Function &variant, FunctionAnalysisManager &fam) const override {
    Function &copy = copyOf(variant, ".coarse");
    copy.addFnAttr(kCoarsenedAttr);
    setKernelFlag(copy, abi::kKernelFlat);
    prepareForCoarsening(copy, fam);
    coarsen(copy, fam, kCoarsenedWarp);
  }
  MakeSlot *slotOf(bool) const override { return makeCoarsenedSlot; }
  bool keepsDirectEntry() const override { return true; }
  StringRef remark() const override { return "hardware warps of 8 lanes with four threads each"; }

private:
  static StringRef whyTooLarge(const MappingFacts &facts);
};

/// Returns why a variant cannot have the mapping whatever is in it, so that it is not worth a look;
/// empty: it may.
StringRef CoarsenedMapping::whyTooLarge(const MappingFacts &facts) {
  uint64_t size = facts.variant.getInstructionCount();
  if (size > deviceOption::mappingBudget(facts.module()) &&
      (facts.decision.mayHave(abi::Lowering::Sw) || findGroupThreads(facts.variant) == 0))
    return kBeyondBudget;
  // Some of it goes before it is copied: the copies of unrolled loops.
  return size * kCoarsenedWarp.parts > 8 * kMaxCoarsened ? kTooLargeToCoarsen : "";
}

std::string CoarsenedMapping::whyNot(MappingFacts &facts) const {
  Function &variant = facts.variant;
  if (facts.blocksWait())
    return "blocks may wait for each other";
  if (StringRef why = whyTooLarge(facts); !why.empty())
    return why.str();
  unsigned threads = findGroupThreads(variant);
  bool exchanges = threads != 0;
  if (exchanges && threads <= abi::kCoarsenedLanes)
    return "hardware warps hold all threads that exchange values";
  if (const std::string &why = facts.whyNoLogicalWarps(); !why.empty())
    return why;
  if (any_of(instructions(variant), isDivergentWait))
    return "threads of a warp may wait for each other";
  if (isWatched(facts.module()))
    return "it is compiled for the checkers or a debugger";
  auto plan =
      LogicalWarpPlan::parse(variant.getFnAttribute(kLogicalWarpPlanAttr).getValueAsString());
  if (exchanges && (!plan || plan->flow != WarpFlow::Uniform || plan->exactGroups))
    return "some threads of a warp may have ended before a warp function, or take other paths";
  ScratchCopy copy(variant, facts.fam);
  if (!exchanges && (*copy).getInstructionCount() > kMaxPlain)
    return "it is large, and exchanges no values";
  // Threads that exchange values are mostly numbered in one dimension all the same.
  if (!exchanges && usesRows(*copy))
    return "its blocks have more than one dimension";
  prepareForCoarsening(*copy, facts.fam);
  return whyNotCoarsened(*copy, facts.fam, kCoarsenedWarp);
}

/// Leaves as many variants as --vx-mapping-budget is enough for: those of kernels that exchange
/// values first, which gain most, then small ones, which cost little. No kernel needs one: every
/// launch that has the mapping has block-per-lane, too, where the kernel has a sw lowering, or hw,
/// where threads exchange no values.
void CoarsenedMapping::limit(ArrayRef<Function *> variants, MappingDecisions &decisions) const {
  uint64_t budget = deviceOption::mappingBudget(*variants.front()->getParent());
  using Rank = std::pair<bool, uint64_t>; // whether no values are exchanged, and the size
  SmallVector<std::pair<Rank, Function *>, 8> ranked;
  for (Function *f : variants)
    ranked.push_back({{findGroupThreads(*f) == 0, f->getInstructionCount()}, f});
  stable_sort(ranked, less_first());
  for (auto [rank, f] : ranked) {
    auto [isPlain, size] = rank;
    MappingDecision &decision = decisions.of(*f);
    if (!decision.allows(abi::Mapping::Coarsened) ||
        (!isPlain && !decision.mayHave(abi::Lowering::Sw)))
      continue;
    if (size > budget)
      decision.forbid(abi::Mapping::Coarsened, kBeyondBudget);
    else
      budget -= size;
  }
}

constexpr CoarsenedMapping kCoarsened;

} // namespace

const KernelMapping &kCoarsenedMapping = kCoarsened;

} // namespace vx
