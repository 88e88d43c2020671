// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/ModuleOptions.h"
#include "passes/regions/ChooseLowerings.h"

using namespace llvm;

namespace vx {

void keepModuleOptions(Module &module, const CodegenOptions &options) {
  options.device.write(module);
  setModuleFlag(module, kLoweringFlag, uint32_t(options.lowering) + 1);
  applyKernelLowerings(module, options);
}

void readModuleOptions(const Module &module, CodegenOptions &options) {
  options.device.read(module);
  uint64_t lowering = getModuleFlagOr(module, kLoweringFlag, 0);
  if (lowering != 0 && lowering <= uint64_t(abi::Lowering::Auto) + 1)
    options.lowering = abi::Lowering(lowering - 1);
}

} // namespace vx
