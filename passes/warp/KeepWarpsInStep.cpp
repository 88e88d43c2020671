// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-keep-warps-in-step: code that was written for warps in lockstep gets what it relies on.
//
//     volatile float *s;                       load s[t], load s[t + 16]
//     if (t < 32) {                       ->   (the threads here meet)
//       s[t] += s[t + 16];                     store s[t]
//       s[t] += s[t + 8];                      (the threads here meet)
//     }                                        load s[t], load s[t + 8]
//
// Until 2017 the threads of a CUDA warp ran in step, and programs exchanged values through volatile
// shared memory without __syncwarp. They still do on GPUs, where warps stay together mostly. Here a
// hardware warp may have fewer lanes than 32, and the sw lowering runs threads one after another.
// So where a volatile access to shared memory may meet another one of a different thread - a store
// after a load or a load after a store, with no barrier or warp function between them - the threads
// of the warp that come this way meet: a call of __vx_activemask without a use.
//
// Two accesses of one thread to one element need no meeting if the element is found by arithmetic
// on the thread's index: other threads have elements of their own. Where it was found through
// memory (a histogram), they may not. Functions are judged by all their calls.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace vx {
namespace {

/// How many steps an address is followed, through operands and from arguments to callers.
constexpr unsigned kMaxSteps = 24;

class Meetings {
public:
  explicit Meetings(Module &m) : m(m) {}

  void insert(Function &f) {
    for (Instruction &i : make_early_inc_range(instructions(f))) {
      if (!isVolatileShared(i) || !followsConflict(i))
        continue;
      auto *call = CallInst::Create(getOrDeclare(m, VxFn::ActiveMask), "", i.getIterator());
      call->setConvergent();
      call->setDebugLoc(i.getDebugLoc());
    }
  }

private:
  static const Value *addressOf(const Instruction &i) { return getLoadStorePointerOperand(&i); }

  bool isVolatileShared(const Instruction &i) {
    const Value *address = addressOf(i);
    return address && i.isVolatile() && isShared(address, 0);
  }

  /// Whether ADDRESS, in F or in one of its callers, is in a shared variable.
  bool isShared(const Value *address, unsigned steps) {
    const Value *base = getUnderlyingObject(address);
    if (base->getType()->getPointerAddressSpace() == kSharedAS)
      return true;
    return anyArgument(base, steps, [&](const Value *v) { return isShared(v, steps + 8); });
  }

  /// Whether TEST holds for what some call passes for V, if V is an argument of a device function.
  template <class Test> static bool anyArgument(const Value *v, unsigned steps, Test test) {
    const auto *argument = dyn_cast<Argument>(v);
    if (!argument || steps > kMaxSteps || isKernel(*argument->getParent()))
      return false;
    return any_of(argument->getParent()->users(), [&](const User *user) {
      const auto *call = dyn_cast<CallBase>(user);
      return call && call->getCalledFunction() == argument->getParent() &&
             test(call->getArgOperand(argument->getArgNo()));
    });
  }

  static bool readsMemory(const Instruction &i) {
    std::optional<VxFn> fn = getVxFn(&i);
    return fn ? getInfo(*fn).effects != VxEffects::Pure : i.mayReadFromMemory();
  }

  /// Whether some value that V is computed from satisfies TEST.
  template <class Test> static bool anySource(const Value *v, Test test) {
    SmallPtrSet<const Value *, 16> seen;
    return anySource(v, test, seen);
  }
  template <class Test>
  static bool anySource(const Value *v, Test test, SmallPtrSetImpl<const Value *> &seen) {
    if (isa<Constant>(v) || !seen.insert(v).second)
      return false;
    if (test(v))
      return true;
    if (isa<Argument>(v))
      return anyArgument(v, 0, [&](const Value *passed) { return anySource(passed, test, seen); });
    const auto *i = dyn_cast<Instruction>(v);
    return i && !readsMemory(*i) &&
           any_of(i->operands(), [&](const Value *o) { return anySource(o, test, seen); });
  }

  /// Whether the address may be another one in another thread of the block.
  bool variesByThread(const Value *address) {
    return anySource(address, [](const Value *v) {
      std::optional<VxFn> fn = getVxFn(v);
      const auto *i = dyn_cast<Instruction>(v);
      return fn ? getInfo(*fn).uniformity != VxUniformity::U
                : i && (readsMemory(*i) || isa<CallBase>(i));
    });
  }

  bool comesThroughMemory(const Value *address) {
    return anySource(address, [](const Value *v) {
      const auto *i = dyn_cast<Instruction>(v);
      return i && readsMemory(*i);
    });
  }

  static bool isSame(const Value *a, const Value *b, unsigned steps = 0) {
    if (a == b)
      return true;
    const auto *x = dyn_cast<Instruction>(a), *y = dyn_cast<Instruction>(b);
    if (!x || !y || steps > kMaxSteps || isa<PHINode>(x) || x->mayReadOrWriteMemory() ||
        !x->isSameOperationAs(y))
      return false;
    return all_of(zip(x->operands(), y->operands()), [&](auto pair) {
      return isSame(std::get<0>(pair), std::get<1>(pair), steps + 1);
    });
  }

  /// Whether the accesses A and B of two threads may be to one element, one of them a store.
  bool conflict(const Instruction &a, const Instruction &b) {
    if (isa<StoreInst>(a) == isa<StoreInst>(b))
      return false;
    const Value *x = addressOf(a), *y = addressOf(b);
    const Value *xBase = getUnderlyingObject(x), *yBase = getUnderlyingObject(y);
    if (xBase != yBase && isa<GlobalVariable>(xBase) && isa<GlobalVariable>(yBase))
      return false;
    if (!variesByThread(x) && !variesByThread(y))
      return false;
    return !isSame(x, y) || comesThroughMemory(x);
  }

  /// Whether the threads of a warp, or more, meet in I, or in what it calls.
  bool isMeeting(const Instruction &i, unsigned steps = 0) {
    const auto *call = dyn_cast<CallBase>(&i);
    if (!call || isa<IntrinsicInst>(i))
      return false;
    if (std::optional<VxFn> fn = getVxFn(&i))
      return getInfo(*fn).effects == VxEffects::Convergent;
    const Function *callee = call->getCalledFunction();
    return callee && steps < kMaxSteps && any_of(instructions(*callee), [&](const Instruction &in) {
             return isMeeting(in, steps + 8);
           });
  }

  /// Whether the way back from I comes to an access in conflict with it before a meeting.
  bool followsConflict(const Instruction &i) {
    SmallPtrSet<const BasicBlock *, 16> seen;
    SmallVector<const BasicBlock *, 16> work;
    auto scan = [&](BasicBlock::const_reverse_iterator it, const BasicBlock &bb) {
      for (; it != bb.rend(); ++it) {
        if (isMeeting(*it))
          return false;
        if (isVolatileShared(*it) && conflict(*it, i))
          return true;
      }
      for (const BasicBlock *before : predecessors(&bb))
        if (seen.insert(before).second)
          work.push_back(before);
      return false;
    };
    if (scan(std::next(i.getReverseIterator()), *i.getParent()))
      return true;
    while (!work.empty()) {
      const BasicBlock *bb = work.pop_back_val();
      if (scan(bb->rbegin(), *bb))
        return true;
    }
    return false;
  }

  Module &m;
};

} // namespace

PreservedAnalyses KeepWarpsInStepPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto isVolatile = [](const Instruction &i) {
    return getLoadStorePointerOperand(&i) && i.isVolatile();
  };
  if (none_of(m, [&](Function &f) { return any_of(instructions(f), isVolatile); }))
    return PreservedAnalyses::all();
  // Addresses are followed from use to definition.
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  for (Function &f : m)
    if (!f.isDeclaration())
      fam.invalidate(f, SROAPass(SROAOptions::PreserveCFG).run(f, fam));
  Meetings meetings(m);
  for (Function &f : m)
    if (!f.isDeclaration())
      meetings.insert(f);
  return PreservedAnalyses::none();
}

} // namespace vx
