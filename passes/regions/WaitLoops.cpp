// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/WaitLoops.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/SameComputation.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "passes/regions/SingleLane.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if POINTER leads to the launch descriptor or what is found through it: the words by
/// which the device's own services (grid.sync, the heap) wait.
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

/// Returns true if POINTER leads to a variable of the thread.
bool isLocal(const Value *pointer) {
  return isa<AllocaInst>(getUnderlyingObject(pointer));
}

/// Returns true for an access that shows what others have written since the last time, and leaves
/// the memory as it is or, if it gets the lock, takes it.
bool looksAround(const Instruction &i, const Loop &loop) {
  if (const auto *load = dyn_cast<LoadInst>(&i))
    return (isVolatileInSource(*load) || load->isAtomic()) && !isLocal(load->getPointerOperand()) &&
           !isOfLaunch(load->getPointerOperand());
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

/// Returns true if I may change memory that others see. Fences and assembly without an instruction
/// (vx-guard-spin-loops) do not, nor do volatile loads. What a function does shows in its body.
bool writes(const Instruction &i, unsigned depth = 0) {
  const auto *call = dyn_cast<CallBase>(&i);
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
  const auto *store = dyn_cast<StoreInst>(&i);
  if (isHint(i) || (intrinsic && intrinsic->isAssumeLikeIntrinsic()) ||
      (store && isLocal(store->getPointerOperand())))
    return false;
  if (call && call->isInlineAsm())
    return !cast<InlineAsm>(call->getCalledOperand())->getAsmString().empty();
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (callee && !callee->isDeclaration() && depth < 4)
    return any_of(instructions(*callee),
                  [&](const Instruction &inner) { return writes(inner, depth + 1); });
  return i.mayWriteToMemory() && !isa<FenceInst>(i) && !isa<LoadInst>(i) && !getVxFn(&i);
}

/// Returns what reads the variable of the thread that STORE writes to, or is handed its address.
SmallVector<const Instruction *, 4> findReaders(const StoreInst &store) {
  SmallVector<const Instruction *, 4> readers;
  SmallVector<const Value *, 4> addresses{getUnderlyingObject(store.getPointerOperand())};
  while (!addresses.empty())
    for (const User *user : addresses.pop_back_val()->users())
      if (isa<GetElementPtrInst>(user))
        addresses.push_back(user);
      else if (isa<LoadInst, CallInst>(user))
        readers.push_back(cast<Instruction>(user));
  return readers;
}

/// Returns the branches of LOOP that depend on what SEEN has read. Without optimization it goes
/// through variables.
SmallPtrSet<const Instruction *, 4> findDecisions(const Instruction &seen, const Loop &loop) {
  SmallPtrSet<const Instruction *, 16> found{&seen};
  SmallPtrSet<const Instruction *, 4> branches;
  SmallVector<const Instruction *, 16> work{&seen};
  auto add = [&](const Instruction &i) {
    if (loop.contains(&i) && found.insert(&i).second)
      work.push_back(&i);
  };
  while (!work.empty()) {
    const Instruction *i = work.pop_back_val();
    for (const User *user : i->users())
      if (const auto *u = dyn_cast<Instruction>(user))
        add(*u);
    const auto *store = dyn_cast<StoreInst>(i);
    if (store && isLocal(store->getPointerOperand()))
      for (const Instruction *reader : findReaders(*store))
        add(*reader);
    if (!i->isTerminator())
      continue;
    branches.insert(i);
    // `done` becomes true on one way.
    for (const BasicBlock *next : successors(i->getParent())) {
      for (const PHINode &phi : next->phis())
        add(phi);
      for (const BasicBlock *join : successors(next))
        for (const PHINode &phi : join->phis())
          add(phi);
    }
  }
  return branches;
}

/// Returns true if a call of F only works out a value, from its operands and what does not change.
bool isSteadyFunction(const Function *f, unsigned depth = 0) {
  if (!f || f->isDeclaration()) // the index of a thread
    return f && f->doesNotAccessMemory() && !f->isConvergent();
  return none_of(instructions(*f), [&](const Instruction &i) {
    const auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && (!callee->isDeclaration() || getVxFn(&i)))
      return depth > 4 || !isSteadyFunction(callee, depth + 1);
    return mayLook(i) || writes(i);
  });
}

/// Returns true if V is one value in all rounds of LOOP, as far as its operands show: what is
/// loaded from one place may be assumed to stay there.
bool isSteady(const Value *v, const Loop &loop, unsigned steps = 0) {
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || loop.isLoopInvariant(v))
    return true;
  const auto *load = dyn_cast<LoadInst>(i);
  const auto *call = dyn_cast<CallInst>(i);
  bool isPlain = load   ? load->isSimple() || isLocal(load->getPointerOperand())
                 : call ? isSteadyFunction(call->getCalledFunction())
                        : !i->mayReadOrWriteMemory();
  return steps < kMaxSteps && !isa<PHINode>(i) && isPlain &&
         all_of(i->operands(), [&](const Use &u) { return isSteady(u, loop, steps + 1); });
}

/// Returns true if A and B are computed, or loaded, in the same way.
bool isSame(const Value *a, const Value *b) {
  return isSameComputation(a, b, Reloads::Agree, kMaxSteps + 1);
}

/// Returns the lock that I tries to take in each round of LOOP, or null: done again, I changes
/// nothing.
const Value *lockTakenBy(const Instruction &i, const Loop &loop) {
  const Value *lock = nullptr;
  if (const auto *cas = dyn_cast<AtomicCmpXchgInst>(&i)) {
    const Value *old = cas->getCompareOperand(), *made = cas->getNewValOperand();
    if (isSteady(old, loop) && isSteady(made, loop) && !isSame(old, made))
      lock = cas->getPointerOperand();
  } else if (const auto *rmw = dyn_cast<AtomicRMWInst>(&i)) {
    auto op = rmw->getOperation();
    const auto *operand = dyn_cast<ConstantInt>(rmw->getValOperand());
    bool reads = operand && ((op == AtomicRMWInst::Or && operand->isZero()) ||
                             (op == AtomicRMWInst::And && operand->isMinusOne()));
    bool repeats = op == AtomicRMWInst::Xchg || op == AtomicRMWInst::Or ||
                   op == AtomicRMWInst::And || op == AtomicRMWInst::Max ||
                   op == AtomicRMWInst::UMax || op == AtomicRMWInst::Min ||
                   op == AtomicRMWInst::UMin;
    if (repeats && !reads && isSteady(rmw->getValOperand(), loop))
      lock = rmw->getPointerOperand();
  }
  return lock && isSteady(lock, loop) && !isOfLaunch(lock) ? lock : nullptr;
}

/// Returns true if A and B, which access one place, try the same there: a switch over memory
/// orders, say.
bool trySame(const Instruction &a, const Instruction &b) {
  const auto *cas = dyn_cast<AtomicCmpXchgInst>(&a), *other = dyn_cast<AtomicCmpXchgInst>(&b);
  if (cas && other)
    return isSame(cas->getCompareOperand(), other->getCompareOperand()) &&
           isSame(cas->getNewValOperand(), other->getNewValOperand());
  const auto *rmw = dyn_cast<AtomicRMWInst>(&a), *rmwOther = dyn_cast<AtomicRMWInst>(&b);
  return rmw && rmwOther && rmw->getOperation() == rmwOther->getOperation() &&
         isSame(rmw->getValOperand(), rmwOther->getValOperand());
}

/// Returns true if I may write to LOCK.
bool mayFree(const Instruction &i, const Value *lock) {
  if (const auto *call = dyn_cast<CallBase>(&i))
    return writes(*call);
  auto accessed = MemoryLocation::getOrNone(&i);
  return i.mayWriteToMemory() && !isa<LoadInst>(i) && accessed && isSame(accessed->Ptr, lock);
}

using BlockTest = function_ref<bool(const BasicBlock &)>;

/// Returns true if an instruction of LOOP other than I, and that tries something else, may write to
/// PLACE.
bool changesElsewhere(const Loop &loop, const Instruction &i, const Value *place) {
  return any_of(loop.blocks(), [&](const BasicBlock *bb) {
    return any_of(*bb, [&](const Instruction &other) {
      return &other != &i && mayFree(other, place) && !trySame(i, other);
    });
  });
}

/// Returns the branches by which LOOP is left when a lock is taken that is not freed in it, in a
/// block that IGNORED is false for.
SmallVector<const Instruction *, 2> findLockExits(const Loop &loop, BlockTest ignored) {
  SmallVector<const Instruction *, 2> exits;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      const Value *lock = lockTakenBy(i, loop);
      if (lock && !ignored(*bb) && !changesElsewhere(loop, i, lock))
        for (const Instruction *branch : findDecisions(i, loop))
          if (loop.isLoopExiting(branch->getParent()))
            exits.push_back(branch);
    }
  return exits;
}

bool isWaitLoop(const Loop &loop) {
  if (!findLockExits(loop, [](const BasicBlock &) { return false; }).empty())
    return true;
  SmallVector<const Instruction *, 4> looks;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      if (looksAround(i, loop))
        looks.push_back(&i);
      else if (writes(i))
        return false;
    }
  return any_of(looks, [&](const Instruction *i) { return !findDecisions(*i, loop).empty(); });
}

/// Returns true if threads in LOOP look at what others may change, in a block that IGNORED is false
/// for.
bool isSpinLoop(const Loop &loop, BlockTest ignored) {
  return any_of(loop.blocks(), [&](const BasicBlock *bb) {
    return any_of(*bb,
                  [&](const Instruction &i) {
                    return (looksAround(i, loop) || lockTakenBy(i, loop)) &&
                           !findDecisions(i, loop).empty();
                  }) &&
           !ignored(*bb); // which takes longest
  });
}

bool hasBoundary(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *bb) { return any_of(*bb, isNestedBoundary); });
}

/// Returns true if threads let each other continue in LOOP, and at no other boundary.
bool yields(const Loop &loop) {
  bool yields = false;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      if (isNestedBoundary(i) && !isThreadWait(i))
        return false;
      yields |= isThreadWait(i);
    }
  return yields;
}

/// Finds what the lanes of a warp do in loops of functions.
class LaneWaitFinder {
public:
  explicit LaneWaitFinder(FunctionAnalysisManager &fam) : fam(fam) {}

  void visit(Function &f, UniformityInfo &warp) {
    const auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
    auto inSingleLane = [&](const BasicBlock &bb) { return runsInSingleLane(bb, dt, warp); };
    for (const Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
      bool goesOn = yields(*loop);
      if ((hasBoundary(*loop) && !goesOn) || !isSpinLoop(*loop, inSingleLane) ||
          isCalledInSingleLane(f, 0))
        continue;
      found.spins = true;
      found.locks |=
          !goesOn && any_of(findLockExits(*loop, inSingleLane), [&](const Instruction *branch) {
            return warp.hasDivergentTerminator(*branch->getParent());
          });
    }
  }

  LaneWaits found;

private:
  bool isCalledInSingleLane(Function &f, unsigned depth) {
    return !isKernel(f) && depth < kMaxSteps && !f.use_empty() &&
           all_of(
               f.uses(),
               [&](Use &use) {
                 auto *call = dyn_cast<CallBase>(use.getUser());
                 if (!call || !call->isCallee(&use))
                   return false;
                 Function &caller = *call->getFunction();
                 return runsInSingleLane(*call->getParent(),
                                         fam.getResult<DominatorTreeAnalysis>(caller),
                                         fam.getResult<UniformityInfoAnalysis>(caller)) ||
                        isCalledInSingleLane(caller, depth + 1);
               });
  }

  FunctionAnalysisManager &fam;
};

} // namespace

bool looksAtOthers(const Loop &loop, BlockTest ignored) {
  bool looks = false;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      if (lockTakenBy(i, loop))
        return false;
      looks |= looksAround(i, loop) && !findDecisions(i, loop).empty() && !ignored(*bb);
    }
  return looks;
}

bool waitsInShared(const Loop &loop, function_ref<bool(const Value &)> mayBeShared) {
  if (mayWrite(loop) || hasBoundary(loop) ||
      !looksAtOthers(loop, [](const BasicBlock &) { return false; }))
    return false;
  return any_of(loop.blocks(), [&](const BasicBlock *bb) {
    return any_of(*bb, [&](const Instruction &i) {
      const Value *pointer = getLoadStorePointerOperand(&i);
      if (const auto *rmw = dyn_cast<AtomicRMWInst>(&i))
        pointer = rmw->getPointerOperand();
      return looksAround(i, loop) && pointer && mayBeShared(*pointer) &&
             !findDecisions(i, loop).empty();
    });
  });
}

bool mayLook(const Instruction &i) {
  if (const auto *load = dyn_cast<LoadInst>(&i))
    return isVolatileInSource(*load) || load->isAtomic();
  return isa<AtomicCmpXchgInst, AtomicRMWInst>(i);
}

bool decidesExit(const Instruction &i, const Loop &loop) {
  return any_of(findDecisions(i, loop),
                [&](const Instruction *branch) { return loop.isLoopExiting(branch->getParent()); });
}

SmallVector<Look, 2> findLooks(const Loop &loop) {
  SmallVector<Look, 2> looks;
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      const Value *lock = lockTakenBy(i, loop);
      auto access = laneAccessOf(i);
      if (!lock && !(looksAround(i, loop) && access && isSteady(access->pointer, loop)))
        continue;
      const auto *cas = dyn_cast<AtomicCmpXchgInst>(&i);
      bool isSameForAll = !cas || isa<Constant>(cas->getCompareOperand());
      Look look{lock ? LaneAccess{lock} : *access, lock != nullptr, isSameForAll, {}};
      if (changesElsewhere(loop, i, look.access.pointer))
        continue;
      for (const Instruction *branch : findDecisions(i, loop))
        if (loop.isLoopExiting(branch->getParent()))
          look.exits.push_back(branch);
      if (!look.exits.empty())
        looks.push_back(std::move(look));
    }
  return looks;
}

bool mayWrite(const Loop &loop) {
  return any_of(loop.blocks(), [&](const BasicBlock *bb) {
    return any_of(*bb, [&](const Instruction &i) { return writes(i) && !looksAround(i, loop); });
  });
}

bool mayHaveLaneWaits(Function &kernel, FunctionAnalysisManager &fam) {
  auto nowhere = [](const BasicBlock &) { return false; };
  return any_of(reachableFrom({&kernel}), [&](const Function *f) {
    return !f->isDeclaration() &&
           any_of(fam.getResult<LoopAnalysis>(*const_cast<Function *>(f)).getLoopsInPreorder(),
                  [&](const Loop *loop) { return isSpinLoop(*loop, nowhere); });
  });
}

LaneWaits findLaneWaits(Function &kernel, UniformityInfo &warp, FunctionAnalysisManager &fam) {
  LaneWaitFinder finder(fam);
  finder.visit(kernel, warp);
  for (const Function *f : reachableFrom({&kernel}))
    if (f != &kernel && !f->isDeclaration()) {
      auto &callee = *const_cast<Function *>(f);
      finder.visit(callee, fam.getResult<UniformityInfoAnalysis>(callee));
    }
  return finder.found;
}

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
