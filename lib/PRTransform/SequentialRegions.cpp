// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/SequentialRegions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

using Blocks = SmallSetVector<BasicBlock *, 8>;

class RegionFinder {
public:
  RegionFinder(const DominatorTree &dt, const PostDominatorTree &pdt) : dt(dt), pdt(pdt) {}

  /// Grows REGION, which has blocks only, until it has a single entry and a single exit. Returns
  /// false if there is none.
  bool grow(SequentialRegion &region) const {
    for (unsigned more = 0;;) {
      region.entry = findEntry(region.blocks);
      region.after = findAfter(region.blocks, more);
      if (!region.entry || !region.after)
        return false;
      Blocks grown = reachable(region.entry, region.after);
      grown.insert_range(region.blocks);
      bool isStable = grown.size() == region.blocks.size();
      region.blocks = std::move(grown);
      if (!isStable)
        continue;
      if (hasSingleEntry(region))
        break;
      ++more; // a loop around the region leads back into its middle
    }
    region.startsAtBranch = none_of(predecessors(region.entry),
                                    [&](BasicBlock *bb) { return region.blocks.contains(bb); });
    return true;
  }

private:
  /// Returns a block that dominates all BLOCKS; the first of them if it does.
  BasicBlock *findEntry(const Blocks &blocks) const {
    BasicBlock *entry = blocks.front();
    for (BasicBlock *bb : blocks)
      entry = dt.findNearestCommonDominator(entry, bb);
    return entry;
  }

  /// Returns a block that post-dominates all BLOCKS and is none of them; the block MORE steps after
  /// the first such.
  BasicBlock *findAfter(const Blocks &blocks, unsigned more) const {
    BasicBlock *after = blocks.front();
    for (BasicBlock *bb : blocks)
      if (after)
        after = pdt.findNearestCommonDominator(after, bb);
    while (after && (blocks.contains(after) || more)) {
      more -= blocks.contains(after) ? 0 : 1;
      const DomTreeNode *node = pdt.getNode(after);
      after = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    }
    return after;
  }

  static Blocks reachable(BasicBlock *from, BasicBlock *end) {
    Blocks found;
    found.insert(from);
    for (unsigned i = 0; i < found.size(); ++i)
      for (BasicBlock *next : successors(found[i]))
        if (next != end)
          found.insert(next);
    return found;
  }

  static bool hasSingleEntry(const SequentialRegion &region) {
    return all_of(region.blocks, [&](BasicBlock *bb) {
      return bb == region.entry || all_of(predecessors(bb), [&](BasicBlock *pred) {
               return region.blocks.contains(pred);
             });
    });
  }

  const DominatorTree &dt;
  const PostDominatorTree &pdt;
};

} // namespace

std::optional<SmallVector<SequentialRegion, 8>>
findSequentialRegions(Function &f, function_ref<bool(BasicBlock &)> isDivergent,
                      const DominatorTree &dt, const PostDominatorTree &pdt) {
  RegionFinder finder(dt, pdt);
  SmallVector<SequentialRegion, 8> found;
  ReversePostOrderTraversal<Function *> order(&f);
  for (BasicBlock *bb : order) {
    if (!isDivergent(*bb))
      continue;
    SequentialRegion region;
    region.blocks.insert(bb);
    for (;;) {
      if (!finder.grow(region))
        return std::nullopt;
      auto *other = find_if(found, [&](const SequentialRegion &r) {
        return any_of(r.blocks, [&](BasicBlock *b) { return region.blocks.contains(b); });
      });
      if (other == found.end())
        break;
      region.blocks.insert_range(other->blocks);
      found.erase(other);
    }
    found.push_back(std::move(region));
  }
  return found;
}

/// Returns the block outside REGION that its blocks lead to; it may have been split since it was
/// found.
static BasicBlock *findSuccessor(const SequentialRegion &region) {
  for (BasicBlock *bb : region.blocks)
    for (BasicBlock *next : successors(bb))
      if (!region.blocks.contains(next))
        return next;
  llvm_unreachable("all paths lead to a block outside");
}

void isolate(SequentialRegion &region) {
  if (region.startsAtBranch) {
    BasicBlock *branch = region.entry->splitBasicBlock(region.entry->getTerminator());
    region.blocks.remove(region.entry);
    region.before = region.entry;
    region.entry = branch;
    region.blocks.insert(branch);
  } else {
    SmallVector<BasicBlock *, 4> outside;
    for (BasicBlock *pred : predecessors(region.entry))
      if (!region.blocks.contains(pred) && !is_contained(outside, pred))
        outside.push_back(pred);
    region.before = SplitBlockPredecessors(region.entry, outside, ".before");
  }
  region.after = findSuccessor(region);
  SmallVector<BasicBlock *, 4> last;
  for (BasicBlock *pred : predecessors(region.after))
    if (region.blocks.contains(pred) && !is_contained(last, pred))
      last.push_back(pred);
  region.exit = SplitBlockPredecessors(region.after, last, ".after");
  region.blocks.insert(region.exit);
}

BasicBlock *chainParts(const SequentialRegion &region, OfPart ofPart, unsigned first, unsigned end,
                       BasicBlock *from) {
  for (unsigned p = first; p < end; ++p) {
    auto *entry = cast<BasicBlock>(ofPart(region.entry, p));
    from->getTerminator()->setSuccessor(0, entry);
    entry->replacePhiUsesWith(region.before, from);
    from = cast<BasicBlock>(ofPart(region.exit, p));
  }
  return from;
}

} // namespace vx
