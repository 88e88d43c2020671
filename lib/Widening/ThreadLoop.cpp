// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Widening/ThreadLoop.h"
#include "lib/VortexIR/LoopUnits.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {

std::optional<ThreadLoop> matchThreadLoop(Loop &loop, const LoopInfo &li) {
  if (loopUnitOf(loop.getLoopID()) != LoopUnit::Thread || !loop.isLoopSimplifyForm())
    return std::nullopt;
  ThreadLoop t{&loop,
               nullptr,
               nullptr,
               nullptr,
               loop.getLoopPreheader(),
               loop.getHeader(),
               nullptr,
               loop.getLoopLatch(),
               loop.getExitBlock()};
  if (!t.exit || loop.getExitingBlock() != t.header || t.header == t.latch)
    return std::nullopt;
  auto *br = dyn_cast<BranchInst>(t.header->getTerminator());
  CmpPredicate predicate;
  Value *index;
  if (!br || !br->isConditional() ||
      !match(br->getCondition(), m_ICmp(predicate, m_Value(index), m_Value(t.limit))))
    return std::nullopt;
  bool staysIfTrue = loop.contains(br->getSuccessor(0));
  t.entry = br->getSuccessor(staysIfTrue ? 0 : 1);
  if (!staysIfTrue)
    predicate = ICmpInst::getInverseCmpPredicate(predicate);
  t.index = dyn_cast<PHINode>(index);
  bool counts = predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_NE;
  if (!counts || !t.index || t.index->getParent() != t.header || !loop.isLoopInvariant(t.limit))
    return std::nullopt;
  t.first = t.index->getIncomingValueForBlock(t.preheader);
  if (!match(t.index->getIncomingValueForBlock(t.latch), m_Add(m_Specific(t.index), m_One())) ||
      !match(t.first, m_Zero()))
    return std::nullopt;
  for (const Loop *inner : loop.getLoopsInPreorder()) {
    if (inner == &loop)
      continue;
    SmallVector<Loop::Edge, 4> exits;
    inner->getExitEdges(exits);
    bool oneLevel = all_of(exits, [&](const Loop::Edge &e) {
      return li.getLoopFor(e.second) == inner->getParentLoop();
    });
    if (!inner->isLoopSimplifyForm() || !oneLevel)
      return std::nullopt;
  }
  return t;
}

static bool isElement(const Type *type) {
  return VectorType::isValidElementType(const_cast<Type *>(type)) && !type->isX86_FP80Ty() &&
         !type->isFP128Ty();
}
static bool isElementInMemory(const Type *type) {
  return isElement(type) && (type->isPointerTy() || type->getPrimitiveSizeInBits() % 8 == 0);
}

bool isCalledByLane(const CallBase &call) {
  bool simple = (call.getType()->isVoidTy() || isElement(call.getType())) &&
                all_of(call.args(), [](const Use &u) { return isElement(u->getType()); });
  return simple && call.onlyReadsMemory() && call.doesNotThrow();
}

static bool hasWideForm(const CallBase &call) {
  if (const auto *copy = dyn_cast<MemCpyInst>(&call))
    return !copy->isVolatile() && isa<ConstantInt>(copy->getLength());
  if (call.isInlineAsm() && call.arg_empty())
    return call.getType()->isVoidTy() || call.doesNotAccessMemory();
  auto id = call.getIntrinsicID();
  if (const auto *i = dyn_cast<IntrinsicInst>(&call); i && i->isAssumeLikeIntrinsic())
    return true;
  return isTriviallyVectorizable(id) || isCalledByLane(call);
}

/// Returns true if I, in a loop within the loop over threads, may tell a thread what another one
/// has done meanwhile. Such loops may be those in which threads wait for each other.
static bool observesOthers(const Instruction &i) {
  return isa<AtomicRMWInst>(i) && !i.use_empty();
}

StringRef findObstacle(const ThreadLoop &t, const LoopInfo &li) {
  LoopBlocksRPO order(t.loop);
  order.perform(&li);
  if (containsIrreducibleCFG<const BasicBlock *>(order, li))
    return "a loop with several entries";
  for (const BasicBlock *bb : t.loop->blocks()) {
    const auto *br = dyn_cast<BranchInst>(bb->getTerminator());
    if (!br || (br->isConditional() && br->getSuccessor(0) == br->getSuccessor(1)))
      return "a terminator other than a branch";
    bool isInner = li.getLoopFor(bb) != t.loop;
    for (const Instruction &i : *bb) {
      if (isa<BranchInst>(i))
        continue;
      if (!i.getType()->isVoidTy() && !isElement(i.getType()))
        return "a value that cannot be an element of a vector";
      if (isInner && observesOthers(i))
        return "a loop with atomic operations whose results are used";
      if (const auto *load = dyn_cast<LoadInst>(&i)) {
        if (!load->isSimple() || !isElementInMemory(load->getType()))
          return "a volatile or atomic load, or one of bits";
      } else if (const auto *store = dyn_cast<StoreInst>(&i)) {
        if (!store->isSimple() || !isElementInMemory(store->getValueOperand()->getType()))
          return "a store of another kind";
      } else if (const auto *atomic = dyn_cast<AtomicRMWInst>(&i)) {
        if (atomic->isVolatile())
          return "a volatile atomic operation";
      } else if (const auto *call = dyn_cast<CallBase>(&i)) {
        if (!hasWideForm(*call))
          return "a call that must be made thread by thread";
      } else if (!isa<PHINode, BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
                      GetElementPtrInst, FreezeInst, FenceInst>(i)) {
        return "an instruction without a wide form";
      }
    }
  }
  return "";
}

} // namespace vx
