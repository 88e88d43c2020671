// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-freeze-loop-bases: what many loops start from and what many loops address, the first thread
// and the arrays in the context of a kernel of hundreds of barriers, say, becomes an unknown value
// to scalar evolution.
//
//   before:  %first = add …                   after:  %first = add …
//                                                     %first.frozen = freeze i32 %first
//            %thread = phi i32 [ %first, … ]          %thread = phi i32 [ %first.frozen, … ]
//
// Loop Strength Reduction compares what a loop starts with with that of each loop before it, and
// gives up, each time, after a number of the instructions that compute it: 1,000 barriers took half
// a minute. With unknown values it finds that they are equal at once.

#include "passes/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

/// Loops with a base in common from which on their comparison takes longer than code generation.
static constexpr unsigned kManyLoops = 64;

static void freeze(Value &v, Function &f) {
  auto *i = dyn_cast<Instruction>(&v);
  auto at =
      i ? i->getInsertionPointAfterDef() : std::optional(f.getEntryBlock().getFirstInsertionPt());
  if (!at)
    return;
  auto *frozen = new FreezeInst(&v, v.getName() + ".frozen", *at);
  v.replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
}

PreservedAnalyses FreezeLoopBasesPass::run(Function &f, FunctionAnalysisManager &fam) {
  auto &loops = fam.getResult<LoopAnalysis>(f);
  MapVector<Value *, SmallPtrSet<const Loop *, 4>> users;
  auto add = [&](Value *base, const BasicBlock *bb) {
    auto *i = dyn_cast<Instruction>(base);
    if (const Loop *loop = loops.getLoopFor(bb); loop && (i || isa<Argument>(base)))
      if (!i || (!loops.getLoopFor(i->getParent()) && !isa<AllocaInst, FreezeInst>(i)))
        users[base].insert(loop);
  };
  for (Instruction &i : instructions(f)) {
    if (auto *address = dyn_cast<GetElementPtrInst>(&i))
      add(address->getPointerOperand(), i.getParent());
    if (auto *phi = dyn_cast<PHINode>(&i); phi && loops.isLoopHeader(i.getParent()))
      for (Value *from : phi->incoming_values())
        add(from, i.getParent());
  }
  bool changed = false;
  for (auto &[base, in] : users)
    if (in.size() >= kManyLoops) {
      freeze(*base, f);
      changed = true;
    }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace vx
