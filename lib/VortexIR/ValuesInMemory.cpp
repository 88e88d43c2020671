// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/ValuesInMemory.h"
#include "lib/VortexIR/PhiWebs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace vx {
namespace {

// Ten times as many phis as instructions would make the function slow to compile, and hardly a
// value that has so many stays in a register.
constexpr size_t kMostPhis = 20000;

/// Returns how many phis SLOT needs as a value.
size_t countPhis(const AllocaInst &slot, DominatorTree &dt) {
  SmallPtrSet<BasicBlock *, 16> defining, liveIn;
  for (const User *user : slot.users())
    if (const auto *store = dyn_cast<StoreInst>(user))
      defining.insert(const_cast<BasicBlock *>(store->getParent()));
  for (const BasicBlock *bb : findLiveIn(slot))
    liveIn.insert(const_cast<BasicBlock *>(bb));
  ForwardIDFCalculator frontier(dt);
  frontier.setDefiningBlocks(defining);
  frontier.setLiveInBlocks(liveIn);
  SmallVector<BasicBlock *, 32> phis;
  frontier.calculate(phis);
  return phis.size();
}

/// Erases what endContents() stores to SLOT.
void eraseEnds(AllocaInst &slot) {
  for (User *user : make_early_inc_range(slot.users()))
    if (auto *store = dyn_cast<StoreInst>(user);
        store && isa<PoisonValue>(store->getValueOperand()))
      store->eraseFromParent();
}

/// Makes values of the slots in F, those that need the fewest phis first, as long as all together
/// need at most kMostPhis.
void promoteSlots(Function &f, DominatorTree &dt, AssumptionCache &ac) {
  SmallVector<std::pair<size_t, AllocaInst *>, 32> slots;
  bool isSmall = f.size() * f.getEntryBlock().size() <= kMostPhis;
  for (Instruction &i : f.getEntryBlock())
    if (auto *slot = dyn_cast<AllocaInst>(&i); slot && isAllocaPromotable(slot))
      slots.push_back({isSmall ? 0 : countPhis(*slot, dt), slot});
  stable_sort(slots, less_first());
  SmallVector<AllocaInst *, 32> promoted;
  size_t phis = 0;
  for (auto [count, slot] : slots)
    if ((phis += count) <= kMostPhis)
      promoted.push_back(slot);
    else
      eraseEnds(*slot);
  PromoteMemToReg(promoted, dt, &ac);
}

/// Moves the values of F that live across blocks, and all phis, to slots, one for each phi web.
class Demoter {
public:
  Demoter(Function &f, DominatorTree &dt) : f(f), values(collect(f)), webs(f, values, dt) {}

  void run() {
    for (Instruction *value : values)
      if (AllocaInst *&slot = slots[webs.webOf(*value)]; !slot)
        slot = new AllocaInst(value->getType(), f.getDataLayout().getAllocaAddrSpace(), nullptr,
                              value->getName() + ".slot", f.getEntryBlock().begin());
    // In the block of its definition a value stays one, and that of a phi is loaded first of all.
    for (Instruction *value : values)
      if (isa<PHINode>(value))
        local[value] = new LoadInst(value->getType(), &slotOf(*value), value->getName(),
                                    value->getParent()->getFirstInsertionPt());
      else
        new StoreInst(value, &slotOf(*value), *value->getInsertionPointAfterDef());
    for (BasicBlock &bb : f)
      for (BasicBlock *pred : SmallSetVector<BasicBlock *, 8>(pred_begin(&bb), pred_end(&bb)))
        passOn(*pred, bb);
    for (Instruction *value : values)
      replaceUses(*value);
    for (Instruction *value : values)
      if (isa<PHINode>(value)) {
        value->replaceAllUsesWith(PoisonValue::get(value->getType())); // by other phis
        value->eraseFromParent();
      }
  }

private:
  static std::vector<Instruction *> collect(Function &f) {
    std::vector<Instruction *> values;
    for (BasicBlock &bb : f)
      for (Instruction &i : bb) {
        bool isSlot = isa<AllocaInst>(i) && &bb == &f.getEntryBlock();
        bool isAcross = any_of(i.users(), [&](const User *user) {
          return isa<PHINode>(user) || cast<Instruction>(user)->getParent() != &bb;
        });
        if (isa<PHINode>(i) || (!isSlot && isAcross && !i.getType()->isTokenTy()))
          values.push_back(&i);
      }
    return values;
  }

  AllocaInst &slotOf(const Instruction &value) { return *slots[webs.webOf(value)]; }

  /// Returns VALUE as instructions of BB before PLACE see it.
  Value *valueIn(BasicBlock &bb, Value &value, BasicBlock::iterator place) {
    auto *i = dyn_cast<Instruction>(&value);
    if (!i || (isa<AllocaInst>(i) && i->getParent() == &f.getEntryBlock()))
      return &value;
    if (i->getParent() == &bb)
      return isa<PHINode>(i) ? local[i] : i;
    return new LoadInst(i->getType(), &slotOf(*i), i->getName(), place);
  }

  /// Stores at the end of PRED what the phis of BB are when it comes from there: all at a time.
  void passOn(BasicBlock &pred, BasicBlock &bb) {
    SmallVector<std::pair<Value *, AllocaInst *>, 8> stores;
    BasicBlock::iterator place = pred.getTerminator()->getIterator();
    for (PHINode &phi : bb.phis()) {
      Value *incoming = phi.getIncomingValueForBlock(&pred);
      auto *i = dyn_cast<Instruction>(incoming);
      bool isThere = i && !isa<AllocaInst>(i) && webs.webOf(*i) == webs.webOf(phi);
      if (!isThere)
        stores.push_back({valueIn(pred, *incoming, place), &slotOf(phi)});
    }
    for (auto [value, slot] : stores)
      new StoreInst(value, slot, place);
  }

  /// Replaces the uses of VALUE other than those by phis: in another block than its own, it is
  /// loaded before the first of them.
  void replaceUses(Instruction &value) {
    DenseMap<BasicBlock *, Instruction *> first;
    SmallVector<Use *, 8> uses;
    for (Use &use : value.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<PHINode>(user) || (user->getParent() == value.getParent() && !isa<PHINode>(value)))
        continue;
      uses.push_back(&use);
      Instruction *&i = first[user->getParent()];
      if (!i || user->comesBefore(i))
        i = user;
    }
    DenseMap<BasicBlock *, Value *> seen;
    for (Use *use : uses) {
      BasicBlock *bb = cast<Instruction>(use->getUser())->getParent();
      Value *&here = seen[bb];
      if (!here)
        here = valueIn(*bb, value, first[bb]->getIterator());
      use->set(here);
    }
  }

  Function &f;
  std::vector<Instruction *> values;
  PhiWebs webs;
  DenseMap<unsigned, AllocaInst *> slots;
  DenseMap<const Instruction *, Instruction *> local; ///< the load of each phi in its block
};

/// Undoes the splitting of edges where that is possible: with a block on one of its edges, a branch
/// around something is one between two things for the structurizer, which makes two branches of it.
class EdgeJoiner {
public:
  /// BLOCKS were made for edges: they have one predecessor, and pass values on.
  void run(ArrayRef<BasicBlock *> blocks) {
    for (BasicBlock *edge : blocks)
      if (canPassOnEarlier(*edge))
        join(*edge);
  }

private:
  /// Returns true if what EDGE stores may be stored before the branch to it: other ways from there
  /// do not read what the slots had.
  bool canPassOnEarlier(const BasicBlock &edge) {
    return all_of(edge, [&](const Instruction &i) {
      const auto *store = dyn_cast<StoreInst>(&i);
      return i.isTerminator() || isa<LoadInst>(i) ||
             (store && none_of(successors(edge.getSinglePredecessor()), [&](const BasicBlock *to) {
                return to != &edge && isLiveIn(*cast<AllocaInst>(store->getPointerOperand()), *to);
              }));
    });
  }

  bool isLiveIn(const AllocaInst &slot, const BasicBlock &bb) {
    auto [found, isNew] = liveIn.try_emplace(&slot);
    if (isNew)
      found->second = findLiveIn(slot);
    return found->second.contains(&bb);
  }

  static void join(BasicBlock &edge) {
    Instruction *branch = edge.getSinglePredecessor()->getTerminator();
    BasicBlock *target = edge.getSingleSuccessor();
    branch->getParent()->splice(branch->getIterator(), &edge, edge.begin(),
                                edge.getTerminator()->getIterator());
    branch->replaceSuccessorWith(&edge, target);
    edge.eraseFromParent();
  }

  DenseMap<const AllocaInst *, SmallPtrSet<const BasicBlock *, 16>> liveIn; ///< of slots
};

/// Stores poison to SLOT where its contents are read no more: paths that a change makes from there
/// to a later load are none of the program, and need no phi.
void endContents(AllocaInst &slot) {
  SmallPtrSet<const BasicBlock *, 16> liveIn = findLiveIn(slot);
  SmallPtrSet<BasicBlock *, 16> holding; // blocks at some place of which it has contents
  for (const BasicBlock *bb : liveIn)
    holding.insert(const_cast<BasicBlock *>(bb));
  for (User *user : slot.users())
    holding.insert(cast<Instruction>(user)->getParent());
  SmallPtrSet<BasicBlock *, 16> done;
  auto end = [&](BasicBlock &bb, BasicBlock::iterator place) {
    if (done.insert(&bb).second)
      new StoreInst(PoisonValue::get(slot.getAllocatedType()), &slot, place);
  };
  SmallVector<BasicBlock *, 16> blocks(holding.begin(), holding.end());
  for (BasicBlock *bb : blocks) {
    auto isLive = [&](const BasicBlock *successor) { return liveIn.contains(successor); };
    if (succ_empty(bb))
      continue;
    if (none_of(successors(bb), isLive)) {
      end(*bb, bb->getTerminator()->getIterator());
      continue;
    }
    for (BasicBlock *successor : successors(bb))
      if (!isLive(successor) && !holding.contains(successor))
        end(*successor, successor->getFirstInsertionPt());
  }
}

} // namespace

void changeWithValuesInMemory(Function &f, FunctionAnalysisManager &fam,
                              function_ref<void()> change) {
  fam.invalidate(f, PreservedAnalyses::none());
  EliminateUnreachableBlocks(f);
  // The end of a block is that of one edge then, where the values of phis can be stored.
  for (BasicBlock &bb : f)
    if (bb.getSinglePredecessor())
      FoldSingleEntryPHINodes(&bb);
  SmallPtrSet<BasicBlock *, 32> blocks(llvm::from_range, llvm::make_pointer_range(f));
  SplitAllCriticalEdges(f);
  SmallVector<BasicBlock *, 32> edges;
  for (BasicBlock &bb : f)
    if (!blocks.contains(&bb))
      edges.push_back(&bb);
  {
    DominatorTree dt(f);
    Demoter(f, dt).run();
  }
  EdgeJoiner().run(edges);
  for (Instruction &i : make_early_inc_range(f.getEntryBlock()))
    if (auto *slot = dyn_cast<AllocaInst>(&i); slot && isAllocaPromotable(slot))
      endContents(*slot);
  change();
  fam.invalidate(f, PreservedAnalyses::none());
  promoteSlots(f, fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<AssumptionAnalysis>(f));
  fam.invalidate(f, PreservedAnalyses::none());
}

SmallPtrSet<const BasicBlock *, 16> findLiveIn(const AllocaInst &slot) {
  // What each block does first.
  DenseMap<const BasicBlock *, const Instruction *> first;
  for (const User *user : slot.users()) {
    const auto *i = cast<Instruction>(user);
    const Instruction *&f = first[i->getParent()];
    if (!f || i->comesBefore(f))
      f = i;
  }
  SmallPtrSet<const BasicBlock *, 16> writes, liveIn;
  SmallVector<const BasicBlock *, 16> work;
  for (auto [bb, i] : first) {
    if (!isa<LoadInst>(i))
      writes.insert(bb);
    else if (liveIn.insert(bb).second)
      work.push_back(bb);
  }
  while (!work.empty())
    for (const BasicBlock *pred : predecessors(work.pop_back_val()))
      if (!writes.contains(pred) && liveIn.insert(pred).second)
        work.push_back(pred);
  return liveIn;
}

} // namespace vx
