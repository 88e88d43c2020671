// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-serialize-kernels: the sw mapping. A kernel that may be lowered to software (attribute
// vx-lower is "sw" or "auto") gets a serial entry: one hardware thread runs a whole block, with a
// loop over its threads for each parallel region (lib/PRTransform), and blocks are spread over all
// hardware threads; or, with warp functions, several hardware threads share a block, each running
// some of its CUDA warps. The entry needs no warp instruction.
//
// Code of the host CPU (module flag vx.host) has entries of the same body that run one block each.
//
// A kernel that is lowered to software only disappears; the others stay for vx-map-kernels. What
// the kernel table says of the serial entry is left in !vx.kernels.

#include "lib/PRTransform/NestedBuilder.h"
#include "lib/PRTransform/RegionBuilder.h"
#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/ChooseLowerings.h"
#include "passes/regions/EntryBuilder.h"
#include "passes/regions/LogicalWarps.h"
#include "passes/regions/PublishCoordinates.h"
#include "passes/regions/WaitLoops.h"
#include "passes/regions/WarpFences.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {
namespace {

bool isWarpLevel(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && (isWarpFunction(*fn) || *fn == VxFn::GroupSync);
}

bool isMemoryFence(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && isFence(*fn);
}

class Serializer {
public:
  Serializer(Module &m, FunctionAnalysisManager &fam)
      : m(m), fam(fam), callers(m, isWarpLevel), fenced(m, isMemoryFence),
        readers(findContextReaders(m)) {}

  /// True if KERNEL, which the device could not run otherwise, is to be lowered to software only.
  bool isSoftwareOnly(const Function &kernel) const {
    StringRef how = kernel.getFnAttribute(kLowerAttr).getValueAsString();
    return how == "sw" || (how == "auto" && getIsa(m) == abi::IsaProfile::Base &&
                           any_of(instructions(kernel), [&](const Instruction &i) {
                             const auto *call = dyn_cast<CallBase>(&i);
                             auto fn = getVxFn(&i);
                             return (fn && isWarpFunction(*fn) && *fn != VxFn::WarpSync) ||
                                    (call && callers.contains(call->getCalledFunction()));
                           }));
  }

  /// Makes the entry; false (after a message, if there is no other variant) if there is none.
  bool run(Function &kernel) {
    StringRef by = kernel.getFnAttribute(kLowerByAttr).getValueAsString();
    if (isSoftwareOnly(kernel))
      remarkMissing(kernel, "hw",
                    kernel.getFnAttribute(kLowerAttr).getValueAsString() == "sw"
                        ? by
                        : "profile 'base' has no instructions for its warp functions");
    ValueToValueMapTy map;
    Function *whole = CloneFunction(&kernel, map);
    bool good = inlineCallers(*whole, kernel);
    if (good) {
      bool lanesWait = syncWarps(*whole);
      MergeBoundariesPass().run(*whole, fam);
      StringRef onlyBlocks;
      if (lanesWait) {
        setKernelFlag(kernel, abi::kKernelLanesWait);
        onlyBlocks = "threads of a warp may wait for a lock that another one holds";
      } else if (!isForHost(m)) {
        onlyBlocks = makeLogicalWarpKernel(*whole, kernel, fam);
      }
      build(*whole, kernel, onlyBlocks);
    }
    fam.clear(*whole, whole->getName());
    whole->eraseFromParent();
    return good;
  }

private:
  void build(Function &whole, Function &kernel, StringRef onlyBlocks) {
    KernelInfo info = describeKernel(kernel);
    info.set(abi::kKernelLanesWait, false); // they run one after another
    bool waits = !isForHost(m) && (mayWait(whole) || info.has(abi::kKernelClusters));
    info.set(abi::kKernelBlocksWait, waits);
    bool nested = any_of(instructions(whole), isWarpLevel);
    bool spreads = nested && !isForHost(m) && !waits;
    info.add(abi::Mapping::BlockPerLane);
    if (spreads)
      info.add(abi::Mapping::WarpsPerLane);
    RegionFunction regions = nested ? buildNestedFunction(whole, fam, spreads)
                                    : buildRegionFunction(whole, fam, RegionMapping::Serial);
    remark(kernel, nested, regions, waits, onlyBlocks);
    info.record.contextBytes = regions.contextBytes;
    info.record.contextFixedBytes = regions.contextFixedBytes;
    // Hardware threads that share a block agree there on the next barrier region.
    bool usesTail = usesFn(whole, VxFn::SharedTail) || (spreads && !regions.regular);
    info.record.tailSharedBytes = usesTail ? kTailBytes : 0;
    bool guardReuse = spreads && (usesTail || usesShared(whole));
    EntryBuilder builder(kernel, "serial", usesTail, guardReuse);
    info.direct = info.chunked = isForHost(m) ? builder.buildForHost(*regions.function)
                                              : builder.buildSerial(*regions.function, spreads);
    fam.clear(*regions.function, regions.function->getName());
    regions.function->eraseFromParent();
    appendKernelInfo(m, info);
  }

  /// Synchronizes the warps of WHOLE after fences; true if lanes of a warp may wait for each other.
  bool syncWarps(Function &whole) {
    WarpView view(whole, fam);
    LaneWaits waits = findLaneWaits(view.function(), view.warp(), fam);
    if (!waits.spins)
      syncWarpsAtFences(whole, view, fam);
    return waits.locks;
  }

  void remark(const Function &kernel, bool nested, const RegionFunction &regions, bool waits,
              StringRef onlyBlocks) {
    if (!wantsLowerRemarks(m))
      return;
    std::string what = "kernel '" + displayName(kernel) + "': sw variant, " +
                       (nested ? "loops over warps and lanes" : "a loop over threads") +
                       (regions.regular ? "" : " with sets of waiting threads") + ", " +
                       std::to_string(regions.contextBytes) + " bytes of context a thread";
    if (waits)
      what += "; blocks may wait for each other: each has a hardware warp of its own";
    if (!onlyBlocks.empty())
      what += "; no mapping thread-per-lane: " + onlyBlocks.str();
    m.getContext().diagnose(DiagnosticInfoGeneric(what, DS_Note));
  }

  /// Brings every warp function into WHOLE, the copy of KERNEL, and if there are any, the fences
  /// among them (WarpFences.h). The calls that come with them were
  /// inside functions, whose coordinates one hardware thread does not keep from region to region.
  bool inlineCallers(Function &whole, Function &kernel) {
    if (const CallBase *call = callers.findRecursion(whole)) {
      reportRecursion(kernel, *call);
      return false;
    }
    bool withFences = !fenced.empty() && any_of(instructions(whole), [&](const Instruction &i) {
      const auto *call = dyn_cast<CallBase>(&i);
      return isWarpLevel(i) || (call && callers.contains(call->getCalledFunction()));
    }) && !fenced.findRecursion(whole);
    SmallPtrSet<CallBase *, 16> own;
    for (Instruction &i : instructions(whole))
      if (auto *call = dyn_cast<CallBase>(&i);
          call && !callers.contains(call->getCalledFunction()) &&
          !(withFences && fenced.contains(call->getCalledFunction())))
        own.insert(call);
    callers.inlineInto(whole);
    if (withFences)
      fenced.inlineInto(whole);
    publishCoordinates(whole, readers, own);
    return true;
  }

  void reportRecursion(Function &kernel, const CallBase &call) {
    std::string callee = demangle(call.getCalledFunction()->getName());
    remarkMissing(kernel, "sw", "'" + callee + "' is recursive and has warp functions");
    if (kernel.getFnAttribute(kLowerAttr).getValueAsString() == "sw")
      m.getContext().diagnose(DiagnosticInfoUnsupported(
          kernel, "a recursive function with warp functions has no software lowering",
          call.getDebugLoc()));
  }

  Module &m;
  FunctionAnalysisManager &fam;
  TransitiveCallers callers, fenced;
  SetVector<Function *> readers;
};

} // namespace

PreservedAnalyses SerializeKernelsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallVector<Function *, 8> kernels;
  for (Function &f : m) {
    if (!isKernel(f) || f.isDeclaration() || !f.hasFnAttribute(kLowerAttr))
      continue;
    if (f.getFnAttribute(kLowerAttr).getValueAsString() == "hw")
      remarkMissing(f, "sw", f.getFnAttribute(kLowerByAttr).getValueAsString());
    else
      kernels.push_back(&f);
  }
  Serializer serializer(m, fam);
  for (Function *kernel : kernels) {
    serializer.run(*kernel);
    if (!serializer.isSoftwareOnly(*kernel))
      continue;
    fam.clear(*kernel, kernel->getName());
    kernel->replaceAllUsesWith(PoisonValue::get(kernel->getType()));
    kernel->eraseFromParent();
  }
  return kernels.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
