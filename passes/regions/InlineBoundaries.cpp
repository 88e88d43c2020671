// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-inline-boundaries: every boundary is in a kernel. Device functions that have a barrier
// or end the thread, directly or through what they call, are inlined into their callers all the way
// up to the kernel; parallel regions are then formed in one function.
//
// - A call through a pointer that may be of one of them becomes compares and direct calls first
//   (lib/VortexIR/CallTargets.h). What is left at their address is a trap.
// - Functions that call each other in a cycle become one without recursion first
//   (lib/VortexIR/IterativeFunction.h), with warp functions, too: lanes of a warp meet there at
//   whatever depth of calls they are. Kernels that lead to one with warp functions are marked.
// - Kernels that would become too large have each of the functions once
//   (lib/VortexIR/SharedBodies.h).

#include "lib/VortexIR/IterativeFunction.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/ReportUnsupported.h"
#include "lib/VortexIR/SharedBodies.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true for what must be in a kernel. Warp functions may stay in device functions: the
/// lanes that call one are there.
bool mustBeInKernel(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && ((getInfo(*fn).effects == VxEffects::Convergent && !isWarpFunction(*fn)) ||
                *fn == VxFn::Exit);
}

class BoundaryInliner {
public:
  explicit BoundaryInliner(Module &m) : m(m) {}

  bool run() {
    findRecursiveExchanges();
    bool changed = expandCalls();
    changed |= shareInKernels();
    changed |= removeRecursion();
    SetVector<Function *> callers;
    for (Function &f : m)
      if (iterative.contains(&f) || any_of(instructions(f), mustBeInKernel))
        callers.insert(&f);
    // The set grows: callers of these functions follow.
    for (unsigned i = 0; i < callers.size(); ++i) {
      Function *f = callers[i];
      if (isKernel(*f))
        continue;
      changed |= inlineEverywhere(*f, callers);
    }
    return changed;
  }

private:
  /// Lanes meet at a warp function at whatever depth of calls they are.
  void findRecursiveExchanges() {
    for (const Functions &cycle : TransitiveCallers(m, isWarpLevel).findCycles())
      if (!findWithoutFrame(cycle))
        exchanging.insert_range(cycle);
  }

  /// Finds the callers to inline. What leads to the recursive functions among these is in a kernel,
  /// too.
  TransitiveCallers findCallers() {
    return TransitiveCallers(m, [&](const Instruction &i) {
      return mustBeInKernel(i) || exchanging.contains(i.getFunction());
    });
  }

  /// Makes all calls that lead to a boundary direct ones.
  bool expandCalls() {
    TransitiveCallers callers = findCallers();
    SmallVector<CallInst *, 8> calls;
    for (Function &f : m)
      for (Instruction &i : instructions(f))
        if (isThroughPointer(i) && callers.isCalledBy(i))
          calls.push_back(cast<CallInst>(&i));
    callers.shareExpanded(callers.findCycles());
    for (CallInst *call : calls)
      callers.expand(*call);
    return !calls.empty();
  }

  /// Lanes that meet in recursive functions proceed in rounds, whose code grows faster than the
  /// functions: there is one copy of these.
  bool shareInKernels() {
    TransitiveCallers callers = findCallers();
    TransitiveCallers recursive(
        m, [&](const Instruction &i) { return exchanging.contains(i.getFunction()); });
    bool changed = false;
    for (Function &f : m) {
      if (!isKernel(f) || f.isDeclaration())
        continue;
      bool exchanges = !recursive.calledFrom(f).empty();
      if (!shareBodies(f, callers, exchanges ? InlineLimits{0, 2} : InlineLimits()))
        continue;
      if (exchanges)
        f.addFnAttr(kRecursiveExchangeAttr);
      changed = true;
    }
    if (changed)
      dropUncalled(callers.get());
    return changed;
  }

  /// Drops what only kernels called that have it in them now.
  static void dropUncalled(ArrayRef<Function *> functions) {
    SmallVector<Function *, 16> work(functions);
    while (!work.empty()) {
      Function *f = work.pop_back_val();
      if (f->isDeclaration() || !f->use_empty() || !f->hasLocalLinkage())
        continue;
      for (Instruction &i : instructions(*f))
        if (auto *call = dyn_cast<CallBase>(&i); call && call->getCalledFunction())
          work.push_back(call->getCalledFunction());
      f->deleteBody();
    }
  }

  /// Makes functions iterative until none of them is recursive.
  bool removeRecursion() {
    TransitiveCallers callers = findCallers();
    SmallVector<Functions, 2> cycles = callers.findCycles();
    if (cycles.empty())
      return false;
    SmallPtrSet<const Function *, 8> exchanged;
    for (const Functions &cycle : cycles) {
      if (const Instruction *local = findWithoutFrame(cycle)) {
        reportUnsupported(*local, "a local array without a constant size in a recursive function "
                                  "with a barrier is not supported");
        continue;
      }
      bool exchanges = any_of(cycle, [&](Function *f) { return exchanging.contains(f); });
      for (Function *f : cycle) {
        SmallVector<CallBase *, 8> calls = callsOf(*f);
        erase_if(calls, [&](CallBase *call) { return is_contained(cycle, call->getFunction()); });
        if (calls.empty())
          continue;
        Function &made = makeIterative(*f, cycle);
        iterative.insert(&made);
        if (exchanges)
          exchanged.insert(&made);
        for (CallBase *call : calls)
          call->setCalledFunction(&made);
      }
    }
    for (Function &f : m) {
      if (!isKernel(f) || exchanged.empty())
        continue;
      auto reached = reachableFrom({&f});
      if (any_of(exchanged, [&](const Function *g) { return reached.contains(g); }))
        f.addFnAttr(kRecursiveExchangeAttr);
    }
    for (const Functions &cycle : cycles)
      for_each(cycle, [](Function *f) { replaceByTrap(*f); });
    return true;
  }

  static SmallVector<CallBase *, 8> callsOf(Function &f) {
    SmallVector<CallBase *, 8> calls;
    for (User *user : f.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &f)
        calls.push_back(call);
    return calls;
  }

  bool inlineEverywhere(Function &f, SetVector<Function *> &callers) {
    // Inline bottom-up: what F calls that has a boundary comes first.
    SmallVector<CallBase *, 8> calls = callsOf(f);
    for (CallBase *call : calls)
      callers.insert(call->getFunction());
    for (CallBase *call : calls) {
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
    if (f.use_empty() && f.hasLocalLinkage())
      f.deleteBody();
    else if (f.hasAddressTaken())
      replaceByTrap(f);
    return !calls.empty();
  }

  Module &m;
  SmallPtrSet<const Function *, 8> exchanging; ///< recursive functions with warp functions
  SmallPtrSet<const Function *, 8> iterative;  ///< made of recursive ones
};

/// A kernel's thread that exits does nothing more: the rest of the block after the call goes.
bool exitsToReturns(Function &kernel) {
  SmallVector<Instruction *, 4> exits;
  for (Instruction &i : instructions(kernel))
    if (getVxFn(&i) == VxFn::Exit)
      exits.push_back(&i);
  for (Instruction *i : exits) {
    BasicBlock *bb = i->getParent();
    for (BasicBlock *succ : successors(bb))
      succ->removePredecessor(bb);
    while (&bb->back() != i) {
      bb->back().replaceAllUsesWith(PoisonValue::get(bb->back().getType()));
      bb->back().eraseFromParent();
    }
    i->eraseFromParent();
    ReturnInst::Create(kernel.getContext(), bb);
  }
  return !exits.empty();
}

} // namespace

PreservedAnalyses InlineBoundariesPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = BoundaryInliner(m).run();
  for (Function &f : m)
    if (isKernel(f))
      changed |= exitsToReturns(f);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
