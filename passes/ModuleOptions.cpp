// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/ModuleOptions.h"
#include "passes/regions/ChooseLowerings.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Type.h"

using namespace llvm;

namespace vx {

/// One node: optimisation level, fast math, lowering, for the checkers, split-warps, coarsened, its
/// budget, exact tiles.
static constexpr const char *kName = "vx.options";
static constexpr unsigned kFields = 8;

void keepModuleOptions(Module &module, const CodegenOptions &options) {
  LLVMContext &context = module.getContext();
  auto number = [&](uint32_t value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
  };
  NamedMDNode *node = module.getOrInsertNamedMetadata(kName);
  node->clearOperands();
  node->addOperand(
      MDNode::get(context, {number(options.optLevel), number(options.fastMath),
                            number(uint32_t(options.lowering)), number(options.forCheckers),
                            number(options.splitWarps), number(options.coarsen),
                            number(options.mappingBudget), number(options.exactTiles)}));
  applyKernelLowerings(module, options);
}

void readModuleOptions(const Module &module, CodegenOptions &options) {
  const NamedMDNode *node = module.getNamedMetadata(kName);
  if (!node || node->getNumOperands() == 0 || node->getOperand(0)->getNumOperands() < kFields)
    return;
  uint64_t fields[kFields];
  for (unsigned i = 0; i < kFields; ++i) {
    auto *constant = mdconst::dyn_extract<ConstantInt>(node->getOperand(0)->getOperand(i));
    if (!constant)
      return;
    fields[i] = constant->getZExtValue();
  }
  options.optLevel = unsigned(std::min<uint64_t>(fields[0], 3));
  options.fastMath = fields[1] != 0;
  if (fields[2] <= uint64_t(abi::Lowering::Auto))
    options.lowering = abi::Lowering(fields[2]);
  options.forCheckers = fields[3] != 0;
  options.splitWarps = fields[4] != 0;
  options.coarsen = fields[5] != 0;
  options.mappingBudget = unsigned(fields[6]);
  options.exactTiles = fields[7] != 0;
}

} // namespace vx
