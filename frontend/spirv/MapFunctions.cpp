// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-spirv-map-functions: gives functions the calling conventions, names and attributes that clang
// gives them for nvptx64:
//
//   spir_kernel void @k(…)                         ptx_kernel void @k(…)
//   spir_func i32 @_Z10atomic_addPU3AS4Vii(…)      i32 @_Z10atomic_addPVii(…) convergent
//
// All are convergent, as in clang: the translator knows that of some functions only.

#include "frontend/spirv/BuiltinNames.h"
#include "frontend/spirv/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::spirv {
namespace {

CallingConv::ID mapConvention(CallingConv::ID convention) {
  return convention == CallingConv::SPIR_KERNEL ? CallingConv::PTX_Kernel : CallingConv::C;
}

/// Gives F its name; two of SPIR's functions may have become one.
void rename(Function &f) {
  std::string name = remangle(f.getName());
  if (name == f.getName())
    return;
  Function *other = f.getParent()->getFunction(name);
  if (!other) {
    f.setName(name);
    return;
  }
  if (other->getFunctionType() != f.getFunctionType() || !f.isDeclaration())
    return;
  f.replaceAllUsesWith(other);
  f.eraseFromParent();
}

} // namespace

PreservedAnalyses MapFunctionsPass::run(Module &m, ModuleAnalysisManager &) {
  for (Function &f : make_early_inc_range(m)) {
    if (f.isIntrinsic())
      continue;
    f.setCallingConv(mapConvention(f.getCallingConv()));
    f.setConvergent();
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i))
        call->setCallingConv(mapConvention(call->getCallingConv()));
    rename(f);
  }
  return PreservedAnalyses::none();
}

} // namespace vx::spirv
