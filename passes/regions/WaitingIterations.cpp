// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/WaitingIterations.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "passes/regions/WaitLoops.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

bool hasBoundaries(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *bb) { return any_of(*bb, isBoundary); });
}

/// Returns true if LOOP, or one around it in which threads continue without a boundary, may change
/// memory.
bool isOfWriters(const Loop &loop) {
  for (const Loop *l = &loop; l && !hasBoundaries(*l); l = l->getParentLoop())
    if (mayWrite(*l))
      return true;
  return false;
}

/// Returns the values that LOOP hands from one iteration to the next and that its exits depend on.
SmallVector<const PHINode *, 4> findCarried(const Loop &loop) {
  SmallVector<const PHINode *, 4> carried;
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> work;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *bb : exiting)
    append_range(work, bb->getTerminator()->operands());
  while (!work.empty()) {
    const auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second)
      continue;
    const auto *phi = dyn_cast<PHINode>(i);
    if (phi && phi->getParent() == loop.getHeader())
      carried.push_back(phi);
    else
      append_range(work, i->operands());
  }
  return carried;
}

/// Returns true if V, which PHI of LOOP is in the next iteration, may be what it is in this one.
bool mayStay(const PHINode &phi, const Value *v, const Loop &loop,
             SmallPtrSetImpl<const Value *> &seen) {
  if (v == &phi)
    return true;
  const auto *merged = dyn_cast<PHINode>(v);
  return merged && loop.contains(merged) && seen.insert(merged).second &&
         any_of(merged->incoming_values(),
                [&](const Value *in) { return mayStay(phi, in, loop, seen); });
}

/// Returns the edges by which waiting iterations end that come to LATCH. CARRIED: what such an
/// iteration does not change.
SmallVector<Edge, 4> findIdleEdges(const Loop &loop, BasicBlock *latch,
                                   ArrayRef<const PHINode *> carried) {
  auto nextOf = [&](const PHINode *phi) { return phi->getIncomingValueForBlock(latch); };
  BasicBlock *join = nullptr; // where all iterations that change something meet the others
  bool isDisjoint = true;
  for (const PHINode *phi : carried) {
    SmallPtrSet<const Value *, 8> seen;
    if (!mayStay(*phi, nextOf(phi), loop, seen))
      return {};
    if (nextOf(phi) == phi)
      continue;
    auto *meet = const_cast<BasicBlock *>(cast<PHINode>(nextOf(phi))->getParent());
    isDisjoint &= !join || join == meet;
    join = meet;
  }
  SmallVector<Edge, 4> idle;
  if (join && isDisjoint)
    for (BasicBlock *before : predecessors(join))
      if (all_of(carried, [&](const PHINode *phi) {
            return nextOf(phi) == phi ||
                   cast<PHINode>(nextOf(phi))->getIncomingValueForBlock(before) == phi;
          }))
        idle.push_back({before, join});
  if (idle.empty())
    idle.push_back({latch, loop.getHeader()});
  return idle;
}

} // namespace

SmallVector<Edge, 4> findWaitingIterations(const Loop &loop,
                                           function_ref<bool(const BasicBlock &)> ignored) {
  SmallVector<Edge, 4> idle;
  if (!isOfWriters(loop) || !looksAtOthers(loop, ignored))
    return idle;
  SmallVector<BasicBlock *, 2> latches;
  loop.getLoopLatches(latches);
  SmallVector<const PHINode *, 4> carried = findCarried(loop);
  for (BasicBlock *latch : latches)
    append_range(idle, findIdleEdges(loop, latch, carried));
  return idle;
}

} // namespace vx
