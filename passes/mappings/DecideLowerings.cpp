// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-decide-lowerings: which of the two lowerings each kernel can have. In: kernels whose attribute
// vx-lower says what was asked for (ChooseLowerings.h): "hw", "sw", or "auto", both. Out: "auto"
// has become "hw" or "sw" where only one of them is possible; "none", after an error, where that is
// not possible either. Kernels without the attribute are left alone, and are for hardware.
//
//   no hw    profile `base` has no instructions for warp functions
//            recursive functions with warp functions (vx-inline-boundaries) make it too large
//   no sw    a recursive function has warp functions, and a local array without a constant size: it
//            cannot be inlined into loops (lib/VortexIR/IterativeFunction.h)
//
// Changes no code. The reasons are left in !vx.mappings, and are said with -Rvx-lower.

#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/IterativeFunction.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/ReportUnsupported.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
#include "passes/regions/ChooseLowerings.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

class LoweringDecider {
public:
  explicit LoweringDecider(Module &m) : m(m), decisions(m), callers(m, isWarpLevel) {}

  void decide(Function &kernel) {
    StringRef how = kernel.getFnAttribute(kLowerAttr).getValueAsString();
    StringRef by = kernel.getFnAttribute(kLowerByAttr).getValueAsString();
    std::string noHw, noSw;
    const Instruction *local = nullptr;
    StringRef tooHard = findTooHard(kernel);
    if (how == "sw")
      noHw = by;
    else if (!tooHard.empty())
      noHw = tooHard;
    else if (how == "auto" && lacksInstructions(kernel))
      noHw = "profile 'base' has no instructions for its warp functions";
    if (how == "hw")
      noSw = by;
    else if ((local = findWithoutFrameIn(kernel)))
      noSw = "'" + displayName(*local->getFunction()) +
             "' is recursive and has warp functions and a local array without a constant size";
    bool isHw = how != "sw" && noHw.empty(), isSw = how != "hw" && !local;
    record(kernel, isHw, noHw, isSw, noSw);
    if (isHw)
      decideInlined(kernel);
    if (local && !isHw)
      reportUnsupported(*local,
                        "a local array without a constant size in a recursive function with "
                        "warp functions has no software lowering");
    if (!tooHard.empty() && !isSw)
      m.getContext().diagnose(DiagnosticInfoUnsupported(
          kernel, "no hardware lowering: " + tooHard,
          kernel.getSubprogram() ? DiagnosticLocation(kernel.getSubprogram())
                                 : DiagnosticLocation()));
    if (!isHw || !isSw)
      kernel.addFnAttr(kLowerAttr, isHw ? "hw" : isSw ? "sw" : "none");
  }

  void finish() { decisions.write(m); }

private:
  /// Returns why recursive functions of KERNEL that have become iterative keep it from the hardware
  /// lowering; empty if they do not.
  static StringRef findTooHard(const Function &kernel) {
    // Frames of 5,000 instructions are compiled in 7 s, of 12,000 not in a minute.
    constexpr unsigned most = 6000;
    return kernel.hasFnAttribute(kRecursiveExchangeAttr) && kernel.getInstructionCount() > most
               ? "recursive functions with warp functions make the kernel too large"
               : "";
  }

  /// Returns a local variable of a recursive function with warp functions that has no room in a
  /// frame; null if KERNEL leads to none.
  const Instruction *findWithoutFrameIn(const Function &kernel) const {
    if (!callers.findRecursion(kernel))
      return nullptr;
    auto reached = reachableFrom({&kernel});
    for (const Functions &cycle : callers.findCycles())
      if (const Instruction *local = findWithoutFrame(cycle);
          local && reached.contains(cycle.front()))
        return local;
    return nullptr;
  }

  /// Returns true if the device has no instructions for what KERNEL or a function that it calls
  /// does.
  bool lacksInstructions(const Function &kernel) const {
    return getIsa(m) == abi::IsaProfile::Base &&
           any_of(instructions(kernel), [&](const Instruction &i) {
             auto fn = getVxFn(&i);
             return (fn && isWarpFunction(*fn) && *fn != VxFn::WarpSync) || callers.isCalledBy(i);
           });
  }

  /// Decides whether KERNEL may have mappings whose variants are made of its software variant.
  void decideInlined(const Function &kernel) {
    MappingDecision &decision = decisions.of(kernel);
    for (const abi::MappingInfo &info : abi::kMappings) {
      const KernelMapping &mapping = kernelMappingOf(info.mapping);
      if (!mapping.isMadeOfSoftwareVariant())
        continue;
      if (StringRef why = mapping.whyNotIn(m); !why.empty())
        decision.forbid(info.mapping, why);
      else if (callers.findRecursion(kernel))
        decision.forbid(info.mapping, "a recursive function has warp functions");
    }
  }

  void record(const Function &kernel, bool isHw, StringRef noHw, bool isSw, StringRef noSw) {
    MappingDecision &decision = decisions.of(kernel);
    for (const abi::MappingInfo &mapping : abi::kMappings) {
      bool ofHw = mapping.lowering == abi::Lowering::Hw;
      if (ofHw ? isHw : isSw)
        decision.allow(mapping.mapping);
      else if (StringRef why = ofHw ? noHw : noSw; !why.empty())
        decision.forbid(mapping.mapping, why);
      else
        decision.forbid(mapping.mapping, "the other lowering was asked for");
    }
    if (!isHw)
      remarkMissing(kernel, "hw", noHw);
    if (!isSw)
      remarkMissing(kernel, "sw", noSw);
  }

  Module &m;
  MappingDecisions decisions;
  TransitiveCallers callers;
};

} // namespace

PreservedAnalyses DecideLoweringsPass::run(Module &m, ModuleAnalysisManager &) {
  LoweringDecider decider(m);
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration() && f.hasFnAttribute(kLowerAttr))
      decider.decide(f);
  decider.finish();
  return PreservedAnalyses::all();
}

} // namespace vx
