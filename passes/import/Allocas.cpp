// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables that are allocated where they are used. The mappings take them to be in the entry
// block, as clang has those that are declared; others are moved there.
//
// alloca() makes variables of a size that is known at run time only, or another one in each
// iteration of a loop. They live until the function returns or restores the stack, so barriers may
// lie between, and in software lowerings one hardware lane runs many threads between two barriers.
// So they are in the device's heap, as a list of which the last one stands for the stack pointer.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

/// A constant number of bytes is what alloca() makes; variables of other producers have types.
bool isNewEachTime(const AllocaInst &local, const CycleInfo &cycles) {
  return local.isArrayAllocation() && local.getAllocatedType()->isIntegerTy(8) &&
         cycles.getCycle(local.getParent());
}

/// Puts the variables LOCALS of F into the heap.
void moveToHeap(Function &f, ArrayRef<AllocaInst *> locals) {
  BasicBlock &entry = f.getEntryBlock();
  IRBuilder<> b(&entry, entry.begin());
  auto *null = ConstantPointerNull::get(b.getPtrTy());
  AllocaInst *last = b.CreateAlloca(b.getPtrTy(), nullptr, "last.local");
  b.SetInsertPoint(entry.getFirstNonPHIOrDbgOrAlloca());
  b.CreateStore(null, last);
  auto readLast = [&] { return b.CreateLoad(b.getPtrTy(), last); };
  auto freeAllBut = [&](Value *kept) { emitCall(b, VxFn::FreeLocals, {readLast(), kept}); };

  for (Instruction &i : make_early_inc_range(instructions(f))) {
    b.SetInsertPoint(&i);
    auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
    if (isa<ReturnInst>(i)) {
      freeAllBut(null);
    } else if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stacksave) {
      intrinsic->replaceAllUsesWith(readLast());
      intrinsic->eraseFromParent();
    } else if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore) {
      freeAllBut(intrinsic->getArgOperand(0));
      b.CreateStore(intrinsic->getArgOperand(0), last);
      intrinsic->eraseFromParent();
    }
  }
  for (AllocaInst *local : locals) {
    b.SetInsertPoint(local);
    uint64_t each = f.getDataLayout().getTypeAllocSize(local->getAllocatedType());
    Value *bytes =
        b.CreateMul(b.CreateZExtOrTrunc(local->getArraySize(), b.getInt64Ty()), b.getInt64(each));
    Value *made =
        emitCall(b, VxFn::MakeLocal, {readLast(), bytes, b.getInt64(local->getAlign().value())});
    b.CreateStore(made, last);
    for (User *user : make_early_inc_range(local->users()))
      if (auto *i = cast<Instruction>(user); i->isLifetimeStartOrEnd())
        i->eraseFromParent();
    local->replaceAllUsesWith(made);
    local->eraseFromParent();
  }
}

} // namespace

void placeAllocas(Module &m) {
  for (Function &f : m) {
    if (f.isDeclaration())
      continue;
    BasicBlock &entry = f.getEntryBlock();
    CycleInfo cycles;
    cycles.compute(f);
    SmallVector<AllocaInst *, 4> sized;
    for (Instruction &i : make_early_inc_range(instructions(f)))
      if (auto *local = dyn_cast<AllocaInst>(&i)) {
        if (!isa<ConstantInt>(local->getArraySize()) || isNewEachTime(*local, cycles))
          sized.push_back(local);
        else if (local->getParent() != &entry)
          local->moveBefore(entry, entry.getFirstNonPHIOrDbgOrAlloca());
      }
    if (!sized.empty())
      moveToHeap(f, sized);
  }
}

} // namespace vx::import
