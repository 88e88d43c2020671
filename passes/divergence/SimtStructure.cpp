// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/divergence/SimtStructure.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if it matters with which other lanes a lane executes BB.
bool isConvergent(const BasicBlock &bb) {
  return any_of(bb, [](const Instruction &i) {
    const auto *call = dyn_cast<CallBase>(&i);
    return call && call->isConvergent();
  });
}

} // namespace

bool SimtStructure::isDivergentExit(const BasicBlock &bb) const {
  const Loop *loop = li.getLoopFor(&bb);
  return loop && loop->isLoopExiting(&bb) && ui.hasDivergentTerminator(bb);
}

bool SimtStructure::isWellFormedFork(BasicBlock &bb) const {
  const DomTreeNode *node = pdt.getNode(&bb);
  if (!node || !node->getIDom() || !node->getIDom()->getBlock())
    return false;
  BasicBlock *join = node->getIDom()->getBlock();
  const Loop *loop = li.getLoopFor(&bb);
  // The way to the join may not lead round the loop.
  if (loop && (!loop->contains(join) || join == loop->getHeader()))
    return false;
  SmallPtrSet<BasicBlock *, 16> earlier, side;
  for (BasicBlock *succ : successors(&bb)) {
    side.clear();
    SmallVector<BasicBlock *, 16> work{succ};
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (block == join || !side.insert(block).second)
        continue;
      if (block == &bb || !dt.dominates(&bb, block) || (loop && !loop->contains(block)) ||
          (earlier.contains(block) && isConvergent(*block)))
        return false;
      append_range(work, successors(block));
    }
    earlier.insert_range(side);
  }
  return true;
}

bool SimtStructure::isWellFormedExit(BasicBlock &bb) const {
  const Loop *loop = li.getLoopFor(&bb);
  if (loop->getExitingBlock() != &bb || !loop->getLoopPreheader())
    return false;
  const Loop *parent = loop->getParentLoop();
  for (BasicBlock *succ : successors(&bb))
    if (!loop->contains(succ) && parent && !parent->contains(succ))
      return false;
  return true;
}

BasicBlock *SimtStructure::findOffender() const {
  for (BasicBlock &bb : f) {
    if (!dt.isReachableFromEntry(&bb) || bb.getTerminator()->getNumSuccessors() < 2 ||
        !ui.hasDivergentTerminator(bb))
      continue;
    if (!(isDivergentExit(bb) ? isWellFormedExit(bb) : isWellFormedFork(bb)))
      return &bb;
  }
  return nullptr;
}

} // namespace vx
