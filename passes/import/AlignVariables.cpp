// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-align-variables: variables of 16 bytes and more begin at multiples of 16, smaller ones at
// multiples of the largest power of two that is not larger. Programs cast arrays of bytes and of
// floats to pointers to wider types, and rely on an alignment that they have on a GPU:
//
//     @bytes = internal addrspace(3) global [64 x i8] undef, align 1   ->   … align 16

#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

/// The widest access of CUDA: a vector of four words, or of two doubles.
constexpr uint64_t kWidestAccess = 16;

static Align alignmentOf(uint64_t bytes) {
  return Align(llvm::bit_floor(std::clamp<uint64_t>(bytes, 1, kWidestAccess)));
}

PreservedAnalyses AlignVariablesPass::run(Module &m, ModuleAnalysisManager &) {
  const DataLayout &layout = m.getDataLayout();
  for (GlobalVariable &g : m.globals()) {
    // Others define it, and align it.
    bool isDynamic = g.isDeclaration() && g.getAddressSpace() == 3;
    if ((g.isDeclaration() && !isDynamic) || g.getName().starts_with("llvm.") || g.hasSection() ||
        !g.getValueType()->isArrayTy())
      continue;
    uint64_t bytes = isDynamic ? kWidestAccess : layout.getTypeAllocSize(g.getValueType());
    g.setAlignment(std::max(g.getAlign().valueOrOne(), alignmentOf(bytes)));
  }
  for (Function &f : m)
    for (Instruction &i : instructions(f))
      if (auto *local = dyn_cast<AllocaInst>(&i); local && local->getAllocatedType()->isArrayTy())
        local->setAlignment(std::max(
            local->getAlign(), alignmentOf(layout.getTypeAllocSize(local->getAllocatedType()))));
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
