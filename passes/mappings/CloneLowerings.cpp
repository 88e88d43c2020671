// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-clone-lowerings: a variant of each kernel for each lowering that it is to have (vx-lower,
// after vx-decide-lowerings).
//
//   @k  "hw"      @k, and @k.sw where other mappings of the hw lowering may be made of it
//   @k  "sw"      @k.sw, in its place
//   @k  "auto"    @k and @k.sw
//   @k  "none"    nothing
//
// The variant for software has the attributes vx-software and vx-source-name.

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

/// INLINES: there may be variants for mappings of the hw lowering whose warp functions are inlined.
static void makeVariants(Function &kernel, bool inlines) {
  StringRef how = kernel.getFnAttribute(kLowerAttr).getValueAsString();
  if (how == "none") {
    kernel.replaceAllUsesWith(PoisonValue::get(kernel.getType()));
    kernel.eraseFromParent();
    return;
  }
  if (how != "sw" && how != "auto" && !inlines)
    return;
  std::string name = kernel.getName().str();
  ValueToValueMapTy map;
  Function &variant = how == "sw" ? kernel : *CloneFunction(&kernel, map);
  if (how == "sw") {
    // Where the address of a kernel was taken there is a handle (vx-kernel-handles).
    kernel.replaceAllUsesWith(PoisonValue::get(kernel.getType()));
    // Behind all others, as the copies: the order of variants is that of the code of their entries.
    Module &m = *kernel.getParent();
    kernel.removeFromParent();
    m.getFunctionList().push_back(&kernel);
  }
  variant.setName(name + ".sw");
  variant.addFnAttr(kSoftwareAttr);
  variant.addFnAttr(kSourceNameAttr, name);
}

PreservedAnalyses CloneLoweringsPass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> kernels;
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration() && f.hasFnAttribute(kLowerAttr))
      kernels.push_back(&f);
  MappingDecisions decisions(m);
  for (Function *kernel : kernels) {
    const MappingDecision &decision = decisions.of(*kernel);
    makeVariants(*kernel, any_of(abi::kMappings, [&](const abi::MappingInfo &info) {
      return kernelMappingOf(info.mapping).isMadeOfSoftwareVariant() &&
             decision.allows(info.mapping);
    }));
  }
  return kernels.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
