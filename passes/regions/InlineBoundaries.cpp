// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-inline-boundaries: every boundary is in a kernel. Device functions that have a barrier
// or end the thread, directly or through what they call, are inlined into their callers all the way
// up to the kernel; parallel regions are then formed in one function. Recursion through a barrier
// and a barrier behind a function pointer have no such form and are errors.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {
namespace {

/// Warp functions may stay in device functions: the lanes that call one are there.
bool mustBeInKernel(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && ((getInfo(*fn).effects == VxEffects::Convergent && !isWarpFunction(*fn)) ||
                *fn == VxFn::Exit);
}

class BoundaryInliner {
public:
  explicit BoundaryInliner(Module &m) : m(m) {}

  bool run() {
    SetVector<Function *> callers;
    for (Function &f : m)
      if (any_of(instructions(f), mustBeInKernel))
        callers.insert(&f);
    bool changed = false;
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
  bool inlineEverywhere(Function &f, SetVector<Function *> &callers) {
    // Inline bottom-up: what F calls that has a boundary comes first.
    SmallVector<CallBase *, 8> calls;
    bool escapes = false;
    for (User *user : f.users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (call && call->getCalledFunction() == &f)
        calls.push_back(call);
      else
        escapes = true;
    }
    for (CallBase *call : calls) {
      Function *caller = call->getFunction();
      if (caller == &f) {
        report(f, *call, "a recursive function with a barrier is not supported");
        return true;
      }
      callers.insert(caller);
    }
    if (escapes)
      report(f, *f.getEntryBlock().begin(),
             "a function with a barrier cannot be called through a pointer");
    for (CallBase *call : calls) {
      if (++inlined > kMaxInlined) {
        report(f, *call, "a recursive function with a barrier is not supported");
        return true;
      }
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
    if (f.use_empty() && f.hasLocalLinkage())
      f.deleteBody();
    return !calls.empty();
  }

  void report(Function &f, Instruction &at, const char *what) {
    m.getContext().diagnose(DiagnosticInfoUnsupported(f, what, at.getDebugLoc()));
  }

  /// Beyond any program that is not mutually recursive.
  static constexpr unsigned kMaxInlined = 10000;
  Module &m;
  unsigned inlined = 0;
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
