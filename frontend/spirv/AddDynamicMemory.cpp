// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-spirv-add-dynamic-memory: dynamic shared memory becomes one more argument of the kernels that
// use it, a pointer to local memory:
//
//   extern __shared__ float s[];                   kernel @k(…, ptr addrspace(3) %dynamic)
//   kernel @k(…)  …  @s                            …  %dynamic

#include "frontend/spirv/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr unsigned kLocal = 3;

bool isDynamic(const GlobalVariable &g) {
  return g.getAddressSpace() == kLocal && g.isDeclaration();
}

/// Returns KERNEL with one more parameter.
Function *addParameter(Function &kernel, Type *type) {
  SmallVector<Type *, 8> types(kernel.getFunctionType()->params());
  types.push_back(type);
  auto *now = Function::Create(FunctionType::get(kernel.getReturnType(), types, false),
                               kernel.getLinkage());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), now);
  now->copyAttributesFrom(&kernel);
  now->copyMetadata(&kernel, 0);
  kernel.clearMetadata();
  now->takeName(&kernel);
  now->splice(now->begin(), &kernel);
  for (auto [from, to] : zip(kernel.args(), now->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  now->getArg(now->arg_size() - 1)->setName("dynamic");
  return now;
}

} // namespace

PreservedAnalyses AddDynamicMemoryPass::run(Module &m, ModuleAnalysisManager &) {
  DenseMap<Function *, Argument *> memory;
  for (GlobalVariable &g : make_early_inc_range(m.globals())) {
    if (!isDynamic(g))
      continue;
    for (Use &use : make_early_inc_range(g.uses())) {
      auto *i = dyn_cast<Instruction>(use.getUser());
      if (!i) {
        m.getContext().diagnose(
            DiagnosticInfoGeneric("the address of dynamic shared memory ('" + g.getName() +
                                      "') is not a constant in SPIR-V, which an initializer needs",
                                  DS_Error));
        continue;
      }
      Function *f = i->getFunction();
      if (f->getCallingConv() != CallingConv::SPIR_KERNEL) {
        m.getContext().diagnose(DiagnosticInfoGenericWithLoc(
            "dynamic shared memory is an argument of the kernel in SPIR-V; this function cannot be "
            "inlined into its kernels",
            *f, DiagnosticLocation(i->getDebugLoc())));
        continue;
      }
      Argument *&argument = memory[f];
      if (!argument) {
        Function *now = addParameter(*f, g.getType());
        argument = now->getArg(now->arg_size() - 1);
        memory[now] = argument;
        f->eraseFromParent();
      }
      use.set(memory[i->getFunction()]);
    }
    if (g.use_empty())
      g.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace vx::spirv
