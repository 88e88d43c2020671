// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-serialize-kernels: builds the serial entry of each software variant of a kernel. One hardware
// thread runs a whole block, with a loop over its threads for each parallel region
// (lib/PRTransform), and blocks are spread over all hardware threads; or, where the mapping
// warps-per-lane is possible, several hardware threads share a block, each running some of its CUDA
// warps. The entry needs no warp instruction.
//
// Code of the host CPU (module flag vx.host) has entries of the same body that run one block each.
//
// The software variants disappear. What the kernel table says of the entries is left in
// !vx.kernels.

#include "lib/PRTransform/RegionBuilder.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
#include "passes/regions/EntryBuilder.h"
#include "passes/regions/NamedBarriers.h"
#include "passes/regions/ThreadWaits.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace vx {
namespace {

class Serializer {
public:
  Serializer(Module &m, FunctionAnalysisManager &fam) : m(m), fam(fam), decisions(m) {}

  void build(Function &variant) {
    const MappingDecision &decision = decisions.of(variant);
    if (!decision.mayHave(abi::Lowering::Sw))
      return; // it was made for variants of the hw lowering only
    KernelInfo info = describeKernel(variant);
    bool nested = hasWarpFunctions(variant);
    // The form of the last mapping that the entry serves includes those of the others.
    SerialForm form{};
    for (const abi::MappingInfo &mapping : abi::kMappings) {
      auto other = kernelMappingOf(mapping.mapping).serialFormOf(variant);
      bool isBase = mapping.mapping == abi::baseOf(abi::Lowering::Sw);
      if (!other || !(isBase || decision.allows(mapping.mapping)))
        continue;
      info.add(mapping.mapping);
      form = *other;
    }
    if (!nested && waitsForLocksOnly(variant))
      eraseWaits(variant);
    RegionFunction regions = buildRegionFunction(variant, fam, form.regions);
    remark(info, nested, regions, decision);
    info.record.contextBytes = regions.contextBytes;
    info.record.contextFixedBytes = regions.contextFixedBytes;
    // Whole warps in rows, as nearly all blocks have them, become vectors of the host.
    std::optional<RegionFunction> whole;
    if (isForHost(m) && form.regions == RegionMapping::Warps && !keepsVariables(m)) {
      whole = buildRegionFunction(variant, fam, RegionMapping::WholeWarps);
      useSubprogram(*whole->function, regions.function->getSubprogram());
      info.record.contextBytes = std::max(regions.contextBytes, whole->contextBytes);
      info.record.contextFixedBytes = std::max(regions.contextFixedBytes, whole->contextFixedBytes);
    }
    // Hardware threads that share a block agree there on the next barrier region.
    bool usesTail = usesFn(variant, VxFn::SharedTail) || (form.sharesBlocks && !regions.regular);
    info.record.tailSharedBytes = usesTail ? kTailBytes + namedBarrierBytes(variant) : 0;
    bool guardReuse = form.sharesBlocks && (usesTail || usesShared(variant));
    EntryBuilder builder(variant, "serial." + info.name, form.makeSlot, usesTail, guardReuse);
    info.direct = info.chunked =
        builder.buildRegions(*regions.function, whole ? whole->function : nullptr);
    erase(*regions.function);
    if (whole)
      erase(*whole->function);
    appendKernelInfo(m, info);
  }

private:
  /// Both bodies of an entry belong to one function of the source.
  static void useSubprogram(Function &f, DISubprogram *subprogram) {
    if (!subprogram)
      return;
    ValueToValueMapTy map;
    map.MD()[f.getSubprogram()].reset(subprogram);
    RemapFunction(f, map, RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs);
  }

  void erase(Function &f) {
    fam.clear(f, f.getName());
    f.eraseFromParent();
  }

  void remark(const KernelInfo &info, bool nested, const RegionFunction &regions,
              const MappingDecision &decision) {
    if (!deviceOption::lowerRemarks(m))
      return;
    std::string what = "kernel '" + displayName(info.name) + "': sw variant, " +
                       (nested ? "loops over warps and lanes" : "a loop over threads") +
                       (regions.regular ? "" : " with sets of waiting threads") + ", " +
                       std::to_string(regions.contextBytes) + " bytes of context a thread";
    if (info.has(abi::kKernelBlocksWait))
      what += "; blocks may wait for each other: each has a hardware warp of its own";
    for (const abi::MappingInfo &mapping : abi::kMappings)
      if (StringRef why = decision.whyNot(mapping.mapping);
          mapping.lowering == abi::Lowering::Sw && !isForHost(m) && !why.empty())
        what += std::string("; no mapping ") + mapping.name + ": " + why.str();
    m.getContext().diagnose(DiagnosticInfoGeneric(what, DS_Note));
  }

  Module &m;
  FunctionAnalysisManager &fam;
  MappingDecisions decisions;
};

} // namespace

PreservedAnalyses SerializeKernelsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallVector<Function *, 8> variants = softwareVariantsOf(m);
  Serializer serializer(m, fam);
  for (Function *variant : variants) {
    serializer.build(*variant);
    fam.clear(*variant, variant->getName());
    variant->eraseFromParent();
  }
  return variants.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
