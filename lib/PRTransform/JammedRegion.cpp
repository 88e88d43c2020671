// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/JammedRegion.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace vx {

/// Instructions of the copies of a region, and loads of a loop's copies that run together, at most.
static constexpr unsigned kMaxInstructions = 1000, kMaxLoads = 8;

unsigned JammedRegion::partsTogether(const SequentialRegion &region, unsigned parts,
                                     const LoopInfo &li, IsDivergent isDivergentBranch) {
  unsigned instructions = 0, straightLoads = 0;
  DenseMap<const Loop *, unsigned> loads;
  // Threads may differ in whether they enter the region, and in nothing else: nothing has happened
  // yet where they do.
  bool decidedAtEntry = region.startsAtBranch, hasEffects = false;
  for (BasicBlock *bb : region.blocks) {
    const Loop *loop = li.getLoopFor(bb);
    if (loop && !region.blocks.contains(loop->getHeader()))
      loop = nullptr; // around the region
    for (const Instruction &i : *bb) {
      hasEffects |= i.mayHaveSideEffects();
      (loop ? loads[loop] : straightLoads) += isa<LoadInst>(i);
    }
    instructions += bb->size();
    if (!isa<BranchInst>(bb->getTerminator()))
      return 1;
    bool staysInLoop =
        loop && all_of(successors(bb), [&](BasicBlock *next) { return loop->contains(next); });
    if (isDivergentBranch(*bb->getTerminator()) && staysInLoop)
      return 1;
    decidedAtEntry &= bb == region.entry || !isDivergentBranch(*bb->getTerminator());
  }
  if (hasEffects && !(decidedAtEntry && loads.empty()))
    return 1;
  unsigned most = decidedAtEntry ? straightLoads : 0;
  for (auto [loop, n] : loads)
    most = std::max(most, n);
  if (most == 0 || most > kMaxLoads || instructions * parts > kMaxInstructions)
    return 1;
  return std::min(parts, bit_floor(kMaxLoads / most));
}

JammedRegion::JammedRegion(SequentialRegion &region, unsigned size, const LoopInfo &li)
    : region(region), size(size) {
  findInductions(li);
  BasicBlock *following = region.exit->getSingleSuccessor();
  region.after = BasicBlock::Create(following->getContext(), region.exit->getName() + ".all",
                                    following->getParent(), following);
  BranchInst::Create(following, region.after);
  region.exit->getTerminator()->setSuccessor(0, region.after);
  following->replacePhiUsesWith(region.exit, region.after);
}

/// Returns true if a path inside the region leads from FROM to TO.
bool JammedRegion::leadsTo(BasicBlock &from, BasicBlock &to) const {
  SmallSetVector<BasicBlock *, 8> reached;
  reached.insert(&from);
  for (unsigned i = 0; i < reached.size(); ++i) {
    if (reached[i] == &to)
      return true;
    for (BasicBlock *next : successors(reached[i]))
      if (region.blocks.contains(next))
        reached.insert(next);
  }
  return false;
}

BasicBlock *JammedRegion::block(const Twine &name) {
  return BasicBlock::Create(region.entry->getContext(), name, region.entry->getParent(),
                            region.entry);
}

void JammedRegion::build(unsigned parts, OfPart ofPart, IsDivergent isDivergentBranch,
                         SmallVectorImpl<std::pair<Instruction *, unsigned>> &made) {
  BasicBlock *before = region.before;
  BasicBlock *original = region.before; // where the original's entry is entered from by now
  for (first = 0; first < parts; first += size) {
    BasicBlock *after = first + size < parts ? block("group") : region.after;
    apart = block("apart");
    copyBlocks(made);
    mapOperands(ofPart);
    makeBranches(ofPart, isDivergentBranch);
    checkInductions(ofPart);
    together[region.exit]->getTerminator()->setSuccessor(0, after);
    if (first == 0) {
      before->getTerminator()->replaceSuccessorWith(region.entry, together[region.entry]);
    } else {
      BranchInst::Create(together[region.entry], before);
      together[region.entry]->replacePhiUsesWith(original, before);
    }
    runInTurn(ofPart, *after);
    if (first == 0)
      original = apart;
    joinResults(ofPart, *after);
    before = after;
  }
}

/// Finds the loops `for (i = start; i < bound; i += step)` with an index that may wrap.
void JammedRegion::findInductions(const LoopInfo &li) {
  for (BasicBlock *bb : region.blocks) {
    const Loop *loop = li.getLoopFor(bb);
    BasicBlock *before = loop && loop->getHeader() == bb ? loop->getLoopPreheader() : nullptr;
    BasicBlock *latch = before ? loop->getLoopLatch() : nullptr;
    auto *br = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
    if (!br || !br->isConditional() || !region.blocks.contains(before) ||
        !before->getSingleSuccessor())
      continue;
    auto *compare = dyn_cast<ICmpInst>(br->getCondition());
    if (!compare)
      continue;
    ICmpInst::Predicate predicate =
        br->getSuccessor(0) == bb ? compare->getPredicate() : compare->getInversePredicate();
    auto *next = dyn_cast<BinaryOperator>(compare->getOperand(0));
    auto isInvariant = [&](Value *v) { return loop->isLoopInvariant(v); };
    if ((predicate != ICmpInst::ICMP_SLT && predicate != ICmpInst::ICMP_ULT) || !next ||
        next->getOpcode() != Instruction::Add || !isInvariant(compare->getOperand(1)))
      continue;
    for (unsigned k = 0; k < 2; ++k)
      if (auto *phi = dyn_cast<PHINode>(next->getOperand(k));
          phi && phi->getParent() == bb && phi->getIncomingValueForBlock(latch) == next &&
          isInvariant(next->getOperand(1 - k)))
        inductions.push_back({before, phi->getIncomingValueForBlock(before),
                              next->getOperand(1 - k), compare->getOperand(1), next,
                              predicate == ICmpInst::ICMP_SLT});
  }
}

void JammedRegion::findStrides(ArrayRef<BasicBlock *> blocks) {
  strides->find(blocks);
  erase_if(inductions, [&](const Induction &i) {
    auto isOne = [&](Value *v) {
      std::optional<PartStride> stride = strides->of(v);
      return stride && stride->step == 0;
    };
    std::optional<PartStride> start = strides->of(i.start);
    return !start || start->step < 0 || !isOne(i.step) || !isOne(i.bound);
  });
  for (const Induction &i : inductions)
    strides->assumeNoWrap(*i.next, i.isSigned);
  strides->find(blocks);
}

/// Lets the parts run separately where an index may wrap. All indices are below the largest number
/// less the step: the first one of the last part, and those that were compared with the bound.
void JammedRegion::checkInductions(OfPart ofPart) {
  for (const Induction &i : inductions) {
    BasicBlock *before = together[i.before];
    Instruction *old = before->getTerminator();
    IRBuilder<> b(old);
    auto *type = cast<IntegerType>(i.next->getType());
    unsigned bits = type->getBitWidth();
    Value *step = valueOf(i.step, 0, ofPart);
    Value *most = ConstantInt::get(type, i.isSigned ? APInt::getSignedMaxValue(bits)
                                                    : APInt::getMaxValue(bits));
    Value *limit = b.CreateSub(most, step);
    auto atMost = [&](Value *v) {
      return b.CreateICmp(i.isSigned ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE, v, limit);
    };
    Value *fits = b.CreateAnd(atMost(valueOf(i.bound, 0, ofPart)),
                              atMost(valueOf(i.start, size - 1, ofPart)));
    if (i.isSigned)
      fits = b.CreateAnd(fits, b.CreateICmpSGE(step, ConstantInt::get(type, 0)));
    Value *votes = emitCall(b, VxFn::VoteAll, {b.getInt32(-1), b.CreateZExt(fits, b.getInt32Ty())});
    b.CreateCondBr(b.CreateIsNotNull(votes), old->getSuccessor(0), apart,
                   MDBuilder(b.getContext()).createLikelyBranchWeights());
    old->eraseFromParent();
  }
}

/// Returns V, an operand of the original, for part N of the group.
Value *JammedRegion::valueOf(Value *v, unsigned n, OfPart ofPart) const {
  auto it = copies.find(v);
  return it == copies.end() ? ofPart(v, first + n) : it->second[n];
}

/// Copies all but terminators. What has a stride is copied once.
void JammedRegion::copyBlocks(SmallVectorImpl<std::pair<Instruction *, unsigned>> &made) {
  copies.clear();
  unmapped.clear();
  for (BasicBlock *bb : region.blocks) {
    BasicBlock *copy = together[bb] = block(bb->getName() + ".together");
    IRBuilder<> b(copy);
    auto derive = [&](Instruction &i) {
      b.SetCurrentDebugLocation(i.getDebugLoc());
      for (unsigned n = 1; n < size; ++n)
        copies[&i].push_back(PartStrides::emit(b, copies[&i].front(), *strides->of(&i), n));
    };
    SmallVector<PHINode *, 8> phis;
    for (Instruction &i : make_range(bb->begin(), bb->getTerminator()->getIterator())) {
      if (!isa<PHINode>(i)) {
        for (PHINode *phi : phis)
          derive(*phi);
        phis.clear();
      }
      bool isDerived = strides->of(&i).has_value();
      for (unsigned p = first; p < first + (isDerived ? 1 : size); ++p) {
        Instruction *own = i.clone();
        own->insertInto(copy, copy->end());
        own->setName(i.getName());
        copies[&i].push_back(own);
        unmapped.push_back({own, p});
      }
      if (isDerived && isa<PHINode>(i))
        phis.push_back(cast<PHINode>(&i));
      else if (isDerived)
        derive(i);
    }
    for (PHINode *phi : phis)
      derive(*phi);
  }
  made.append(unmapped.begin(), unmapped.end());
}

void JammedRegion::mapOperands(OfPart ofPart) {
  for (auto [copy, part] : unmapped) {
    for (Use &use : copy->operands())
      use.set(valueOf(use, part - first, ofPart));
    if (auto *phi = dyn_cast<PHINode>(copy))
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
        if (BasicBlock *from = together.lookup(phi->getIncomingBlock(k)))
          phi->setIncomingBlock(k, from);
  }
}

/// Returns true if CONDITION, of parts in their order, is true for the first of them up to some
/// part.
static bool isFalling(const Value *condition, const PartStrides &strides) {
  const auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || (compare->getPredicate() != ICmpInst::ICMP_SLT &&
                   compare->getPredicate() != ICmpInst::ICMP_ULT))
    return false;
  std::optional<PartStride> left = strides.of(compare->getOperand(0));
  std::optional<PartStride> right = strides.of(compare->getOperand(1));
  return left && right && right->step == 0 && left->step > 0 &&
         (compare->isSigned() ? left->noSignedWrap : left->noUnsignedWrap);
}

void JammedRegion::makeBranches(OfPart ofPart, IsDivergent isDivergentBranch) {
  for (BasicBlock *bb : region.blocks) {
    auto &br = *cast<BranchInst>(bb->getTerminator());
    IRBuilder<> b(together[bb]);
    b.SetCurrentDebugLocation(br.getDebugLoc());
    if (!br.isConditional()) {
      b.CreateBr(bb == region.exit ? region.after : together[br.getSuccessor(0)]);
      continue;
    }
    SmallVector<Value *, 4> conditions;
    for (unsigned n = 0; n < size; ++n)
      conditions.push_back(valueOf(br.getCondition(), n, ofPart));
    if (isDivergentBranch(br))
      branch(b, br, conditions, isFalling(br.getCondition(), *strides));
    else
      b.CreateCondBr(conditions.front(), together[br.getSuccessor(0)],
                     together[br.getSuccessor(1)]);
  }
}

/// Makes BR uniform: all threads of the warp take one side of it, or the parts run separately.
void JammedRegion::branch(IRBuilderBase &b, BranchInst &br, ArrayRef<Value *> conditions,
                          bool isFalling) {
  BasicBlock *yes = together[br.getSuccessor(0)], *no = together[br.getSuccessor(1)];
  BasicBlock *here = b.GetInsertBlock(), *rest = block("rest");
  auto vote = [&](VxFn fn, Value *condition) {
    Value *votes = emitCall(b, fn, {b.getInt32(-1), b.CreateZExt(condition, b.getInt32Ty())});
    return b.CreateIsNotNull(votes);
  };
  MDNode *mostly = MDBuilder(b.getContext()).createLikelyBranchWeights();
  auto askAll = [&](BasicBlock *otherwise, MDNode *weights) {
    b.CreateCondBr(vote(VxFn::VoteAll, isFalling ? conditions.back() : b.CreateAnd(conditions)),
                   yes, otherwise, weights);
  };
  auto askAny = [&](BasicBlock *otherwise, MDNode *weights) {
    Value *none =
        b.CreateNot(vote(VxFn::VoteAny, isFalling ? conditions.front() : b.CreateOr(conditions)));
    b.CreateCondBr(none, no, otherwise, weights);
  };
  // One branch decides whether a loop goes round once more.
  bool noIsFirst = leadsTo(*br.getSuccessor(1), *br.getParent());
  noIsFirst ? askAny(rest, nullptr) : askAll(rest, nullptr);
  b.SetInsertPoint(rest);
  noIsFirst ? askAll(apart, mostly) : askAny(apart, mostly);
  (noIsFirst ? yes : no)->replacePhiUsesWith(here, rest);
}

/// Makes the parts of the group, one after another, between `apart` and AFTER.
void JammedRegion::runInTurn(OfPart ofPart, BasicBlock &after) {
  BranchInst::Create(&after, apart);
  BasicBlock *last = chainParts(region, ofPart, first, first + size, apart);
  last->getTerminator()->setSuccessor(0, &after);
}

/// Joins the values that are used after the region, which has been left one way or the other.
void JammedRegion::joinResults(OfPart ofPart, BasicBlock &after) {
  BasicBlock *exit = cast<BasicBlock>(ofPart(region.exit, first + size - 1));
  SmallPtrSet<BasicBlock *, 32> inside;
  for (BasicBlock *bb : region.blocks) {
    inside.insert(together[bb]);
    for (unsigned p = first; p < first + size; ++p)
      inside.insert(cast<BasicBlock>(ofPart(bb, p)));
  }
  for (BasicBlock *bb : region.blocks)
    for (Instruction &i : make_range(bb->begin(), bb->getTerminator()->getIterator()))
      for (unsigned n = 0; n < size; ++n) {
        Value *v = ofPart(&i, first + n);
        auto isOutside = [&](Use &use) {
          return !inside.contains(cast<Instruction>(use.getUser())->getParent());
        };
        if (none_of(v->uses(), isOutside))
          continue;
        PHINode *phi = PHINode::Create(v->getType(), 2, v->getName(), after.begin());
        v->replaceUsesWithIf(phi, isOutside);
        phi->addIncoming(copies[&i][n], together[region.exit]);
        phi->addIncoming(v, exit);
      }
}

} // namespace vx
