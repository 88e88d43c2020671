// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-inline-waits: device functions in which a thread may wait for others are inlined into the
// kernels: those with a loop that looks at what others write, and those that look for a loop which
// calls them,
//
//     while (!tryLock(lock)) ;
//
// with all that lead to them. What threads do that have left such a loop is then in one function
// with it (DivergentWaits.h). Recursive functions become loops for it
// (lib/VortexIR/IterativeFunction.h); those that lead to no such place, or have no frames, stay as
// they are.

#include "lib/VortexIR/IterativeFunction.h"
#include "lib/VortexIR/IterativeFunctions.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if F, which calls LOOKING functions, waits with what one of them has seen.
bool waitsByCalls(const LoopInfo &loops, const TransitiveCallers &looking) {
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    return any_of(loop->blocks(), [&](const BasicBlock *bb) {
      return any_of(*bb, [&](const Instruction &i) {
        return looking.isCalledBy(i) && decidesExit(i, *loop);
      });
    });
  });
}

bool waits(const LoopInfo &loops) {
  return any_of(loops.getLoopsInPreorder(),
                [](const Loop *loop) { return !findLooks(*loop).empty(); });
}

} // namespace

PreservedAnalyses InlineWaitsPass::run(Module &m, ModuleAnalysisManager &mam) {
  TransitiveCallers looking(m, mayLook);
  if (looking.empty())
    return PreservedAnalyses::all();
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallPtrSet<const Function *, 8> waiting;
  for (Function &f : m)
    if (!f.isDeclaration() && !fam.getResult<LoopAnalysis>(f).empty()) {
      const LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
      if (waitsByCalls(loops, looking) || (!isKernel(f) && waits(loops)))
        waiting.insert(&f);
    }
  if (waiting.empty())
    return PreservedAnalyses::all();
  TransitiveCallers callers(
      m, [&](const Instruction &i) { return waiting.contains(i.getFunction()); });
  FunctionPassManager promote; // what they were handed by reference become values
  promote.addPass(SROAPass(SROAOptions::ModifyCFG));
  promote.addPass(SimplifyCFGPass());
  auto waitsInside = [&](const Functions &cycle) {
    return any_of(cycle, [&](const Function *f) { return callers.contains(f); });
  };
  std::optional<IterativeFunctions> iterative;
  if (any_of(looking.findCycles(), waitsInside))
    iterative.emplace(looking, waitsInside);
  SmallPtrSet<const Function *, 8> recursive; // those that stay so
  for (const Functions &cycle : looking.findCycles())
    if (!waitsInside(cycle) || findWithoutFrame(cycle))
      recursive.insert_range(cycle);
  bool changed = false;
  for (Function &f : m) {
    if (!isKernel(f))
      continue;
    bool calls =
        any_of(instructions(f), [&](const Instruction &i) { return callers.isCalledBy(i); });
    if (!calls && !waiting.contains(&f))
      continue;
    looking.inlineInto(f, [&](Function &callee) -> Function * {
      return recursive.contains(&callee) ? nullptr : iterative ? &iterative->of(callee) : &callee;
    });
    fam.invalidate(f, PreservedAnalyses::none());
    promote.run(f, fam);
    changed = true;
  }
  if (iterative)
    iterative->erase();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
