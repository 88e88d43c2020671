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
// Each mapping says itself what it takes of a kernel (passes/mappings). The sw lowering is left for
// later where hw runs every launch (--vx-defer-sw, lib/VortexIR/TargetFeatures.h).

#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
#include "passes/regions/ChooseLowerings.h"
#include "passes/regions/DivergentGridSync.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

class MappingDecider {
public:
  MappingDecider(Module &m, FunctionAnalysisManager &fam) : m(m), fam(fam), decisions(m) {}

  /// Finds out which of VARIANTS wait, which what follows depends on, and which are deferred.
  void prepare(ArrayRef<Function *> variants) {
    for_each(variants, [&](Function *f) { findWaits(*f); });
    if (unsigned limit = deviceOption::deferSwLimit(m); limit != kNoLimit && !isWatched(m))
      findDeferred(limit, variants);
  }

  void decide(Function &variant) {
    MappingDecision &decision = decisions.of(variant);
    MappingFacts facts(variant, fam, decision, lanesWaiting.contains(&variant));
    bool isLeft = deferred.contains(&variant); // and defer() says why
    for (const abi::MappingInfo &info : abi::kMappings) {
      const KernelMapping &mapping = kernelMappingOf(info.mapping);
      bool mayHave = info.lowering == abi::Lowering::Sw
                         ? !isLeft && decision.mayHave(abi::Lowering::Sw)
                         : mapping.isMadeOfSoftwareVariant() && decision.allows(info.mapping);
      if (mayHave)
        decision.forbid(info.mapping, mapping.whyNot(facts));
    }
  }

  /// Leaves out what is too much code for the module.
  void finish(ArrayRef<Function *> variants) {
    for (const abi::MappingInfo &info : abi::kMappings)
      kernelMappingOf(info.mapping).limit(variants, decisions);
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
                          (!hasPaths(m) && syncsGridDivergently(variant, fam)));
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
      if (hw && decision.allows(abi::baseOf(abi::Lowering::Hw)) &&
          decision.mayHave(abi::Lowering::Sw) && !needsSoftware(*f, *hw))
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
  /// where lanes wait for each other, where more blocks have to be resident than hw has room for,
  /// or in blocks of more dimensions.
  static bool needsSoftware(const Function &variant, const Function &hw) {
    return hasKernelFlag(hw, abi::kKernelLanesWait) || hasKernelFlag(hw, abi::kKernelFlat) ||
           hasKernelFlag(variant, abi::kKernelBlocksWait) ||
           hasKernelFlag(variant, abi::kKernelClusters) ||
           any_of(instructions(variant),
                  [](const Instruction &i) { return getVxFn(&i) == VxFn::GridSync; });
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
  SmallVector<Function *, 8> variants = softwareVariantsOf(m);
  if (variants.empty())
    return PreservedAnalyses::all();
  MappingDecider decider(m, fam);
  decider.prepare(variants);
  for_each(variants, [&](Function *f) { decider.decide(*f); });
  decider.finish(variants);
  return PreservedAnalyses::all();
}

} // namespace vx
