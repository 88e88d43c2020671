// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ControlDependence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

ControlDependence::ControlDependence(Function &f) {
  findPostDominators(f);
  findDependences();
}

/// Uses the algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the
/// reversed graph.
void ControlDependence::findPostDominators(Function &f) {
  // Blocks that lead to a return, each after all that it leads to except in cycles.
  SmallVector<BasicBlock *, 32> order;
  SmallPtrSet<BasicBlock *, 32> seen;
  for (BasicBlock &block : f) {
    if (!isa<ReturnInst>(block.getTerminator()) || !seen.insert(&block).second)
      continue;
    SmallVector<std::pair<BasicBlock *, pred_iterator>, 16> open{{&block, pred_begin(&block)}};
    while (!open.empty()) {
      auto &[at, next] = open.back();
      if (next == pred_end(at)) {
        order.push_back(at);
        open.pop_back();
      } else if (BasicBlock *before = *next++; seen.insert(before).second) {
        open.emplace_back(before, pred_begin(before));
      }
    }
  }
  std::reverse(order.begin(), order.end());
  DenseMap<BasicBlock *, unsigned> numbers; // the end is 0
  for (auto [number, block] : enumerate(order))
    numbers[block] = number + 1;

  constexpr unsigned kUnknown = ~0u;
  SmallVector<unsigned, 32> dominators(order.size() + 1, kUnknown);
  dominators[0] = 0;
  auto common = [&](unsigned a, unsigned b) {
    while (a != b) {
      unsigned &later = a > b ? a : b;
      later = dominators[later];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [index, block] : enumerate(order)) {
      unsigned dominator = isa<ReturnInst>(block->getTerminator()) ? 0 : kUnknown;
      for (BasicBlock *next : successors(block)) {
        unsigned number = numbers.lookup(next);
        if (number && dominators[number] != kUnknown)
          dominator = dominator == kUnknown ? number : common(dominator, number);
      }
      if (dominator != kUnknown && std::exchange(dominators[index + 1], dominator) != dominator)
        changed = true;
    }
  }
  for (auto [index, block] : enumerate(order)) {
    unsigned dominator = dominators[index + 1];
    postDominators[block] = dominator ? order[dominator - 1] : nullptr;
  }
}

void ControlDependence::findDependences() {
  for (auto [block, end] : postDominators)
    for (BasicBlock *next : successors(block))
      for (BasicBlock *at = postDominators.contains(next) ? next : nullptr; at && at != end;
           at = postDominators.lookup(at))
        if (auto &all = branches[at]; !is_contained(all, block))
          all.push_back(block);
}

SmallVector<BasicBlock *, 4> ControlDependence::joinsOf(BasicBlock &block) const {
  SmallPtrSet<BasicBlock *, 8> deciding, joins;
  SmallVector<BasicBlock *, 8> open{&block};
  while (!open.empty()) {
    auto found = branches.find(open.pop_back_val());
    if (found == branches.end())
      continue;
    for (BasicBlock *branch : found->second)
      if (deciding.insert(branch).second) {
        open.push_back(branch);
        if (BasicBlock *join = postDominators.lookup(branch))
          joins.insert(join);
      }
  }
  SmallVector<BasicBlock *, 4> all;
  for (BasicBlock &one : *block.getParent())
    if (joins.contains(&one))
      all.push_back(&one);
  return all;
}

} // namespace vx
