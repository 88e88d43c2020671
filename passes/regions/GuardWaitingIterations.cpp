// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-guard-waiting-iterations: keeps threads that wait for each other in one loop
// (WaitingIterations.h), as vx-guard-spin-loops does for critical sections.
//
//     do {                                   again: if (!ready(v)) goto again;
//       missing = false;                     publish(v);
//       if (!ready(v)) missing = true;       (what jump threading makes of it)
//       else publish(v);
//     } while (missing);
//
// On the left, a lane that is ready publishes in the same iteration in which others of its warp are
// not. On the right it waits after their loop. So the conditions on which such a loop is left are
// made opaque before the optimizer runs.

#include "lib/PRTransform/RegionFunction.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "passes/Passes.h"
#include "passes/regions/ScratchCopy.h"
#include "passes/regions/WaitingIterations.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if what others may have written since the last time is read in F.
bool readsAnew(const Function &f) {
  return any_of(instructions(f), [](const Instruction &i) {
    const auto *load = dyn_cast<LoadInst>(&i);
    return isa<AtomicRMWInst>(i) || (load && (load->isAtomic() || isVolatileInSource(*load)));
  });
}

} // namespace

PreservedAnalyses GuardWaitingIterationsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !readsAnew(f) || fam.getResult<LoopAnalysis>(f).empty())
    return PreservedAnalyses::all();
  // Locals are still in memory: a copy shows which of them stay. It keeps its blocks.
  ScratchCopy scratch(f, fam);
  Function &copy = *scratch;
  SmallVector<BasicBlock *, 32> originals;
  for (BasicBlock &bb : f)
    originals.push_back(&bb);
  promoteVariables(copy, fam);
  DenseMap<const BasicBlock *, BasicBlock *> originalOf;
  for (auto [bb, original] : zip_equal(copy, originals))
    originalOf[&bb] = original;
  SmallPtrSet<BasicBlock *, 8> guarded;
  for (const Loop *loop : fam.getResult<LoopAnalysis>(copy).getLoopsInPreorder()) {
    if (findWaitingIterations(*loop, [](const BasicBlock &) { return false; }).empty())
      continue;
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (BasicBlock *bb : exiting)
      guarded.insert(originalOf.lookup(bb));
  }
  for (BasicBlock *bb : guarded)
    if (auto *br = dyn_cast<BranchInst>(bb->getTerminator()))
      hideCondition(*br);
  return guarded.empty() ? PreservedAnalyses::all() : PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
