// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-merge-boundaries: removes the synchronization that adds nothing, and with it the parallel
// regions that would hold nothing else. A synchronization (__syncthreads, a tile's sync,
// __syncwarp) is there to order what they do to memory before and after it. So one goes if on every
// way from it nothing touches memory until
//
//     the next one, of the same threads or more      barrier; [ranks, masks]; barrier
//     the end of the kernel                              barrier; return
//
// or the same condition holds backwards, to the one before or the beginning. What partitions a
// block into tiles is arithmetic over thread coordinates, and stays; it belongs to the region
// before then.
//
// Votes and shuffles are not such neighbours: they order no memory.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {
namespace {

bool isSync(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn == VxFn::Barrier || fn == VxFn::GroupSync || fn == VxFn::WarpSync;
}

const Value *membersOf(const Instruction &sync) {
  return cast<CallInst>(sync).getArgOperand(0);
}

/// Returns true if all threads that B synchronizes a thread with are synchronized with it by A,
/// too.
bool covers(const Instruction &a, const Instruction &b) {
  VxFn outer = *getVxFn(&a), inner = *getVxFn(&b);
  if (outer == VxFn::Barrier)
    return true;
  if (inner == VxFn::Barrier)
    return false;
  if (outer == VxFn::GroupSync) {
    // Groups are aligned, and consist of whole warps.
    const auto *size = dyn_cast<ConstantInt>(membersOf(a));
    const auto *innerSize = dyn_cast<ConstantInt>(membersOf(b));
    return inner == VxFn::WarpSync || membersOf(a) == membersOf(b) ||
           (size && innerSize && size->getZExtValue() % innerSize->getZExtValue() == 0);
  }
  const auto *mask = dyn_cast<ConstantInt>(membersOf(a));
  return inner == VxFn::WarpSync && (membersOf(a) == membersOf(b) || (mask && mask->isMinusOne()));
}

/// Returns true if I may stand between two synchronizations that become one. A fence orders
/// accesses, and there are none on one side of it.
bool isSilent(const Instruction &i) {
  if (auto fn = getVxFn(&i))
    return getInfo(*fn).effects == VxEffects::Pure || isFence(*fn);
  return i.isLifetimeStartOrEnd() || isa<AssumeInst>(i) || isa<ReturnInst>(i) ||
         (!i.mayReadOrWriteMemory() && !i.mayHaveSideEffects());
}

/// Finds out whether SYNC is superfluous for what follows it (or, backwards, precedes it): walks to
/// the next synchronizations or the end of the kernel.
class Walk {
public:
  Walk(const Instruction &sync, bool forward) : sync(sync), forward(forward) {}

  bool isSuperfluous() {
    const BasicBlock *bb = sync.getParent();
    if (!leave(*bb, scan(next(&sync))))
      return false;
    while (!work.empty()) {
      bb = work.pop_back_val();
      if (!leave(*bb, scan(forward ? &bb->front() : &bb->back())))
        return false;
    }
    return true;
  }

private:
  enum class Found { Nothing, Cover, Memory };

  const Instruction *next(const Instruction *i) const {
    return forward ? i->getNextNode() : i->getPrevNode();
  }

  /// Returns what comes first from I on, in its block.
  Found scan(const Instruction *i) const {
    for (; i; i = next(i)) {
      if (i != &sync && isSync(*i) && covers(*i, sync))
        return Found::Cover;
      if (i != &sync && !isSilent(*i))
        return Found::Memory;
    }
    return Found::Nothing;
  }

  bool leave(const BasicBlock &bb, Found found) {
    if (found != Found::Nothing)
      return found == Found::Cover;
    auto go = [&](auto blocks) {
      for (const BasicBlock *other : blocks)
        if (seen.insert(other).second)
          work.push_back(other);
    };
    if (forward)
      go(successors(&bb));
    else
      go(predecessors(&bb));
    return true;
  }

  const Instruction &sync;
  bool forward;
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *, 16> work;
};

} // namespace

PreservedAnalyses MergeBoundariesPass::run(Function &f, FunctionAnalysisManager &) {
  // Elsewhere the callers continue.
  if (!isKernel(f))
    return PreservedAnalyses::all();
  SmallVector<Instruction *, 8> syncs;
  for (Instruction &i : instructions(f))
    if (isSync(i))
      syncs.push_back(&i);
  bool changed = false;
  // One that is gone may have been between two others: until nothing changes, so that the pass
  // finds nothing more when it is run again.
  for (size_t before = syncs.size() + 1; before != syncs.size();) {
    before = syncs.size();
    erase_if(syncs, [](Instruction *i) {
      if (!Walk(*i, true).isSuperfluous() && !Walk(*i, false).isSuperfluous())
        return false;
      i->eraseFromParent();
      return true;
    });
    changed |= before != syncs.size();
  }
  return changed ? PreservedAnalyses::allInSet<CFGAnalyses>() : PreservedAnalyses::all();
}

} // namespace vx
