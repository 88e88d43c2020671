// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-serialize-kernels: the sw mapping. A kernel that may be lowered to software (attribute
// vx-lower is "sw" or "auto") gets a serial entry: one hardware thread runs a whole block, with a
// loop over its threads for each parallel region (lib/PRTransform), and blocks are spread over all
// hardware threads. The entry needs no barrier and no warp instruction.
//
// A kernel that is lowered to software only disappears; the others stay for vx-map-kernels. What
// the kernel table says of the serial entry is left in !vx.kernels.

#include "lib/PRTransform/RegionBuilder.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/EntryBuilder.h"
#include "passes/regions/KernelInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

void serialize(Function &kernel, FunctionAnalysisManager &fam) {
  KernelInfo info = describeKernel(kernel);
  info.serial = true;
  info.usesTail = usesFn(kernel, VxFn::SharedTail);
  RegionFunction regions = buildRegionFunction(kernel, fam, RegionMapping::Serial);
  info.contextBytes = regions.contextBytes;
  info.direct = info.chunked = EntryBuilder(kernel, "serial", info.usesTail, /*guardReuse=*/false)
                                   .buildSerial(*regions.function);
  fam.clear(*regions.function, regions.function->getName());
  regions.function->eraseFromParent();
  appendKernelInfo(*kernel.getParent(), info);
}

/// Warp functions and synchronization beyond the block have no serial form.
bool isSerializable(const Function &kernel) {
  return none_of(instructions(kernel), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && *fn != VxFn::Barrier && getInfo(*fn).effects == VxEffects::Convergent;
  });
}

} // namespace

PreservedAnalyses SerializeKernelsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallVector<Function *, 8> kernels;
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration() &&
        f.getFnAttribute(kLowerAttr).getValueAsString() != "hw" && f.hasFnAttribute(kLowerAttr) &&
        isSerializable(f))
      kernels.push_back(&f);
  for (Function *kernel : kernels) {
    serialize(*kernel, fam);
    if (kernel->getFnAttribute(kLowerAttr).getValueAsString() != "sw")
      continue;
    fam.clear(*kernel, kernel->getName());
    kernel->replaceAllUsesWith(PoisonValue::get(kernel->getType()));
    kernel->eraseFromParent();
  }
  return kernels.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
