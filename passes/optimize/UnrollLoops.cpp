// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-unroll-loops: runs four iterations of small loops that load from memory in one. A warp issues
// its instructions in order and waits for a load where its value is used, so the loads of four
// iterations side by side wait once, and there is one branch instead of four. LLVM's own unrolling
// asks for the number of iterations; in the loops of CUDA kernels,
//
//   for (int i = first; i < n; i += stride)
//
// that is a division by a run-time value for each thread. Here the loop asks whether there are four
// more, which takes a subtraction:
//
//   before:  if (four iterations from here)
//              do { body(i); … body(i + 3 stride); i += 4 stride } while (four more);
//            if (any left)
//              do { body(i); i += stride } while (i < n);
//
// Shape in: innermost loops with one latch, which is the only way out, and an integer compare of an
// induction variable with an invariant there. Loops whose threads synchronize are left alone: lanes
// with different numbers of iterations diverge in a different place now.

#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
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
constexpr unsigned kMaxInstructions = 32;
constexpr StringLiteral kDone = "llvm.loop.unroll.disable";

/// A loop that can be unrolled: it goes on while CONTROL PREDICATE BOUND holds at its latch.
struct Candidate {
  Loop *loop;
  ICmpInst::Predicate predicate;
  Value *control, *bound;      // the compare's operands
  const SCEVAddRecExpr *range; // of CONTROL
};

class LoopUnroller {
public:
  LoopUnroller(Function &f, LoopInfo &li, ScalarEvolution &se)
      : f(f), li(li), se(se), expander(se, "unroll") {}

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

  /// True if the distance to the bound tells how many iterations are left.
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

  static bool isWorthIt(const Loop &loop) {
    unsigned instructions = 0, loads = 0;
    for (const BasicBlock *bb : loop.blocks())
      for (const Instruction &i : *bb) {
        const auto *call = dyn_cast<CallBase>(&i);
        const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
        if ((call && (!intrinsic || call->isConvergent())) || i.isAtomic() || i.isVolatile() ||
            isa<AllocaInst>(i))
          return false;
        if (const auto *load = dyn_cast<LoadInst>(&i))
          loads += !loop.isLoopInvariant(load->getPointerOperand());
        instructions += !i.isDebugOrPseudoInst();
      }
    return loads != 0 && instructions <= kMaxInstructions;
  }

  /// Emits whether at least MORE iterations follow an iteration that ends with CONTROL.
  Value *hasMore(IRBuilderBase &b, const Candidate &c, Value *control, Value *step, unsigned more) {
    Type *type = control->getType();
    // The control variable has not passed the bound if the next iteration may run, and is that far
    // from it then.
    Value *left = b.CreateSub(c.bound, control);
    Value *enough = b.CreateICmpULT(b.CreateMul(step, ConstantInt::get(type, more - 1)), left);
    if (c.predicate == ICmpInst::ICMP_NE)
      return enough;
    return b.CreateAnd(b.CreateICmp(c.predicate, control, c.bound), enough);
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
    IRBuilder<> b(ctx);
    for (unsigned k = 0; k < kCount; ++k) {
      Instruction *old = cast<BasicBlock>(maps[k][latch])->getTerminator();
      b.SetInsertPoint(old);
      if (k + 1 < kCount)
        b.CreateBr(cast<BasicBlock>(maps[k + 1][header]));
      else
        b.CreateCondBr(hasMore(b, c, inCopy(c.control, k), step, kCount), first, fastEnd)
            ->setMetadata(LLVMContext::MD_loop, doneMark());
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

    // Around it. A stride of zero or less, or one so large that three of them wrap, is the rest's.
    b.SetInsertPoint(before->getTerminator());
    Type *type = start->getType();
    unsigned bits = type->getIntegerBitWidth();
    Value *canStep = b.CreateICmpULT(b.CreateSub(step, ConstantInt::get(type, 1)),
                                     ConstantInt::get(type, APInt::getOneBitSet(bits, bits - 2)));
    Value *isLong = b.CreateAnd(canStep, hasMore(b, c, start, step, kCount - 1), "four");
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

  MDNode *doneMark() {
    LLVMContext &ctx = f.getContext();
    MDNode *mark = MDNode::getDistinct(ctx, {nullptr, MDNode::get(ctx, MDString::get(ctx, kDone))});
    mark->replaceOperandWith(0, mark);
    return mark;
  }

  Function &f;
  LoopInfo &li;
  ScalarEvolution &se;
  SCEVExpander expander;
};

} // namespace

PreservedAnalyses UnrollLoopsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  bool changed = false;
  for (;;) {
    FunctionPassManager prepare;
    prepare.addPass(LoopSimplifyPass());
    prepare.addPass(LCSSAPass());
    changed |= !prepare.run(f, fam).areAllPreserved();
    if (!LoopUnroller(f, fam.getResult<LoopAnalysis>(f), fam.getResult<ScalarEvolutionAnalysis>(f))
             .run())
      break;
    changed = true;
    fam.invalidate(f, PreservedAnalyses::none());
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
