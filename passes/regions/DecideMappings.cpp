// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-decide-mappings: which mappings (intrinsics/abi/Mappings.def) each kernel may
// have, and why it may not have the others. In: the software variants of kernels, with their
// warp functions inlined and what lanes wait for found. Changes no code; what is decided is left
//
//   in !vx.mappings            for each mapping: possible, or the reason why not
//   on the software variant    the plan for logical warps, and whether blocks may wait for each
//                              other
//   on the hardware variant    whether lanes of a warp may wait for each other
//
// Mapping coarsened, which no launch depends on, is left out of large modules
// (--vx-mapping-budget), and the sw lowering is left for later where hw runs every launch
// (--vx-defer-sw, lib/VortexIR/TargetFeatures.h).

#include "intrinsics/abi/WarpSize.h"
#include "lib/PRTransform/ThreadRanks.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/KeptVariables.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/regions/BlocksApart.h"
#include "passes/regions/ChooseLowerings.h"
#include "passes/regions/CoarsenKernels.h"
#include "passes/regions/LogicalWarps.h"
#include "passes/regions/ScratchCopy.h"
#include "passes/regions/ThreadWaits.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

using abi::Mapping;

/// Instructions of a kernel without warp functions that is coarsened, at most: values of four
/// threads of a larger one have no room in registers.
constexpr unsigned kMaxPlain = 300;

class MappingDecider {
public:
  MappingDecider(Module &m, FunctionAnalysisManager &fam) : m(m), fam(fam), decisions(m) {}

  /// Finds out which of VARIANTS wait, which what follows depends on, and which are deferred.
  void prepare(ArrayRef<Function *> variants) {
    for_each(variants, [&](Function *f) { findWaits(*f); });
    if (unsigned limit = deviceOption::deferSwLimit(m); limit != kNoLimit && !isWatched())
      findDeferred(limit, variants);
  }

  void decide(Function &variant) {
    MappingDecision &decision = decisions.of(variant);
    bool ofSw = decision.whyNot(Mapping::BlockPerLane).empty();
    bool blocksWait = hasKernelFlag(variant, abi::kKernelBlocksWait);
    StringRef tooLarge = whyTooLarge(variant, decision);
    std::string noLogical;
    if ((ofSw && !deferred.contains(&variant)) || decision.allows(Mapping::SplitWarps) ||
        (decision.allows(Mapping::Coarsened) && tooLarge.empty()))
      noLogical = whyNoLogicalWarps(variant);
    if (ofSw) {
      decision.allow(Mapping::BlockPerLane);
      decision.forbid(Mapping::WarpsPerLane, whyNotWarpsPerLane(variant, blocksWait));
      decision.forbid(Mapping::ThreadPerLane, noLogical);
    }
    if (decision.allows(Mapping::SplitWarps))
      decision.forbid(Mapping::SplitWarps, whyNotSplitWarps(variant, noLogical));
    if (decision.allows(Mapping::Coarsened))
      decision.forbid(Mapping::Coarsened, blocksWait          ? "blocks may wait for each other"
                                          : !tooLarge.empty() ? tooLarge.str()
                                                              : whyNotCoarse(variant, noLogical));
  }

  /// Leaves out variants in mapping coarsened beyond the module's budget.
  void finish(ArrayRef<Function *> variants) {
    spend(deviceOption::mappingBudget(m), variants);
    for_each(variants, [&](Function *f) {
      if (deferred.contains(f))
        defer(*f);
    });
    decisions.write(m);
  }

private:
  void findWaits(Function &variant) {
    bool blocksWait =
        !isForHost(m) && (mayWait(variant) || hasKernelFlag(variant, abi::kKernelClusters) ||
                          (!hasPaths(m) && syncsGridApart(variant, fam)));
    setKernelFlag(variant, abi::kKernelBlocksWait, blocksWait);
    // In the software variant they run one after another.
    bool lanesWait = hasKernelFlag(variant, abi::kKernelLanesWait);
    setKernelFlag(variant, abi::kKernelLanesWait, false);
    Function *hw = m.getFunction(sourceNameOf(variant));
    if (hw && lanesWait && !hasPaths(m)) // where lanes have paths, none waits for ever
      setKernelFlag(*hw, abi::kKernelLanesWait);
    if (lanesWait)
      lanesWaiting.insert(&variant);
  }

  static constexpr const char *kBeyondBudget =
      "the module is too large for it (--vx-mapping-budget)";

  static bool isOfHwAlone(const MappingDecision &decision) {
    return !decision.whyNot(Mapping::BlockPerLane).empty();
  }

  /// Returns why VARIANT cannot have mapping coarsened whatever is in it, so that it is not worth a
  /// look; empty: it may.
  StringRef whyTooLarge(const Function &variant, const MappingDecision &decision) const {
    uint64_t size = variant.getInstructionCount();
    if (unsigned budget = deviceOption::mappingBudget(m);
        size > budget && (!isOfHwAlone(decision) || findGroupThreads(variant) == 0))
      return kBeyondBudget;
    // Some of it goes before it is copied: the copies of unrolled loops.
    return size * kCoarsenedWarp.parts > 8 * kMaxCoarsened ? kTooLargeToCoarsen : "";
  }

  /// Allows as many variants of mapping coarsened as BUDGET instructions are enough for: those of
  /// kernels that exchange values first, which gain most, then small ones, which cost little. No
  /// kernel needs one: every launch that has the mapping has block-per-lane, too, where the kernel
  /// has a sw lowering, or hw, where threads exchange no values.
  void spend(uint64_t budget, ArrayRef<Function *> variants) {
    using Rank = std::pair<bool, uint64_t>; // whether no values are exchanged, and the size
    SmallVector<std::pair<Rank, Function *>, 8> ranked;
    for (Function *f : variants)
      ranked.push_back({{findGroupThreads(*f) == 0, f->getInstructionCount()}, f});
    stable_sort(ranked, less_first());
    for (auto [rank, f] : ranked) {
      auto [isPlain, size] = rank;
      MappingDecision &decision = decisions.of(*f);
      if (!decision.allows(Mapping::Coarsened) || (!isPlain && isOfHwAlone(decision)))
        continue;
      if (size > budget)
        decision.forbid(Mapping::Coarsened, kBeyondBudget);
      else
        budget -= size;
    }
  }

  /// Returns true if the code is for the checkers or a debugger.
  bool isWatched() const { return deviceOption::forCheckers(m) || keepsVariables(m); }

  /// Finds the kernels whose sw lowering is left for later, if VARIANTS have more than LIMIT
  /// instructions: those whose launches all run in hw.
  void findDeferred(uint64_t limit, ArrayRef<Function *> variants) {
    uint64_t size = 0;
    for (const Function *f : variants)
      size += f->getInstructionCount();
    if (size <= limit)
      return;
    for (Function *f : variants) {
      const Function *hw = m.getFunction(sourceNameOf(*f));
      const MappingDecision &decision = decisions.of(*f);
      if (hw && decision.allows(Mapping::Hardware) &&
          decision.whyNot(Mapping::BlockPerLane).empty() && !needsSoftware(*f, *hw))
        deferred.insert(f);
    }
  }

  /// Forbids the mappings of the sw lowering; flag sw-deferred says so to the runtime.
  void defer(Function &variant) {
    Function &hw = *m.getFunction(sourceNameOf(variant));
    constexpr const char *why = "it is compiled when a program asks for it (--vx-defer-sw)";
    for (const abi::MappingInfo &mapping : abi::kMappings)
      if (mapping.lowering == abi::Lowering::Sw)
        decisions.of(variant).forbid(mapping.mapping, why);
    setKernelFlag(hw, abi::kKernelSwDeferred);
    remarkMissing(hw, "sw", why);
  }

  /// Returns true if launches on a device that has what HW needs may take VARIANT all the same:
  /// where lanes wait for each other, or where more blocks have to be resident than hw has room
  /// for.
  static bool needsSoftware(const Function &variant, const Function &hw) {
    return hasKernelFlag(hw, abi::kKernelLanesWait) ||
           hasKernelFlag(variant, abi::kKernelBlocksWait) ||
           hasKernelFlag(variant, abi::kKernelClusters) ||
           any_of(instructions(variant),
                  [](const Instruction &i) { return getVxFn(&i) == VxFn::GridSync; });
  }

  static constexpr const char *kOnPaths = "lanes of a hardware warp may be on different paths";

  /// Returns why VARIANT does not have the mapping; empty: it does.
  StringRef whyNotWarpsPerLane(const Function &variant, bool blocksWait) const {
    if (isForHost(m))
      return "a thread of the host runs a whole block";
    if (blocksWait)
      return "blocks may wait for each other";
    if (none_of(instructions(variant), isWarpLevel))
      return "it has no warp functions";
    // Hardware warps that share blocks must come to barriers in one order.
    if (hasPaths(m))
      return kOnPaths;
    return "";
  }

  static bool hasThreadWaits(const Function &variant) {
    return any_of(instructions(variant),
                  [](const Instruction &i) { return getVxFn(&i) == VxFn::ThreadWait; });
  }

  /// Returns true if F asks for the second or third coordinate of a thread, except for the number
  /// of the thread in its block. Replaces that.
  static bool usesRows(Function &f) {
    useThreadRanks(f);
    return any_of(instructions(f), [](const Instruction &i) {
      auto fn = getVxFn(&i);
      return fn == VxFn::ThreadIdxY || fn == VxFn::ThreadIdxZ;
    });
  }

  static bool isExchange(const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && isWarpFunction(*fn);
  }

  /// Returns why hardware warps may not form logical warps; empty: they may. Leaves the plan on
  /// VARIANT unless the hardware variant serves as well: there are no warp functions.
  std::string whyNoLogicalWarps(Function &variant) {
    if (isForHost(m))
      return "a thread of the host runs a whole block";
    if (lanesWaiting.contains(&variant))
      return "threads of a warp may wait for a lock that another one holds";
    // A part of them may wait for another.
    if (any_of(instructions(variant),
               [](const Instruction &i) { return getVxFn(&i) == VxFn::GroupSync; }))
      return "it has groups of several warps";
    if (m.getFunction(sourceNameOf(variant)) && none_of(instructions(variant), isExchange))
      return "";
    if (hasPaths(m)) // and so may those of a logical warp
      return kOnPaths;
    if (hasThreadWaits(variant))
      return "its threads wait at mbarriers, and exchange values";
    LogicalWarpPlan plan = planLogicalWarps(variant, fam);
    if (plan.flow == WarpFlow::Divergent)
      return "the threads of a warp may diverge around a warp function";
    variant.addFnAttr(kLogicalWarpPlanAttr, plan.toString());
    return "";
  }

  /// Returns why VARIANT does not have the mapping; empty: it does. NOLOGICAL: why there are no
  /// logical warps.
  std::string whyNotSplitWarps(const Function &variant, const std::string &noLogical) {
    unsigned threads = findGroupThreads(variant);
    if (threads == 0)
      return "no values are exchanged between lanes";
    if (threads <= abi::kMinLogicalWarpLanes)
      return "hardware warps hold all threads that exchange values";
    return noLogical;
  }

  /// Returns why VARIANT does not have the mapping; empty: it does. NOLOGICAL: why there are no
  /// logical warps.
  std::string whyNotCoarse(Function &variant, const std::string &noLogical) {
    unsigned threads = findGroupThreads(variant);
    bool exchanges = threads != 0;
    if (exchanges && threads <= abi::kCoarsenedLanes)
      return "hardware warps hold all threads that exchange values";
    if (!noLogical.empty())
      return noLogical;
    if (any_of(instructions(variant), isWaitApart))
      return "threads of a warp may wait for each other";
    if (isWatched())
      return "it is compiled for the checkers or a debugger";
    auto plan =
        LogicalWarpPlan::parse(variant.getFnAttribute(kLogicalWarpPlanAttr).getValueAsString());
    if (exchanges && (!plan || plan->flow != WarpFlow::Uniform || plan->exactGroups))
      return "some threads of a warp may have ended before a warp function, or take other paths";
    ScratchCopy copy(variant, fam);
    if (!exchanges && (*copy).getInstructionCount() > kMaxPlain)
      return "it is large, and exchanges no values";
    // Threads that exchange values are mostly numbered in one dimension all the same.
    if (!exchanges && usesRows(*copy))
      return "its blocks have more than one dimension";
    prepareForCoarsening(*copy, fam);
    return whyNotCoarsened(*copy, fam, kCoarsenedWarp);
  }

  Module &m;
  FunctionAnalysisManager &fam;
  MappingDecisions decisions;
  SmallPtrSet<const Function *, 8> lanesWaiting; ///< variants whose lanes may wait for each other
  SmallPtrSet<const Function *, 8> deferred;
};

} // namespace

PreservedAnalyses DecideMappingsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallVector<Function *, 8> variants; // copies of functions come and go
  for (Function &f : m)
    if (isSoftwareVariant(f) && !f.isDeclaration())
      variants.push_back(&f);
  if (variants.empty())
    return PreservedAnalyses::all();
  MappingDecider decider(m, fam);
  decider.prepare(variants);
  for_each(variants, [&](Function *f) { decider.decide(*f); });
  decider.finish(variants);
  return PreservedAnalyses::all();
}

} // namespace vx
