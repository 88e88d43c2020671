// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared address as an integer is an offset into the block's shared memory, as in PTX. Programs
// rely on it being small: they keep the result of __cvta_generic_to_shared in 32 bits and hand it
// to ld.shared. A pointer to shared memory, on the other hand, is a full address here, so the
// conversions between the two add and subtract the base.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Collects constant conversions of shared variables' addresses, reached through casts and offsets.
void collectConstants(Constant &c, SmallPtrSetImpl<Constant *> &found) {
  for (User *u : c.users()) {
    auto *e = dyn_cast<ConstantExpr>(u);
    if (!e)
      continue;
    if (e->getOpcode() == Instruction::PtrToInt &&
        e->getOperand(0)->getType()->getPointerAddressSpace() == kSharedAS)
      found.insert(e);
    collectConstants(*e, found);
  }
}

void expandConstants(Module &m) {
  SmallPtrSet<Constant *, 8> found;
  for (GlobalVariable &g : m.globals())
    if (g.getAddressSpace() == kSharedAS)
      collectConstants(g, found);
  SmallVector<Constant *, 8> list(found.begin(), found.end());
  convertUsersOfConstantsToInstructions(list, nullptr, true, /*IncludeSelf=*/true);
}

Value *base(IRBuilderBase &b, Type *type) {
  return b.CreatePtrToInt(emitCall(b, VxFn::SharedBase), type);
}

void toOffset(PtrToIntInst &i) {
  IRBuilder<> b(&i);
  Type *wide = b.getInt64Ty();
  Value *address = b.CreatePtrToInt(i.getPointerOperand(), wide);
  Value *offset = b.CreateSub(address, base(b, wide));
  i.replaceAllUsesWith(b.CreateZExtOrTrunc(offset, i.getType()));
  i.eraseFromParent();
}

void toAddress(IntToPtrInst &i) {
  IRBuilder<> b(&i);
  Value *offset = b.CreateZExtOrTrunc(i.getOperand(0), b.getInt64Ty());
  Value *address = b.CreateAdd(base(b, b.getInt64Ty()), offset);
  i.replaceAllUsesWith(b.CreateIntToPtr(address, i.getType()));
  i.eraseFromParent();
}

} // namespace

void makeSharedAddressesOffsets(Module &m) {
  expandConstants(m);
  SmallVector<Instruction *, 16> work;
  for (Function &f : m)
    for (Instruction &i : instructions(f)) {
      auto *from = dyn_cast<PtrToIntInst>(&i);
      auto *to = dyn_cast<IntToPtrInst>(&i);
      if ((from && from->getPointerAddressSpace() == kSharedAS) ||
          (to && to->getAddressSpace() == kSharedAS))
        work.push_back(&i);
    }
  for (Instruction *i : work)
    if (auto *from = dyn_cast<PtrToIntInst>(i))
      toOffset(*from);
    else
      toAddress(cast<IntToPtrInst>(*i));
}

} // namespace vx::import
