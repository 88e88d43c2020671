// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/LockedAtomics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace vx {

static constexpr unsigned kLocks = 256;

/// Returns the type in memory of an atomic access; null for any other instruction.
static Type *atomicType(const Instruction &i) {
  if (!i.isAtomic() || isa<FenceInst>(i))
    return nullptr;
  if (auto *cas = dyn_cast<AtomicCmpXchgInst>(&i))
    return cas->getNewValOperand()->getType();
  if (auto *store = dyn_cast<StoreInst>(&i))
    return store->getValueOperand()->getType();
  return i.getType();
}

bool needsLock(const Instruction &i) {
  Type *type = atomicType(i);
  const DataLayout &dl = i.getDataLayout();
  return type && dl.getPointerSizeInBits() == 32 && dl.getTypeSizeInBits(type) == 64;
}

AtomicLoop makeAtomicLoop(Instruction &i) {
  BasicBlock *before = i.getParent();
  BasicBlock *after = SplitBlock(before, &i);
  auto *body = BasicBlock::Create(i.getContext(), "atomic", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, body);
  return {body, after};
}

/// Emits the lock for the 8 bytes at PTR.
static Value *lockFor(IRBuilderBase &b, Value *ptr) {
  Module &m = *b.GetInsertBlock()->getModule();
  auto *table = ArrayType::get(b.getInt32Ty(), kLocks);
  auto *locks = m.getGlobalVariable("__vx_atomic_locks", /*AllowInternal=*/true);
  if (!locks)
    locks = new GlobalVariable(m, table, false, GlobalValue::InternalLinkage,
                               ConstantAggregateZero::get(table), "__vx_atomic_locks");
  // (address / 8) % kLocks, times the 4 bytes of a lock
  Value *half = b.CreateLShr(b.CreatePtrToInt(ptr, b.getInt32Ty()), 1);
  return b.CreatePtrAdd(locks, b.CreateAnd(half, (kLocks - 1) * 4));
}

/// Emits what the atomic instruction I does, as plain accesses.
static Value *emitPlainAccess(IRBuilderBase &b, Instruction &i, Value *ptr) {
  Type *type = atomicType(i);
  if (auto *store = dyn_cast<StoreInst>(&i)) {
    b.CreateAlignedStore(store->getValueOperand(), ptr, Align(8), /*isVolatile=*/true);
    return nullptr;
  }
  Value *old = b.CreateAlignedLoad(type, ptr, Align(8), /*isVolatile=*/true);
  if (isa<LoadInst>(i))
    return old;
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&i)) {
    Value *next = buildAtomicRMWValue(rmw->getOperation(), b, old, rmw->getValOperand());
    b.CreateAlignedStore(next, ptr, Align(8), true);
    return old;
  }
  auto &cas = cast<AtomicCmpXchgInst>(i);
  Value *equal = b.CreateICmpEQ(old, cas.getCompareOperand());
  b.CreateAlignedStore(b.CreateSelect(equal, cas.getNewValOperand(), old), ptr, Align(8), true);
  Value *r = b.CreateInsertValue(PoisonValue::get(cas.getType()), old, 0);
  return b.CreateInsertValue(r, equal, 1);
}

void expandLocked(Instruction &i) {
  IRBuilder<> b(&i);
  Value *ptr = isa<StoreInst>(i) ? cast<StoreInst>(i).getPointerOperand() : i.getOperand(0);
  Value *lock = lockFor(b, ptr);
  AtomicLoop loop = makeAtomicLoop(i);
  Function *f = i.getFunction();
  auto *critical = BasicBlock::Create(i.getContext(), "atomic.locked", f, loop.after);
  auto *latch = BasicBlock::Create(i.getContext(), "atomic.latch", f, loop.after);
  b.SetInsertPoint(loop.body);
  b.SetCurrentDebugLocation(i.getDebugLoc());
  Value *busy = b.CreateAtomicRMW(AtomicRMWInst::Xchg, lock, b.getInt32(1), Align(4),
                                  AtomicOrdering::Acquire);
  Value *taken = b.CreateICmpEQ(busy, b.getInt32(0));
  b.CreateCondBr(taken, critical, latch);
  b.SetInsertPoint(critical);
  Value *result = emitPlainAccess(b, i, ptr);
  b.CreateAtomicRMW(AtomicRMWInst::Xchg, lock, b.getInt32(0), Align(4), AtomicOrdering::Release);
  b.CreateBr(latch);
  b.SetInsertPoint(latch);
  if (!i.getType()->isVoidTy()) {
    PHINode *phi = b.CreatePHI(i.getType(), 2);
    phi->addIncoming(result, critical);
    phi->addIncoming(PoisonValue::get(i.getType()), loop.body);
    i.replaceAllUsesWith(phi);
  }
  b.CreateCondBr(taken, loop.after, loop.body);
  i.eraseFromParent();
}

} // namespace vx
