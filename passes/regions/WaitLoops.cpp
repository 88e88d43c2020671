// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/WaitLoops.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/warp/GroupThreads.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace vx {
namespace {

/// True if POINTER leads to the launch descriptor or what is found through it: the words by which
/// the device's own services (grid.sync, the heap) wait.
bool isOfLaunch(const Value *pointer) {
  for (unsigned steps = 0; steps < 8; ++steps) {
    pointer = getUnderlyingObject(pointer);
    if (auto fn = getVxFn(pointer))
      return *fn == VxFn::Descriptor;
    const auto *user = dyn_cast<User>(pointer);
    if (!user || !(isa<LoadInst>(user) || isa<PtrToIntInst>(user) || isa<BinaryOperator>(user) ||
                   Operator::getOpcode(user) == Instruction::IntToPtr))
      return false;
    pointer = user->getOperand(0);
  }
  return false;
}

/// An access that shows what others have written since the last time, and leaves the memory as it
/// is or, if it gets the lock, takes it.
bool looksAround(const Instruction &i, const Loop &loop) {
  if (const auto *load = dyn_cast<LoadInst>(&i))
    return (load->isVolatile() || load->isAtomic()) && !isOfLaunch(load->getPointerOperand());
  if (const auto *cas = dyn_cast<AtomicCmpXchgInst>(&i))
    return loop.isLoopInvariant(cas->getCompareOperand()) &&
           loop.isLoopInvariant(cas->getNewValOperand()) && !isOfLaunch(cas->getPointerOperand());
  const auto *rmw = dyn_cast<AtomicRMWInst>(&i);
  if (!rmw || isOfLaunch(rmw->getPointerOperand()))
    return false;
  const auto *operand = dyn_cast<ConstantInt>(rmw->getValOperand());
  switch (rmw->getOperation()) {
  case AtomicRMWInst::Xchg:
    return loop.isLoopInvariant(rmw->getValOperand());
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return operand && operand->isZero();
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return operand && operand->isMinusOne();
  default:
    return false;
  }
}

/// True if I may change memory. Fences and assembly without an instruction (vx-guard-spin-loops)
/// do not, nor do volatile loads.
bool writes(const Instruction &i) {
  if (const auto *call = dyn_cast<CallBase>(&i); call && call->isInlineAsm())
    return !cast<InlineAsm>(call->getCalledOperand())->getAsmString().empty();
  return i.mayWriteToMemory() && !isa<FenceInst>(i) && !isa<LoadInst>(i) && !getVxFn(&i);
}

/// True if a branch in LOOP depends on what SEEN has read.
bool decidesBy(const Instruction &seen, const Loop &loop) {
  SmallPtrSet<const Instruction *, 16> found{&seen};
  SmallVector<const Instruction *, 16> work{&seen};
  while (!work.empty()) {
    const Instruction *i = work.pop_back_val();
    if (i->isTerminator())
      return true;
    for (const User *user : i->users())
      if (const auto *u = dyn_cast<Instruction>(user);
          u && loop.contains(u) && found.insert(u).second)
        work.push_back(u);
  }
  return false;
}

bool isWaitLoop(const Loop &loop) {
  SmallVector<const Instruction *, 4> looks;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      if (looksAround(i, loop))
        looks.push_back(&i);
      else if (writes(i))
        return false;
    }
  return any_of(looks, [&](const Instruction *i) { return decidesBy(*i, loop); });
}

} // namespace

bool mayWait(const Function &kernel) {
  for (const Function *f : reachableFrom({&kernel})) {
    if (f->isDeclaration())
      continue;
    DominatorTree dt(const_cast<Function &>(*f));
    LoopInfo loops(dt);
    if (any_of(loops.getLoopsInPreorder(), [](const Loop *loop) { return isWaitLoop(*loop); }))
      return true;
  }
  return false;
}

} // namespace vx
