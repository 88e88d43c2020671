// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ValuesInMemory.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace vx {
namespace {

// Ten times as many phis as instructions would make the function slow to compile, and hardly a
// value that has so many stays in a register.
constexpr size_t kMostPhis = 20000;

/// Returns how many phis SLOT needs as a value.
size_t countPhis(const AllocaInst &slot, DominatorTree &dt) {
  SmallPtrSet<BasicBlock *, 16> defining, liveIn;
  for (const User *user : slot.users())
    if (const auto *store = dyn_cast<StoreInst>(user))
      defining.insert(const_cast<BasicBlock *>(store->getParent()));
  for (const BasicBlock *bb : findLiveIn(slot))
    liveIn.insert(const_cast<BasicBlock *>(bb));
  ForwardIDFCalculator frontier(dt);
  frontier.setDefiningBlocks(defining);
  frontier.setLiveInBlocks(liveIn);
  SmallVector<BasicBlock *, 32> phis;
  frontier.calculate(phis);
  return phis.size();
}

/// Makes values of the slots in F, those that need the fewest phis first, as long as all together
/// need at most kMostPhis.
void promoteSlots(Function &f, DominatorTree &dt, AssumptionCache &ac) {
  SmallVector<std::pair<size_t, AllocaInst *>, 32> slots;
  bool isSmall = f.size() * f.getEntryBlock().size() <= kMostPhis;
  for (Instruction &i : f.getEntryBlock())
    if (auto *slot = dyn_cast<AllocaInst>(&i); slot && isAllocaPromotable(slot))
      slots.push_back({isSmall ? 0 : countPhis(*slot, dt), slot});
  stable_sort(slots, less_first());
  SmallVector<AllocaInst *, 32> promoted;
  size_t phis = 0;
  for (auto [count, slot] : slots)
    if ((phis += count) <= kMostPhis)
      promoted.push_back(slot);
  PromoteMemToReg(promoted, dt, &ac);
}

} // namespace

void changeWithValuesInMemory(Function &f, FunctionAnalysisManager &fam,
                              function_ref<void()> change) {
  fam.invalidate(f, PreservedAnalyses::none());
  FunctionPassManager toMemory;
  toMemory.addPass(RegToMemPass());
  toMemory.run(f, fam);
  change();
  fam.invalidate(f, PreservedAnalyses::none());
  promoteSlots(f, fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<AssumptionAnalysis>(f));
  fam.invalidate(f, PreservedAnalyses::none());
}

SmallPtrSet<const BasicBlock *, 16> findLiveIn(const AllocaInst &slot) {
  // What each block does first.
  DenseMap<const BasicBlock *, const Instruction *> first;
  for (const User *user : slot.users()) {
    const auto *i = cast<Instruction>(user);
    const Instruction *&f = first[i->getParent()];
    if (!f || i->comesBefore(f))
      f = i;
  }
  SmallPtrSet<const BasicBlock *, 16> writes, liveIn;
  SmallVector<const BasicBlock *, 16> work;
  for (auto [bb, i] : first) {
    if (!isa<LoadInst>(i))
      writes.insert(bb);
    else if (liveIn.insert(bb).second)
      work.push_back(bb);
  }
  while (!work.empty())
    for (const BasicBlock *pred : predecessors(work.pop_back_val()))
      if (!writes.contains(pred) && liveIn.insert(pred).second)
        work.push_back(pred);
  return liveIn;
}

} // namespace vx
