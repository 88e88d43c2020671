// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/optimize/LoopUnroller.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace vx {
namespace {

constexpr unsigned kCount = 4;
/// Addresses of a loop that get a pointer of their own in the copies: each takes registers.
constexpr unsigned kMaxAddresses = 3;
constexpr StringLiteral kDone = "llvm.loop.unroll.disable";

/// A loop that can be unrolled: it continues while CONTROL PREDICATE BOUND holds at its latch.
struct Candidate {
  Loop *loop;
  ICmpInst::Predicate predicate;
  Value *control, *bound;      // the compare's operands
  const SCEVAddRecExpr *range; // of CONTROL
};

/// Rewrites the extensions of a loop's index in an address, which do not move evenly where the
/// index wraps, to those that do. The index is one step before what the loop compares with its
/// bound, and the copies of the body run only where that is still inside: an index that does not
/// wrap in the first iteration never does.
class LinearIndices : public SCEVRewriteVisitor<LinearIndices> {
public:
  /// A condition that has to hold before the loop: LEFT PREDICATE RIGHT.
  using Check = std::tuple<const SCEV *, CmpInst::Predicate, const SCEV *>;
  using Checks = SmallSetVector<Check, 4>;
  Checks checks;

  LinearIndices(ScalarEvolution &se, const Candidate &c)
      : SCEVRewriteVisitor(se), control(*c.range), predicate(c.predicate) {}

  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *e) {
    if (predicate != CmpInst::ICMP_SLT || !isIndex(e->getOperand()))
      return e;
    return extended(*cast<SCEVAddRecExpr>(e->getOperand()), e->getType(), true);
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *e) {
    if (predicate == CmpInst::ICMP_NE || !isIndex(e->getOperand()))
      return e;
    auto &index = *cast<SCEVAddRecExpr>(e->getOperand());
    if (predicate == CmpInst::ICMP_SLT)
      checks.insert({index.getStart(), CmpInst::ICMP_SGE, SE.getZero(index.getType())});
    return extended(index, e->getType(), false);
  }

private:
  /// Returns true if S is the control variable of the iteration before; its step is positive in the
  /// copies.
  bool isIndex(const SCEV *s) {
    auto *index = dyn_cast<SCEVAddRecExpr>(s);
    if (!index || index->getLoop() != control.getLoop() || !index->isAffine() ||
        index->getType() != control.getType())
      return false;
    const SCEV *step = control.getStepRecurrence(SE);
    if (index->getStepRecurrence(SE) != step)
      return false;
    if (SE.getMinusSCEV(control.getStart(), index->getStart()) != step)
      return false;
    checks.insert({index->getStart(), predicate, control.getStart()});
    return true;
  }
  const SCEV *extended(const SCEVAddRecExpr &index, Type *type, bool sign) {
    const SCEV *start = index.getStart();
    return SE.getAddRecExpr(sign ? SE.getSignExtendExpr(start, type)
                                 : SE.getZeroExtendExpr(start, type),
                            SE.getZeroExtendExpr(index.getStepRecurrence(SE), type),
                            control.getLoop(), SCEV::FlagAnyWrap);
  }

  const SCEVAddRecExpr &control;
  const CmpInst::Predicate predicate; ///< of the loop: SLT, ULT or NE
};

class LoopUnroller {
public:
  LoopUnroller(Function &f, LoopInfo &li, ScalarEvolution &se,
               function_ref<bool(const Loop &)> isWorthIt)
      : f(f), li(li), se(se), expander(se, "unroll"), isWorthIt(isWorthIt) {}

  /// Unrolls one loop; false if there is none left.
  bool run() {
    for (Loop *loop : li.getLoopsInPreorder())
      if (std::optional<Candidate> c = examine(*loop)) {
        unroll(*c);
        return true;
      }
    return false;
  }

private:
  std::optional<Candidate> examine(Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch();
    if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch ||
        !loop.getUniqueExitBlock() || findOptionMDForLoop(&loop, kDone) || !isWorthIt(loop))
      return std::nullopt;
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
      return std::nullopt;
    Candidate c{&loop, compare->getPredicate(), compare->getOperand(0), compare->getOperand(1), {}};
    if (loop.isLoopInvariant(c.control)) {
      std::swap(c.control, c.bound);
      c.predicate = ICmpInst::getSwappedPredicate(c.predicate);
    }
    if (branch->getSuccessor(0) != loop.getHeader())
      c.predicate = ICmpInst::getInversePredicate(c.predicate);
    c.range = dyn_cast<SCEVAddRecExpr>(se.getSCEV(c.control));
    if (!loop.isLoopInvariant(c.bound) || !c.range || c.range->getLoop() != &loop ||
        !c.range->isAffine() || !canCount(c))
      return std::nullopt;
    return c;
  }

  /// Returns true if the distance to the bound tells how many iterations are left.
  bool canCount(const Candidate &c) {
    const SCEV *step = c.range->getStepRecurrence(se);
    Instruction *before = c.loop->getLoopPreheader()->getTerminator();
    if (!expander.isSafeToExpandAt(step, before) ||
        !expander.isSafeToExpandAt(c.range->getStart(), before))
      return false;
    if (c.predicate == ICmpInst::ICMP_NE)
      return step->isOne();
    return c.predicate == ICmpInst::ICMP_SLT || c.predicate == ICmpInst::ICMP_ULT;
  }

  /// Emits whether the next iteration and the three after it may run, after one that ends with
  /// CONTROL. LIMIT is three steps before the bound.
  static Value *hasFour(IRBuilderBase &b, const Candidate &c, Value *control, Value *limit) {
    if (c.predicate != ICmpInst::ICMP_NE)
      return b.CreateICmp(c.predicate, control, limit);
    // One step is one, and the distance counts modulo 2^n.
    return b.CreateICmpUGT(b.CreateSub(c.bound, control),
                           ConstantInt::get(control->getType(), kCount - 1));
  }

  /// Emits whether the loop may begin with the copies: it runs at least four times, the first time
  /// unconditionally, the stride is positive, and no sum of a few strides and the bound wraps.
  static Value *beginsWithFour(IRBuilderBase &b, const Candidate &c, Value *start, Value *step,
                               Value *limit) {
    Type *type = start->getType();
    if (c.predicate == ICmpInst::ICMP_NE)
      return b.CreateICmpUGT(b.CreateSub(c.bound, start), ConstantInt::get(type, kCount - 2));
    unsigned bits = type->getIntegerBitWidth();
    Value *isSmall = b.CreateICmpULT(b.CreateSub(step, ConstantInt::get(type, 1)),
                                     ConstantInt::get(type, APInt::getOneBitSet(bits, bits - 3)));
    Value *isInRange = b.CreateICmp(c.predicate, limit, c.bound);
    Value *isLong = b.CreateICmp(c.predicate, start, b.CreateAdd(limit, step));
    return b.CreateAnd({isSmall, isInRange, isLong});
  }

  /// An address that moves by the same distance in each iteration.
  struct MovingAddress {
    Instruction *address;
    Value *start, *step; // pointer and integer, outside of the loop
  };

  /// Finds the addresses of loads and stores of the loop, computed before it for its first
  /// iteration. CHECKS gets what has to hold there, or they move in another manner in some
  /// iterations.
  SmallVector<MovingAddress, kMaxAddresses> findAddresses(const Candidate &c,
                                                          LinearIndices::Checks &checks) {
    SmallVector<MovingAddress, kMaxAddresses> found;
    SmallPtrSet<Value *, 8> seen;
    Instruction *before = c.loop->getLoopPreheader()->getTerminator();
    for (BasicBlock *bb : c.loop->blocks())
      for (Instruction &i : *bb) {
        auto *address = dyn_cast_or_null<Instruction>(getLoadStorePointerOperand(&i));
        if (!address || isa<PHINode>(address) || !c.loop->contains(address) ||
            found.size() == kMaxAddresses || !seen.insert(address).second)
          continue;
        LinearIndices indices(se, c);
        auto *moving = dyn_cast<SCEVAddRecExpr>(indices.visit(se.getSCEV(address)));
        if (!moving || moving->getLoop() != c.loop || !moving->isAffine())
          continue;
        const SCEV *start = moving->getStart(), *step = moving->getStepRecurrence(se);
        if (!expander.isSafeToExpandAt(start, before) || !expander.isSafeToExpandAt(step, before))
          continue;
        checks.insert_range(indices.checks);
        found.push_back({address, expander.expandCodeFor(start, nullptr, before->getIterator()),
                         expander.expandCodeFor(step, nullptr, before->getIterator())});
      }
    return found;
  }

  void unroll(const Candidate &c) {
    Loop &loop = *c.loop;
    BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader();
    BasicBlock *latch = loop.getLoopLatch(), *exit = loop.getUniqueExitBlock();
    SmallVector<BasicBlock *, 8> body(loop.blocks());
    Value *step = expander.expandCodeFor(c.range->getStepRecurrence(se), nullptr,
                                         before->getTerminator()->getIterator());
    Value *start = expander.expandCodeFor(c.range->getStart(), nullptr,
                                          before->getTerminator()->getIterator());
    LinearIndices::Checks checks;
    SmallVector<MovingAddress, kMaxAddresses> addresses = findAddresses(c, checks);
    LLVMContext &ctx = f.getContext();
    auto *rest = BasicBlock::Create(ctx, header->getName() + ".rest", &f, header);
    auto *restStart = BasicBlock::Create(ctx, header->getName() + ".rest.start", &f, header);
    auto *fast = BasicBlock::Create(ctx, header->getName() + ".fast", &f, rest);
    auto *fastEnd = BasicBlock::Create(ctx, header->getName() + ".fast.end", &f, rest);

    // Four copies of the body; the last one's latch leads back or on.
    std::array<ValueToValueMapTy, kCount> maps;
    std::array<SmallVector<BasicBlock *, 8>, kCount> copies;
    for (unsigned k = 0; k < kCount; ++k)
      for (BasicBlock *bb : body) {
        BasicBlock *copy = CloneBasicBlock(bb, maps[k], ".u" + Twine(k), &f);
        copy->moveBefore(fastEnd);
        maps[k][bb] = copy;
        copies[k].push_back(copy);
      }
    auto inCopy = [&](Value *v, unsigned k) -> Value * {
      auto it = maps[k].find(v);
      return it == maps[k].end() ? v : static_cast<Value *>(it->second);
    };
    for (unsigned k = 1; k < kCount; ++k)
      for (PHINode &phi : header->phis()) {
        auto *copy = cast<PHINode>(maps[k][&phi]);
        maps[k][&phi] = inCopy(phi.getIncomingValueForBlock(latch), k - 1);
        copy->eraseFromParent();
      }
    for (unsigned k = 0; k < kCount; ++k)
      for (BasicBlock *copy : copies[k])
        for (Instruction &i : *copy)
          RemapInstruction(&i, maps[k], RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    auto *first = cast<BasicBlock>(maps[0][header]);
    IRBuilder<> b(before->getTerminator());
    Value *limit = b.CreateSub(
        c.bound, b.CreateMul(step, ConstantInt::get(step->getType(), kCount - 1)), "limit");
    for (unsigned k = 0; k < kCount; ++k) {
      Instruction *old = cast<BasicBlock>(maps[k][latch])->getTerminator();
      b.SetInsertPoint(old);
      if (k + 1 < kCount)
        b.CreateBr(cast<BasicBlock>(maps[k + 1][header]));
      else
        b.CreateCondBr(hasFour(b, c, inCopy(c.control, k), limit), first, fastEnd)
            ->setMetadata(LLVMContext::MD_loop, doneMark(kUnrolledLoop));
      old->eraseFromParent();
    }
    constexpr unsigned last = kCount - 1;
    auto *lastLatch = cast<BasicBlock>(maps[last][latch]);
    for (PHINode &phi : header->phis()) {
      auto *copy = cast<PHINode>(maps[0][&phi]);
      copy->removeIncomingValue(cast<BasicBlock>(maps[0][latch]), false);
      copy->replaceIncomingBlockWith(before, fast);
      copy->addIncoming(inCopy(phi.getIncomingValueForBlock(latch), last), lastLatch);
    }

    // Each address is the one before it and the stride: LLVM would compute it from the iteration's
    // number, in the width of that. Multiples of the stride would save no instruction and take
    // registers across all that encloses the loop.
    for (const MovingAddress &moving : addresses) {
      b.SetInsertPoint(first, first->begin());
      PHINode *start = b.CreatePHI(moving.start->getType(), 2, "address");
      Value *address = start;
      for (unsigned k = 0; k < kCount; ++k) {
        auto *old = cast<Instruction>(inCopy(moving.address, k));
        old->replaceAllUsesWith(address);
        b.SetInsertPoint(cast<BasicBlock>(maps[k][latch])->getTerminator());
        address = b.CreatePtrAdd(address, moving.step);
      }
      start->addIncoming(moving.start, fast);
      start->addIncoming(address, lastLatch);
    }

    // Around it.
    b.SetInsertPoint(before->getTerminator());
    Value *isLong = beginsWithFour(b, c, start, step, limit);
    for (auto [left, predicate, right] : checks) {
      BasicBlock::iterator at = before->getTerminator()->getIterator();
      Value *l = expander.expandCodeFor(left, nullptr, at);
      Value *r = expander.expandCodeFor(right, nullptr, at);
      isLong = b.CreateAnd(isLong, b.CreateICmp(predicate, l, r), "four");
    }
    before->getTerminator()->eraseFromParent();
    b.SetInsertPoint(before);
    b.CreateCondBr(isLong, fast, rest);
    b.SetInsertPoint(fast);
    b.CreateBr(first);
    b.SetInsertPoint(fastEnd);
    Value *some = b.CreateICmp(c.predicate, inCopy(c.control, last), c.bound);
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
    auto join = [&](Value *fromBefore, Value *fromFast, const Twine &name) {
      PHINode *phi = b.CreatePHI(fromFast->getType(), 2, name);
      phi->addIncoming(fromBefore, before);
      phi->addIncoming(fromFast, fastEnd);
      return phi;
    };
    Value *any = join(b.getTrue(), some, "any.left");
    for (PHINode &phi : header->phis()) {
      Value *next = inCopy(phi.getIncomingValueForBlock(latch), last);
      Value *joined = join(phi.getIncomingValueForBlock(before), next, phi.getName());
      phi.setIncomingValueForBlock(before, joined);
      phi.replaceIncomingBlockWith(before, restStart);
    }
    for (PHINode &phi : exit->phis()) {
      Value *v = phi.getIncomingValueForBlock(latch);
      phi.addIncoming(join(PoisonValue::get(v->getType()), inCopy(v, last), phi.getName()), rest);
    }
    b.CreateCondBr(any, restStart, exit);
    b.SetInsertPoint(restStart);
    b.CreateBr(header);
    latch->getTerminator()->setMetadata(LLVMContext::MD_loop, doneMark());
  }

  MDNode *doneMark(StringRef more = kDone) {
    LLVMContext &ctx = f.getContext();
    auto word = [&](StringRef text) { return MDNode::get(ctx, MDString::get(ctx, text)); };
    MDNode *mark = MDNode::getDistinct(ctx, {nullptr, word(kDone), word(more)});
    mark->replaceOperandWith(0, mark);
    return mark;
  }

  Function &f;
  LoopInfo &li;
  ScalarEvolution &se;
  SCEVExpander expander;
  function_ref<bool(const Loop &)> isWorthIt;
};

} // namespace

bool unrollLoops(Function &f, FunctionAnalysisManager &fam,
                 function_ref<bool(const Loop &)> isWorthIt) {
  bool changed = false;
  for (;;) {
    FunctionPassManager prepare;
    prepare.addPass(LoopSimplifyPass());
    prepare.addPass(LCSSAPass());
    changed |= !prepare.run(f, fam).areAllPreserved();
    if (!LoopUnroller(f, fam.getResult<LoopAnalysis>(f), fam.getResult<ScalarEvolutionAnalysis>(f),
                      isWorthIt)
             .run())
      return changed;
    changed = true;
    fam.invalidate(f, PreservedAnalyses::none());
  }
}

} // namespace vx
