// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-simplify-inlined: in modules with hundreds of calls to functions that are always inlined,
// simplifies these functions once, with what they call inlined, and not at each of the calls.
// Arithmetic for which the hardware has no instruction is such functions in the CUDA headers: that
// of halves takes some forty instructions for each that the source means, after classes and
// conversions of several calls are inlined and gone.
//
//   before:  @__hfma2: calls @__hfma, which calls @__vx_to_float, ...; called 1024 times
//   after:   @__hfma2: the forty instructions, without calls or locals
//
// Modules with few such calls gain nothing by it and stay as they are.

#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {
namespace {

/// Calls in a module from which on functions are simplified before they are inlined.
constexpr unsigned kMany = 500;
/// Instructions up to which what functions call is inlined into them without being so always, such
/// as constructors.
constexpr unsigned kSmall = 30;

bool isInlinedAlways(const Function &f) {
  return !f.isDeclaration() && f.hasFnAttribute(Attribute::AlwaysInline);
}

/// Returns the function of this module that I calls and that would be inlined there; else null.
Function *inlinedCallee(Instruction &i) {
  auto *call = dyn_cast<CallBase>(&i);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  bool inlined = callee && !callee->isDeclaration() && !call->isNoInline() &&
                 (isInlinedAlways(*callee) || callee->getInstructionCount() <= kSmall);
  return inlined ? callee : nullptr;
}

/// Simplifies functions, each after those that it calls.
class Simplifier {
public:
  explicit Simplifier(FunctionAnalysisManager &fam) : fam(fam) {
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    passes.addPass(EarlyCSEPass());
    // Before a computation that one side of a branch uses moves there: then it is too long for a
    // select, and the branch would stay at each of the calls.
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
  }

  void simplify(Function &f) {
    if (!seen.insert(&f).second)
      return;
    SmallVector<CallBase *, 16> calls;
    for (Instruction &i : instructions(f))
      if (inlinedCallee(i))
        calls.push_back(cast<CallBase>(&i));
    for (CallBase *call : calls) {
      Function &callee = *call->getCalledFunction();
      simplify(callee);
      // One that has not been reached the end of is recursive.
      if (!done.contains(&callee))
        continue;
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
    fam.invalidate(f, PreservedAnalyses::none());
    fam.invalidate(f, passes.run(f, fam));
    done.insert(&f);
  }

private:
  FunctionAnalysisManager &fam;
  FunctionPassManager passes;
  DenseSet<const Function *> seen, done;
};

} // namespace

PreservedAnalyses SimplifyInlinedPass::run(Module &m, ModuleAnalysisManager &mam) {
  SmallVector<Function *, 16> inlined;
  size_t calls = 0;
  for (Function &f : m)
    if (isInlinedAlways(f)) {
      inlined.push_back(&f);
      calls += f.getNumUses();
    }
  if (calls < kMany)
    return PreservedAnalyses::all();
  Simplifier simplifier(mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager());
  for (Function *f : inlined)
    simplifier.simplify(*f);
  return PreservedAnalyses::none();
}

} // namespace vx
