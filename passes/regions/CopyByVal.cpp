// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-copy-byval: a by-value struct parameter that a kernel writes or whose address escapes is
// copied to the thread's own memory, and from there to registers where that is possible; one that
// is only read stays in the argument block. So what analyses see of a parameter is uniform.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if everything done with pointer PARAM, and with what is one of it and others, is
/// reading through it.
bool isOnlyRead(const Argument &param) {
  SmallPtrSet<const Value *, 16> pointers;
  SmallVector<const Value *, 16> work{&param};
  while (!work.empty()) {
    const Value *p = work.pop_back_val();
    if (!pointers.insert(p).second)
      continue;
    for (const User *user : p->users()) {
      const auto *copy = dyn_cast<MemTransferInst>(user);
      if (isa<LoadInst, ICmpInst>(user) ||
          (copy && copy->getRawSource() == p && copy->getRawDest() != p))
        continue;
      if (!isa<GetElementPtrInst, AddrSpaceCastInst, SelectInst, PHINode>(user))
        return false;
      work.push_back(user);
    }
  }
  return true;
}

/// Returns true if something was copied.
bool copyParams(Function &kernel) {
  bool copied = false;
  const DataLayout &dl = kernel.getDataLayout();
  IRBuilder<> b(&*kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &arg : kernel.args()) {
    if (!arg.hasByValAttr())
      continue;
    bool onlyRead = isOnlyRead(arg);
    if (!arg.hasAttribute(Attribute::ReadOnly)) {
      // Tells the analyses that it is one value for all lanes.
      arg.removeAttr(Attribute::WriteOnly);
      arg.removeAttr(Attribute::ReadNone);
      arg.addAttr(Attribute::ReadOnly);
    }
    if (onlyRead)
      continue;
    Type *type = arg.getParamByValType();
    Align align = arg.getParamAlign().value_or(dl.getABITypeAlign(type));
    AllocaInst *copy = b.CreateAlloca(type, nullptr, arg.getName() + ".copy");
    copy->setAlignment(align);
    arg.replaceAllUsesWith(copy);
    b.CreateMemCpy(copy, align, &arg, align, dl.getTypeAllocSize(type).getFixedValue());
    copied = true;
  }
  return copied;
}

} // namespace

PreservedAnalyses CopyByValPass::run(Function &f, FunctionAnalysisManager &fam) {
  bool hasByVal = any_of(f.args(), [](const Argument &arg) { return arg.hasByValAttr(); });
  if (!isKernel(f) || !hasByVal)
    return PreservedAnalyses::all();
  if (copyParams(f)) {
    fam.invalidate(f, PreservedAnalyses::none());
    FunctionPassManager fpm;
    fpm.addPass(SROAPass(SROAOptions::PreserveCFG));
    fpm.run(f, fam);
  }
  return PreservedAnalyses::none();
}

} // namespace vx
