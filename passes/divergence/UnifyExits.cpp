// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-unify-exits: every function has one exit, and every block reaches it.
//
// Lanes that were split reconverge at a post-dominator, so there must be one. After this pass
// a function has exactly one `ret`; a block that ended in `unreachable` (after a trap, a failed
// assertion, an exit) branches to it instead; and an endless loop has an edge to it that is never
// taken, guarded by an opaque false.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/Passes.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace vx {
namespace {

class ExitUnifier {
public:
  explicit ExitUnifier(Function &f) : f(f) {}

  bool run() {
    SmallVector<BasicBlock *, 8> returns, dead;
    for (BasicBlock &bb : f) {
      if (isa<ReturnInst>(bb.getTerminator()))
        returns.push_back(&bb);
      else if (isa<UnreachableInst>(bb.getTerminator()))
        dead.push_back(&bb);
    }
    bool endless = hasEndlessLoop();
    if (returns.size() == 1 && dead.empty() && !endless)
      return false;
    makeExit();
    for (BasicBlock *bb : returns)
      redirectReturn(*bb);
    for (BasicBlock *bb : dead) {
      bb->getTerminator()->eraseFromParent();
      branchToExit(*bb);
    }
    if (endless)
      openEndlessLoops();
    return true;
  }

private:
  void makeExit() {
    exit = BasicBlock::Create(f.getContext(), "unified.exit", &f);
    IRBuilder<> b(exit);
    if (f.getReturnType()->isVoidTy()) {
      b.CreateRetVoid();
      return;
    }
    phi = b.CreatePHI(f.getReturnType(), 4);
    b.CreateRet(phi);
  }

  void redirectReturn(BasicBlock &bb) {
    auto *ret = cast<ReturnInst>(bb.getTerminator());
    if (phi)
      phi->addIncoming(ret->getReturnValue(), &bb);
    BranchInst::Create(exit, &bb)->setDebugLoc(ret->getDebugLoc());
    ret->eraseFromParent();
  }

  void branchToExit(BasicBlock &bb) {
    BranchInst::Create(exit, &bb);
    if (phi)
      phi->addIncoming(PoisonValue::get(phi->getType()), &bb);
  }

  /// Returns the blocks from which no exit can be reached.
  SmallPtrSet<BasicBlock *, 16> findTrapped() {
    SmallPtrSet<BasicBlock *, 16> reaches;
    SmallVector<BasicBlock *, 16> work;
    for (BasicBlock &bb : f)
      if (succ_empty(&bb))
        work.push_back(&bb);
    while (!work.empty()) {
      BasicBlock *bb = work.pop_back_val();
      if (reaches.insert(bb).second)
        append_range(work, predecessors(bb));
    }
    SmallPtrSet<BasicBlock *, 16> trapped;
    for (BasicBlock &bb : f)
      if (!reaches.contains(&bb))
        trapped.insert(&bb);
    return trapped;
  }

  bool hasEndlessLoop() { return !findTrapped().empty(); }

  /// Gives one back edge of each endless loop a second, never taken way out.
  void openEndlessLoops() {
    for (auto trapped = findTrapped(); !trapped.empty(); trapped = findTrapped()) {
      SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
      FindFunctionBackedges(f, backEdges);
      BasicBlock *latch = nullptr, *header = nullptr;
      for (auto [from, to] : backEdges)
        if (trapped.contains(const_cast<BasicBlock *>(from))) {
          latch = const_cast<BasicBlock *>(from);
          header = const_cast<BasicBlock *>(to);
          break;
        }
      if (!latch)
        return;
      openEdge(*latch, *header);
    }
  }

  void openEdge(BasicBlock &latch, BasicBlock &header) {
    auto *gate = BasicBlock::Create(f.getContext(), "endless", &f, &header);
    latch.getTerminator()->replaceSuccessorWith(&header, gate);
    header.replacePhiUsesWith(&latch, gate);
    IRBuilder<> b(gate);
    Value *never = b.CreateICmpNE(emitOpaque(b, b.getInt32(0)), b.getInt32(0));
    b.CreateCondBr(never, exit, &header);
    if (phi)
      phi->addIncoming(PoisonValue::get(phi->getType()), gate);
  }

  Function &f;
  BasicBlock *exit = nullptr;
  PHINode *phi = nullptr;
};

} // namespace

PreservedAnalyses UnifyExitsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  bool changed = removeUnreachableBlocks(f);
  for (BasicBlock &bb : f)
    changed |= ConstantFoldTerminator(&bb); // a branch to one place twice is not a branch
  changed |= ExitUnifier(f).run();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
