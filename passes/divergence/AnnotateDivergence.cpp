// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-annotate-divergence: the last step before code generation on control flow. Each conditional
// branch becomes one of three:
//
//   uniform         condition made opaque and recorded as proven uniform
//   divergent fork  vx_split before it, vx_join where its sides reconverge (its
//                   immediate post-dominator); inner joins come first
//   divergent exit  thread mask saved in the loop's preheader, vx_pred before the branch
//
// Needs: SimtStructure finds no violation. The condition handed to each branch is the result of the
// assembly that makes it safe, so code generation can neither split nor merge nor re-derive it.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/Passes.h"
#include "passes/divergence/SimtStructure.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

class DivergenceAnnotator {
public:
  DivergenceAnnotator(Function &f, UniformityInfo &ui, DominatorTree &dt, PostDominatorTree &pdt,
                      LoopInfo &li)
      : f(f), structure(f, ui, dt, pdt, li), ui(ui), dt(dt), pdt(pdt), li(li) {}

  bool run() {
    collect();
    for (BranchInst *br : uniform)
      markUniform(*br);
    for (BranchInst *br : exits)
      openExit(*br);
    // Joins are made from the innermost fork outwards: an outer join takes the inner join block as
    // one of its predecessors, so its vx_join runs after the inner one.
    stable_sort(forks, [&](const Fork &a, const Fork &b) {
      return dt.getNode(a.head->getParent())->getLevel() >
             dt.getNode(b.head->getParent())->getLevel();
    });
    for (const Fork &fork : forks)
      openFork(fork);
    return nextId != 0;
  }

private:
  /// A divergent branch and its immediate post-dominator. The join of one fork is not where another
  /// reconverges: then all paths of the other would lead to the head of the first.
  struct Fork {
    BranchInst *head;
    BasicBlock *reconvergence;
  };

  void collect() {
    for (BasicBlock &bb : f) {
      auto *br = dyn_cast<BranchInst>(bb.getTerminator());
      if (!br || !br->isConditional() || !dt.isReachableFromEntry(&bb))
        continue;
      if (!ui.hasDivergentTerminator(bb))
        uniform.push_back(br);
      else if (structure.isDivergentExit(bb))
        exits.push_back(br);
      else
        forks.push_back({br, pdt.getNode(&bb)->getIDom()->getBlock()});
    }
  }

  /// Marks an operand of the compare, which RISC-V fuses into the branch; a condition that is not
  /// an integer compare is marked itself.
  void markUniform(BranchInst &br) {
    IRBuilder<> b(&br);
    Type *xlen = b.getIntNTy(f.getDataLayout().getPointerSizeInBits());
    auto *compare = dyn_cast<ICmpInst>(br.getCondition());
    if (!compare || !fitsRegister(compare->getOperand(0)->getType(), xlen)) {
      Value *flag = emitUniformMark(b, b.CreateZExt(br.getCondition(), xlen), nextId++);
      br.setCondition(b.CreateICmpNE(flag, ConstantInt::get(xlen, 0)));
      return;
    }
    // Sign extension keeps the order of unsigned numbers too, and is how RV64 holds them.
    auto widen = [&](Value *v) {
      return v->getType()->isPointerTy() ? b.CreatePtrToInt(v, xlen) : b.CreateSExt(v, xlen);
    };
    Value *marked = emitUniformMark(b, widen(compare->getOperand(0)), nextId++);
    br.setCondition(b.CreateICmp(compare->getPredicate(), marked, widen(compare->getOperand(1))));
    if (compare->use_empty())
      compare->eraseFromParent();
  }

  static bool fitsRegister(Type *type, Type *xlen) {
    return type->isPointerTy() ||
           (type->isIntegerTy() && type->getIntegerBitWidth() <= xlen->getIntegerBitWidth());
  }

  void openExit(BranchInst &br) {
    const Loop *loop = li.getLoopFor(br.getParent());
    unsigned id = nextId++;
    IRBuilder<> atEntry(loop->getLoopPreheader()->getTerminator());
    Value *saved = emitSaveMask(atEntry, id);
    if (!loop->contains(br.getSuccessor(0))) {
      IRBuilder<> b(&br);
      br.setCondition(b.CreateNot(br.getCondition()));
      br.swapSuccessors();
    }
    IRBuilder<> b(&br);
    br.setCondition(emitPred(b, br.getCondition(), saved, id));
  }

  void openFork(const Fork &fork) {
    BranchInst &br = *fork.head;
    BasicBlock *head = br.getParent(), *end = fork.reconvergence;
    unsigned id = nextId++;
    IRBuilder<> b(&br);
    SplitResult split = emitSplit(b, br.getCondition(), id);
    br.setCondition(split.condition);
    SmallVector<BasicBlock *, 8> sides;
    for (BasicBlock *pred : predecessors(end))
      if (dt.dominates(head, pred))
        sides.push_back(pred);
    // A fork with an empty side can have BR itself as a predecessor of the join; splitting gives
    // the edge a block of its own either way.
    BasicBlock *join = SplitBlockPredecessors(end, sides, ".join", &dt, &li);
    IRBuilder<> atJoin(&*join->getFirstInsertionPt());
    emitJoin(atJoin, split.token, id);
  }

  Function &f;
  SimtStructure structure;
  UniformityInfo &ui;
  DominatorTree &dt;
  PostDominatorTree &pdt;
  LoopInfo &li;
  SmallVector<BranchInst *, 16> uniform, exits;
  SmallVector<Fork, 16> forks;
  unsigned nextId = 0;
};

} // namespace

PreservedAnalyses AnnotateDivergencePass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  bool changed = DivergenceAnnotator(f, fam.getResult<UniformityInfoAnalysis>(f),
                                     fam.getResult<DominatorTreeAnalysis>(f),
                                     fam.getResult<PostDominatorTreeAnalysis>(f),
                                     fam.getResult<LoopAnalysis>(f))
                     .run();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
