// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When is control flow ready for split/join and pred as it stands?
//
// A divergent branch B that does not leave a loop is a *fork*: its region is everything reachable
// from B before its immediate post-dominator P. The fork is well-formed if B dominates the region
// and the region neither leaves B's innermost loop nor returns to B. Then "split at B, join at P"
// brings both sides together, whatever is inside, and inner forks nest. What both sides reach
// before P (after `if (divergent) { if (uniform) return; }`, P is the function's exit) is executed
// once for each of them, so there may be no convergent call in it.
//
//          B split           A loop whose exit branch E is divergent is well-formed if E is the
//         / .                only block that leaves it: "pred at E" parks the lanes that are done
//        .   .               and restores all of them when the last one leaves.
//         . /
//          P join
//
// Everything else (shared tails of && and ||, break under a divergent condition, goto) has to be
// structurized first.

#ifndef VX_PASSES_DIVERGENCE_SIMTSTRUCTURE_H
#define VX_PASSES_DIVERGENCE_SIMTSTRUCTURE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace vx {

/// Answers the question for one function, from analyses of its present state.
class SimtStructure {
public:
  SimtStructure(llvm::Function &f, llvm::UniformityInfo &ui, const llvm::DominatorTree &dt,
                const llvm::PostDominatorTree &pdt, const llvm::LoopInfo &li)
      : f(f), ui(ui), dt(dt), pdt(pdt), li(li) {}

  /// Returns the first block whose branch is in the way, or null if all forks and loops are
  /// well-formed.
  llvm::BasicBlock *findOffender() const;

  /// Returns true if a divergent branch at BB leaves its innermost loop.
  bool isDivergentExit(const llvm::BasicBlock &bb) const;

private:
  bool isWellFormedFork(llvm::BasicBlock &bb) const;
  bool isWellFormedExit(llvm::BasicBlock &bb) const;

  llvm::Function &f;
  llvm::UniformityInfo &ui;
  const llvm::DominatorTree &dt;
  const llvm::PostDominatorTree &pdt;
  const llvm::LoopInfo &li;
};

} // namespace vx

#endif // VX_PASSES_DIVERGENCE_SIMTSTRUCTURE_H
