// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang puts its constructor that registers a fat binary after those of the source. Here it gets a
// priority before theirs. It registers the destructor, so that comes after theirs.

#include "frontend/cuda/RegistrationOrder.h"
#include "clang/Basic/CodeGenOptions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace vx {
namespace {

/// Behind the choice between several copies of the runtime (runtime/toolkit/Instances.cpp), which
/// has 101, the first that is not the system's.
constexpr unsigned kPriority = 102;

struct RegistrationOrder : PassInfoMixin<RegistrationOrder> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    GlobalVariable *list = module.getNamedGlobal("llvm.global_ctors");
    auto *entries = list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
    if (!entries)
      return PreservedAnalyses::all();
    SmallVector<Constant *, 8> changed;
    for (Value *operand : entries->operands()) {
      auto *entry = cast<ConstantStruct>(operand);
      if (entry->getOperand(1)->getName() == "__cuda_module_ctor") {
        Constant *priority = ConstantInt::get(entry->getOperand(0)->getType(), kPriority);
        entry = cast<ConstantStruct>(ConstantStruct::get(
            entry->getType(), {priority, entry->getOperand(1), entry->getOperand(2)}));
      }
      changed.push_back(entry);
    }
    list->setInitializer(ConstantArray::get(entries->getType(), changed));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

void registerKernelsFirst(clang::CodeGenOptions &options) {
  options.PassBuilderCallbacks.push_back([](PassBuilder &builder) {
    builder.registerPipelineStartEPCallback([](ModulePassManager &manager, OptimizationLevel) {
      manager.addPass(RegistrationOrder());
    });
  });
}

} // namespace vx
