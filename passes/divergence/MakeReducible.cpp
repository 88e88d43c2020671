// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-make-reducible: every loop gets one entry.
//
// A strongly connected set of blocks with several entries gets a new block, the dispatch, through
// which all edges to those entries go, from outside and from inside; a selector says which entry is
// meant. The dispatch is then the loop's only header. Inner loops follow: the same is done for the
// set without its header.
//
//       \   /                 \ /
//       a   b                dispatch <--.
//       |\ /|       =>        /   \      |
//       | X |                a     b     |
//       |/ \|                 \___/______|
//
// SSA values that live across blocks are demoted to memory before and promoted again after, so
// edges can be moved freely. LLVM's FixIrreducible does this in SSA, but version 22 drops phi
// values when such loops are nested (test make-reducible.ll, @three_entries).

#include "lib/VortexIR/ValuesInMemory.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

using BlockSet = SetVector<BasicBlock *>;

class LoopEntryUnifier {
public:
  explicit LoopEntryUnifier(Function &f) : f(f), i32(Type::getInt32Ty(f.getContext())) {}

  void run() {
    BlockSet all;
    for (BasicBlock &bb : f)
      all.insert(&bb);
    process(all);
  }

private:
  /// Makes the loops within SET have one entry each, then those inside them.
  void process(const BlockSet &set) {
    for (BlockSet &loop : findLoops(set)) {
      SmallVector<BasicBlock *, 4> entries;
      for (BasicBlock *bb : loop)
        if (bb == &f.getEntryBlock() ||
            any_of(predecessors(bb), [&](BasicBlock *p) { return !loop.contains(p); }))
          entries.push_back(bb);
      BasicBlock *header = entries.size() > 1 ? addDispatch(loop, entries) : entries.front();
      loop.remove(header);
      process(loop);
    }
  }

  static BlockSet reach(BasicBlock *from, const BlockSet &set, bool forward) {
    BlockSet seen;
    SmallVector<BasicBlock *, 16> work;
    auto enter = [&](BasicBlock *bb) {
      if (set.contains(bb) && seen.insert(bb))
        work.push_back(bb);
    };
    auto expand = [&](BasicBlock *bb) {
      if (forward)
        for_each(successors(bb), enter);
      else
        for_each(predecessors(bb), enter);
    };
    for (expand(from); !work.empty();)
      expand(work.pop_back_val());
    return seen;
  }

  /// Returns the strongly connected subsets of SET (as a graph of its own) that contain a cycle.
  static SmallVector<BlockSet, 4> findLoops(const BlockSet &set) {
    SmallVector<BlockSet, 4> loops;
    SmallPtrSet<BasicBlock *, 16> done;
    for (BasicBlock *bb : set) {
      if (done.contains(bb))
        continue;
      BlockSet ahead = reach(bb, set, true);
      if (!ahead.contains(bb))
        continue;
      BlockSet behind = reach(bb, set, false), loop;
      for (BasicBlock *member : ahead)
        if (behind.contains(member))
          loop.insert(member);
      done.insert_range(loop);
      loops.push_back(std::move(loop));
    }
    return loops;
  }

  /// Routes every edge to ENTRIES through a new header, which joins LOOP. Returns it.
  BasicBlock *addDispatch(BlockSet &loop, ArrayRef<BasicBlock *> entries) {
    LLVMContext &ctx = f.getContext();
    IRBuilder<> b(ctx);
    b.SetInsertPoint(&*f.getEntryBlock().getFirstInsertionPt());
    AllocaInst *selector = b.CreateAlloca(i32, nullptr, "entry.selector");
    auto *dispatch = BasicBlock::Create(ctx, "dispatch", &f, entries.front());
    for (auto [index, entry] : enumerate(entries)) {
      // Edges from inside and from outside get blocks of their own: a shared one would be an entry.
      SmallVector<BasicBlock *, 8> inside, outside;
      for (BasicBlock *pred : SetVector<BasicBlock *>(pred_begin(entry), pred_end(entry)))
        (loop.contains(pred) ? inside : outside).push_back(pred);
      for (ArrayRef<BasicBlock *> preds : {ArrayRef(inside), ArrayRef(outside)}) {
        if (preds.empty())
          continue;
        auto *edge = BasicBlock::Create(ctx, "enter", &f, dispatch);
        for (BasicBlock *pred : preds)
          pred->getTerminator()->replaceSuccessorWith(entry, edge);
        b.SetInsertPoint(edge);
        b.CreateStore(b.getInt32(index), selector);
        b.CreateBr(dispatch);
        if (preds.data() == inside.data())
          loop.insert(edge);
      }
    }
    b.SetInsertPoint(dispatch);
    Value *selected = b.CreateLoad(i32, selector);
    for (unsigned i = 0; i + 2 < entries.size(); ++i) {
      auto *next = BasicBlock::Create(ctx, "dispatch.next", &f, entries.front());
      b.CreateCondBr(b.CreateICmpEQ(selected, b.getInt32(i)), entries[i], next);
      loop.insert(next);
      b.SetInsertPoint(next);
    }
    unsigned last = entries.size() - 1;
    b.CreateCondBr(b.CreateICmpEQ(selected, b.getInt32(last - 1)), entries[last - 1],
                   entries[last]);
    loop.insert(dispatch);
    return dispatch;
  }

  Function &f;
  Type *i32;
};

} // namespace

PreservedAnalyses MakeReduciblePass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  ReversePostOrderTraversal<Function *> rpot(&f);
  if (!containsIrreducibleCFG<BasicBlock *>(rpot, fam.getResult<LoopAnalysis>(f)))
    return PreservedAnalyses::all();
  changeWithValuesInMemory(f, fam, [&] { LoopEntryUnifier(f).run(); });
  return PreservedAnalyses::none();
}

} // namespace vx
