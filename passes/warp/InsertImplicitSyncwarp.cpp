// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-insert-implicit-syncwarp: code that was written for warps in lockstep gets the synchronization
// that it relies on.
//
//     volatile float *s;                       load s[t], load s[t + 16]
//     if (t < 32) {                       ->   (synchronization)
//       s[t] += s[t + 16];                     store s[t]
//       s[t] += s[t + 8];                      (synchronization)
//     }                                        load s[t], load s[t + 8]
//
// Until 2017 the threads of a CUDA warp ran in lockstep, and programs exchanged values through
// volatile shared memory without __syncwarp. They still do on GPUs, where warps stay together
// mostly. Here a hardware warp may have fewer lanes than 32, and the sw lowering runs threads one
// after another. So where a volatile access to shared memory may conflict with one of a different
// thread - a store after a load or a load after a store, with no barrier or warp function between
// them - the threads of the warp that execute it synchronize: a call of __vx_activemask without a
// use.
//
// Two accesses of one thread to one element need no synchronization if the element is found by
// arithmetic on the thread's index: other threads have elements of their own. Where it was found
// through memory (a histogram), they may not.
//
// Pointers are generic in most places; SharedPointers tells which may be to shared memory, wherever
// they come from. Device functions with such accesses have been inlined into the kernels
// (vx-inline-volatile-accesses), so that what callers and callees access is seen together. In those
// that cannot be (recursive functions) every access is taken to follow a
// conflicting one of the caller.

#include "lib/VortexIR/SameComputation.h"
#include "lib/VortexIR/SharedPointers.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// The depth to which two expressions are compared.
constexpr unsigned kMaxDepth = 25;

class ImplicitSyncs {
public:
  ImplicitSyncs(Module &m, const SharedPointers &pointers)
      : m(m), pointers(pointers),
        accessors(m, [&](const Instruction &i) { return isVolatileShared(i); }) {}

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

  bool isVolatileShared(const Instruction &i) const {
    const Value *address = addressOf(i);
    return address && isVolatileInSource(i) && pointers.mayBeShared(address);
  }

  /// Returns true for a call of a function with volatile accesses to shared memory, or one that may
  /// be of one.
  bool isAccessor(const Instruction &i) const { return accessors.isCalledBy(i); }

  static bool readsMemory(const Instruction &i) {
    std::optional<VxFn> fn = getVxFn(&i);
    return fn ? getInfo(*fn).effects != VxEffects::Pure : i.mayReadFromMemory();
  }

  /// Returns true if some value that V is computed from satisfies TEST. Arguments of device
  /// functions, which are looked at only where they could not be inlined, may be anything.
  template <class Test> static bool anySource(const Value *v, Test test) {
    SmallPtrSet<const Value *, 16> seen;
    return anySource(v, test, seen);
  }
  template <class Test>
  static bool anySource(const Value *v, Test test, SmallPtrSetImpl<const Value *> &seen) {
    if (isa<Constant>(v) || !seen.insert(v).second)
      return false;
    if (const auto *argument = dyn_cast<Argument>(v))
      return !isKernel(*argument->getParent());
    if (test(v))
      return true;
    const auto *i = dyn_cast<Instruction>(v);
    return i && !readsMemory(*i) &&
           any_of(i->operands(), [&](const Value *o) { return anySource(o, test, seen); });
  }

  /// Returns true if the address may be another one in another thread of the block.
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

  /// Returns true if X and Y are variables that do not overlap: all `extern __shared__` arrays do.
  static bool areDistinctVariables(const Value *x, const Value *y) {
    const auto *a = dyn_cast<GlobalVariable>(x), *b = dyn_cast<GlobalVariable>(y);
    return a && b && a != b && !(a->isDeclaration() && b->isDeclaration());
  }

  /// Returns true if the accesses A and B of two threads may be to one element, one of them a
  /// store.
  bool conflict(const Instruction &a, const Instruction &b) {
    if (isa<StoreInst>(a) == isa<StoreInst>(b))
      return false;
    const Value *x = addressOf(a), *y = addressOf(b);
    const Value *xBase = getUnderlyingObject(x), *yBase = getUnderlyingObject(y);
    if (areDistinctVariables(xBase, yBase))
      return false;
    if (!variesByThread(x) && !variesByThread(y))
      return false;
    return !isSameComputation(x, y, Reloads::Differ, kMaxDepth) || comesThroughMemory(x);
  }

  /// Returns true if I synchronizes the threads of a warp, or more, itself or on every path through
  /// what it calls.
  bool isSync(const Instruction &i) {
    const auto *call = dyn_cast<CallBase>(&i);
    if (!call || isa<IntrinsicInst>(i))
      return false;
    if (std::optional<VxFn> fn = getVxFn(&i))
      return getInfo(*fn).effects == VxEffects::Convergent;
    const Function *callee = call->getCalledFunction();
    return callee && !callee->isDeclaration() && alwaysSyncs(*callee);
  }

  bool alwaysSyncs(const Function &f) {
    auto [known, isNew] = syncs.insert({&f, false}); // as long as F is looked at: recursion
    if (!isNew)
      return known->second;
    SmallPtrSet<const BasicBlock *, 16> seen{&f.getEntryBlock()};
    SmallVector<const BasicBlock *, 16> work{&f.getEntryBlock()};
    while (!work.empty()) {
      const BasicBlock *bb = work.pop_back_val();
      if (any_of(*bb, [&](const Instruction &i) { return isSync(i); }))
        continue;
      if (isa<ReturnInst>(bb->getTerminator()))
        return false;
      for (const BasicBlock *next : successors(bb))
        if (seen.insert(next).second)
          work.push_back(next);
    }
    return syncs[&f] = true;
  }

  /// Returns true if a path back from I reaches an access in conflict with it, which may be one of
  /// a caller or a callee, before a synchronization.
  bool followsConflict(const Instruction &i) {
    SmallPtrSet<const BasicBlock *, 16> seen;
    SmallVector<const BasicBlock *, 16> work;
    auto scan = [&](BasicBlock::const_reverse_iterator it, const BasicBlock &bb) {
      for (; it != bb.rend(); ++it) {
        if (isAccessor(*it) || (isVolatileShared(*it) && conflict(*it, i)))
          return true;
        if (isSync(*it))
          return false;
      }
      if (bb.isEntryBlock() && !isKernel(*bb.getParent()))
        return true;
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
  const SharedPointers &pointers;
  TransitiveCallers accessors;
  DenseMap<const Function *, bool> syncs;
};

} // namespace

PreservedAnalyses InsertImplicitSyncwarpPass::run(Module &m, ModuleAnalysisManager &) {
  if (!hasVolatileAccesses(m))
    return PreservedAnalyses::all();
  SharedPointers pointers(m);
  ImplicitSyncs syncs(m, pointers);
  for (Function &f : m)
    if (!f.isDeclaration())
      syncs.insert(f);
  return PreservedAnalyses::none();
}

} // namespace vx
