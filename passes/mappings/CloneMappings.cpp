// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-clone-mappings: the variants of kernels for mappings that have one of their own, as
// vx-decide-mappings allows them (KernelMapping::makeVariant):
//
//   @k.sw   ->   @k.sw, and @k.warps for thread-per-lane, @k.coarse for coarsened
//
// They are mapped to lanes as a kernel of the hw lowering is (vx-map-kernels).

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

PreservedAnalyses CloneMappingsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallVector<Function *, 8> variants = softwareVariantsOf(m);
  MappingDecisions decisions(m);
  for (const abi::MappingInfo &info : abi::kMappings)
    for (Function *variant : variants)
      if (decisions.of(*variant).allows(info.mapping))
        kernelMappingOf(info.mapping).makeVariant(*variant, fam);
  return variants.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
