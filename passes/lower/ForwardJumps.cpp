// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches to a block that only jumps on go where it jumps. Register allocation leaves such blocks
// where a block was nothing but copies that have become none, and branch folding, which would
// remove them, also merges and copies code across the marks of divergent branches. A block that
// nothing reaches any more is erased, and with it a cache line that was fetched for one jump.

#include "passes/lower/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace vx {
namespace {

class ForwardJumps : public MachineFunctionPass {
public:
  ForwardJumps() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Vortex jumps to jumps"; }

  bool runOnMachineFunction(MachineFunction &mf) override {
    tii = mf.getSubtarget().getInstrInfo();
    bool changed = false;
    for (MachineBasicBlock &block : make_early_inc_range(mf))
      changed |= &block != &mf.front() && forward(block);
    for (MachineBasicBlock &block : mf)
      changed |= removeJumpToNext(block);
    return changed;
  }

private:
  struct Branches {
    MachineBasicBlock *taken = nullptr, *other = nullptr;
    SmallVector<MachineOperand, 4> condition;
  };

  /// Finds the branches at the end of BLOCK. Returns false if it ends in another way.
  bool analyze(MachineBasicBlock &block, Branches &found) const {
    return !tii->analyzeBranch(block, found.taken, found.other, found.condition);
  }

  /// Returns where BLOCK jumps if it does nothing else; else null.
  MachineBasicBlock *onlyJumpsTo(MachineBasicBlock &block) const {
    auto first = block.getFirstNonDebugInstr();
    if (first == block.end() || !first->isUnconditionalBranch())
      return nullptr;
    Branches end;
    bool jumps = analyze(block, end) && end.taken && end.condition.empty();
    return jumps && end.taken != &block ? end.taken : nullptr;
  }

  /// Returns true if BLOCK is executed after PREDECESSOR without a branch.
  bool isFallThrough(MachineBasicBlock &predecessor, MachineBasicBlock &block) const {
    Branches end;
    return !analyze(predecessor, end) || (predecessor.isLayoutSuccessor(&block) && !end.other &&
                                          (!end.taken || !end.condition.empty()));
  }

  bool forward(MachineBasicBlock &block) const {
    MachineBasicBlock *target = onlyJumpsTo(block);
    if (!target || block.hasAddressTaken() || block.isEHPad())
      return false;
    bool changed = false;
    for (MachineBasicBlock *predecessor : SmallVector<MachineBasicBlock *, 8>(block.predecessors()))
      if (!isFallThrough(*predecessor, block)) {
        predecessor->ReplaceUsesOfBlockWith(&block, target);
        changed = true;
      }
    if (block.pred_empty()) {
      block.removeSuccessor(target);
      block.eraseFromParent();
    }
    return changed;
  }

  bool removeJumpToNext(MachineBasicBlock &block) const {
    Branches end;
    if (!analyze(block, end))
      return false;
    MachineBasicBlock *last = end.condition.empty() ? end.taken : end.other;
    if (!last || !block.isLayoutSuccessor(last))
      return false;
    block.getLastNonDebugInstr()->eraseFromParent();
    return true;
  }

  const TargetInstrInfo *tii = nullptr;
  static char id;
};

char ForwardJumps::id;

} // namespace

MachineFunctionPass *createForwardJumpsPass() {
  return new ForwardJumps;
}

} // namespace vx
