// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/DivergentWaits.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/VortexIR/SameComputation.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/regions/SingleLane.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if no thread goes past I before all have come to it.
bool isMeetingOfAll(const Instruction &i) {
  auto fn = getVxFn(&i);
  if (fn ? *fn == VxFn::ActiveMask : !isWarpPart(i))
    return false;
  if (fn && !isWarpFunction(*fn))
    return isBoundary(i) && !isThreadWait(i);
  const auto &call = cast<CallBase>(i);
  const auto *mask = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
  return mask && mask->isMinusOne();
}

/// Returns true if objects A and B may be the same.
bool mayBeSame(const Value *a, const Value *b) {
  auto isNamed = [](const Value *v) { return isa<Argument, GlobalValue, AllocaInst>(v); };
  if (isNamed(a) && isNamed(b))
    return a == b;
  return !isa<AllocaInst>(a) && !isa<AllocaInst>(b);
}

/// Returns true if I may write where a loop looks, by ACCESS.
bool mayAnswer(const Instruction &i, const LaneAccess &access) {
  if (!i.mayWriteToMemory() || getVxFn(&i) || isWarpPart(i) || isa<FenceInst>(i))
    return false;
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
  if (isa<LoadInst>(i) || (intrinsic && intrinsic->isAssumeLikeIntrinsic()))
    return false;
  auto written = laneAccessOf(i);
  return !written ||
         mayBeSame(getUnderlyingObject(written->pointer), getUnderlyingObject(access.pointer));
}

using Ways = SmallVector<const BasicBlock *, 4>;

Ways allWays(const BasicBlock &bb) {
  return Ways(successors(&bb));
}

/// Returns true if an instruction on a way from one of STARTS to where all threads meet, that does
/// not lead through LOOP (null: any), satisfies TEST. WAYS: which to look at from a block.
bool anyFrom(ArrayRef<const Instruction *> starts, const Loop *loop,
             function_ref<bool(const Instruction &)> test,
             function_ref<Ways(const BasicBlock &)> ways = allWays) {
  SmallPtrSet<const Instruction *, 16> seen;
  SmallVector<const Instruction *, 16> work(starts);
  while (!work.empty()) {
    const Instruction *i = work.pop_back_val();
    if ((loop && loop->contains(i)) || !seen.insert(i).second)
      continue;
    while (i && !test(*i) && !isMeetingOfAll(*i)) {
      if (i->isTerminator())
        for (const BasicBlock *next : ways(*i->getParent()))
          work.push_back(&next->front());
      i = i->getNextNode();
    }
    if (i && test(*i))
      return true;
  }
  return false;
}

/// Returns true if BRANCH depends on nothing that is in memory, which others may change.
bool isSteadyBranch(const Instruction &branch) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> work{branch.getOperand(0)};
  while (!work.empty()) {
    const auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !seen.insert(i).second)
      continue;
    if (i->mayReadFromMemory() && !getVxFn(i))
      return false;
    append_range(work, i->operand_values());
  }
  return true;
}

/// Adds the places at which threads that leave LOOP by EXIT continue.
void addExits(const Instruction &exit, const Loop &loop, SmallVectorImpl<const Instruction *> &to) {
  for (const BasicBlock *next : successors(&exit))
    if (!loop.contains(next))
      to.push_back(&next->front());
}

} // namespace

/// Returns where threads continue that a branch has parted from those which come to LOOP.
SmallVector<const Instruction *, 8> DivergentWaits::findOthers(const Loop &loop) const {
  const BasicBlock *header = loop.getHeader();
  SmallVector<const Instruction *, 8> others;
  for (const BasicBlock &bb : *header->getParent()) {
    if (loop.contains(&bb) || !dt.isReachableFromEntry(&bb) || !warp.hasDivergentTerminator(bb))
      continue;
    const BasicBlock *join = findReconvergence(bb, pdt);
    auto leadsToLoop = [&](const BasicBlock *from) {
      return join != header &&
             reaches({from}, join, [&](const Instruction &i) { return &i == &header->front(); });
    };
    if (none_of(successors(&bb), leadsToLoop))
      continue;
    for (const BasicBlock *next : successors(&bb))
      // One thread is not parted from itself.
      if (!pdt.dominates(header, next) && !(leadsToLoop(next) && runsInSingleLane(*next, dt, warp)))
        others.push_back(&next->front());
  }
  return others;
}

/// Returns true if I may write where another lane looks, by ACCESS.
bool DivergentWaits::mayAnswerLane(const Instruction &i, const LaneAccess &access,
                                   bool inFlatBlocks) const {
  if (!mayAnswer(i, access))
    return false;
  auto written = laneAccessOf(i);
  if (!written)
    return true;
  auto isUniform = [&](const Value &v) { return block.isUniform(&v); };
  Separation separation = separationOfLanes(access, *written, isUniform, i.getDataLayout());
  return separation < (inFlatBlocks ? Separation::FlatBlocks : Separation::AllBlocks);
}

bool DivergentWaits::hasWaits(const Loop &loop, ArrayRef<const BasicBlock *> parted,
                              bool inFlatBlocks) const {
  SmallVector<Look, 2> looks = findLooks(loop);
  if (looks.empty())
    return false;
  SmallVector<const Instruction *, 8> others = findOthers(loop);
  for (const BasicBlock *header : parted)
    if (header != loop.getHeader())
      others.push_back(&header->front());
  bool inSingleLane = runsInSingleLane(*loop.getHeader(), dt, warp);
  return any_of(looks, [&](const Look &look) {
    SmallVector<const Instruction *, 8> starts = others;
    for (const Instruction *exit : look.exits) {
      if (inSingleLane || !warp.hasDivergentTerminator(*exit->getParent()))
        continue;
      if (look.takesLock)
        return true;
      addExits(*exit, loop, starts);
    }
    return anyFrom(starts, &loop, [&](const Instruction &i) {
      return mayAnswerLane(i, look.access, inFlatBlocks);
    });
  });
}

/// Returns false if I writes another value than what the lock of LOOP has to be to be taken: it
/// hands the lock to those that wait for that one.
static bool mayRelease(const Instruction &i, const Loop &loop) {
  const Value *written = nullptr;
  if (const auto *store = dyn_cast<StoreInst>(&i))
    written = store->getValueOperand();
  else if (const auto *rmw = dyn_cast<AtomicRMWInst>(&i);
           rmw && rmw->getOperation() == AtomicRMWInst::Xchg)
    written = rmw->getValOperand();
  return !written || none_of(loop.blocks(), [&](const BasicBlock *bb) {
    return any_of(*bb, [&](const Instruction &in) {
      const auto *take = dyn_cast<AtomicCmpXchgInst>(&in);
      return take && take->getCompareOperand() != written;
    });
  });
}

bool waitsForLock(const Loop &loop) {
  return all_of(findLooks(loop), [&](const Look &look) {
    if (!look.takesLock || !look.isSameForAll)
      return false;
    SmallVector<const Instruction *, 8> starts;
    for (const Instruction *exit : look.exits)
      addExits(*exit, loop, starts);
    return anyFrom(starts, &loop, [&](const Instruction &i) {
      auto accessed = MemoryLocation::getOrNone(&i);
      return accessed && mayAnswer(i, look.access) && mayRelease(i, loop) &&
             isSameComputation(accessed->Ptr, look.access.pointer, Reloads::Agree, kMaxSteps);
    });
  });
}

bool waitsInTurn(const Loop &loop, UniformityInfo &block) {
  const Function &f = *loop.getHeader()->getParent();
  auto isHere = [&](const Instruction &i) { return &i == &loop.getHeader()->front(); };
  SmallVector<const Instruction *, 8> starts{&f.getEntryBlock().front()};
  for (const Instruction &i : instructions(f))
    if (isMeetingOfAll(i))
      starts.push_back(i.getNextNode());
  erase_if(starts, [&](const Instruction *i) { return !anyFrom({i}, nullptr, isHere); });
  // Where all take one way, no thread is on another while one waits here.
  auto ways = [&](const BasicBlock &bb) {
    Ways taken = allWays(bb);
    if (taken.size() > 1 && !block.hasDivergentTerminator(bb) &&
        isSteadyBranch(*bb.getTerminator())) {
      Ways here = taken;
      erase_if(here,
               [&](const BasicBlock *next) { return !anyFrom({&next->front()}, nullptr, isHere); });
      if (!here.empty())
        return here;
    }
    return taken;
  };
  return any_of(findLooks(loop), [&](const Look &look) {
    auto answers = [&](const Instruction &i) { return mayAnswer(i, look.access); };
    // A thread that takes a lock has released it by its next boundary.
    return !look.takesLock && anyFrom(starts, &loop, answers, ways);
  });
}

} // namespace vx
