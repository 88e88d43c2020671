// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Widening/WideLoop.h"
#include "lib/VortexIR/LoopUnits.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {

WideLoop::WideLoop(const ThreadLoop &t, const LaneValues &lanes, const LoopInfo &li, unsigned width,
                   SmallVectorImpl<AllocaInst *> &variables)
    : t(t), lanes(lanes), li(li), width(width), f(*t.header->getParent()), dl(f.getDataLayout()),
      b(f.getContext()), variables(variables) {}

// --- what passes from thread to thread ---

/// A thread may leave a value, of which that of the last thread is used after the loop; and all
/// threads may have their part in a minimum.
bool WideLoop::canCarryValues() {
  return all_of(t.header->phis(), [&](const PHINode &phi) {
    if (&phi == t.index)
      return true;
    bool isUsed =
        any_of(phi.users(), [&](const User *user) { return user != &phi && t.contains(user); });
    return !isUsed || findMinimum(phi);
  });
}

bool WideLoop::findMinimum(const PHINode &phi) {
  SmallVector<const Value *, 8> values = {&phi};
  for (size_t k = 0; k < values.size(); ++k) {
    reduced[values[k]] = &phi;
    for (const User *user : values[k]->users()) {
      const auto *i = cast<Instruction>(user);
      if (!t.contains(i) || reduced.contains(i))
        continue;
      bool isMinimum =
          match(i, m_Intrinsic<Intrinsic::umin>()) && i->getOperand(0) != i->getOperand(1);
      if (!isMinimum && !(isa<PHINode>(i) && i->getParent() != t.header))
        return false;
      values.push_back(i);
    }
  }
  // Nothing else comes into it.
  return reduced.contains(phi.getIncomingValueForBlock(t.latch)) &&
         all_of(values, [&](const Value *v) {
           const auto *other = dyn_cast<PHINode>(v);
           bool isJoin = other && other != &phi;
           return !isJoin || all_of(other->incoming_values(),
                                    [&](const Use &u) { return reduced.lookup(u) == &phi; });
         });
}

void WideLoop::emitMinimum(IntrinsicInst &i) {
  unsigned own = reduced.contains(i.getArgOperand(0)) ? 1 : 0;
  AllocaInst *minimum = minima.at(reduced.at(&i));
  Value *v = vector(i.getArgOperand(own));
  v = b.CreateSelect(mask, v, Constant::getAllOnesValue(v->getType()));
  Value *before = b.CreateLoad(i.getType(), minimum);
  b.CreateStore(b.CreateBinaryIntrinsic(Intrinsic::umin, before, b.CreateIntMinReduce(v)), minimum);
}

// --- the loop over groups ---

void WideLoop::emitGroup(Value *first) {
  forgetLocals();
  resetLevel(*t.loop);
  mask = allLanes();
  defineScalar(t.index, first);
  for (Instruction &i : *t.header)
    if (!isa<PHINode>(i) && !i.isTerminator())
      emitInstruction(i);
  emitLevel(*t.loop);
  forgetLocals();
}

/// Returns true if the loop has one group of threads, and nothing is used after it that its last
/// header would have to compute.
bool WideLoop::isOneGroup() const {
  const auto *limit = dyn_cast<ConstantInt>(t.limit);
  return limit && limit->equalsInt(width) && all_of(t.exit->phis(), [&](const PHINode &phi) {
           const auto *v = dyn_cast<Instruction>(phi.getIncomingValueForBlock(t.header));
           return !v || v->getParent() != t.header || isa<PHINode>(v);
         });
}

/// Emits the group in place of the loop, which nothing leads to then.
void WideLoop::emitOneGroup() {
  BasicBlock *group = block("group");
  t.preheader->getTerminator()->replaceSuccessorWith(t.header, group);
  b.SetInsertPoint(group);
  DenseMap<const Value *, Value *> last = {{t.index, t.limit}};
  for (PHINode &phi : t.header->phis())
    if (reduced.contains(&phi)) {
      minima[&phi] = variable(phi.getType(), "minimum");
      b.CreateStore(phi.getIncomingValueForBlock(t.preheader), minima[&phi]);
    }
  emitGroup(t.first);
  for (PHINode &phi : t.header->phis())
    if (&phi != t.index)
      last[&phi] = nextOf(phi, phi.getIncomingValueForBlock(t.preheader));
  b.CreateBr(t.exit);
  for (PHINode &phi : t.exit->phis()) {
    int k = phi.getBasicBlockIndex(t.header);
    Value *v = phi.getIncomingValue(k);
    auto it = last.find(v);
    phi.addIncoming(it == last.end() ? v : it->second, b.GetInsertBlock());
  }
  // The old loop is unreachable now, and gone with its entries of these phis at the end.
}

/// Emits the value that PHI, which passes from thread to thread, has after a group; it had OWN.
Value *WideLoop::nextOf(PHINode &phi, Value *own) {
  Value *v = phi.getIncomingValueForBlock(t.latch);
  if (reduced.contains(&phi))
    return b.CreateLoad(phi.getType(), minima[&phi]);
  if (lanes.differs(v))
    return laneOf(vector(v), b.getInt64(width - 1), v->getType());
  return v == &phi ? own : scalar(v);
}

void WideLoop::emit() {
  if (isOneGroup())
    return emitOneGroup();
  BasicBlock *groups = block("groups"), *group = block("group"), *rest = block("groups.rest");
  t.preheader->getTerminator()->replaceSuccessorWith(t.header, groups);
  b.SetInsertPoint(t.preheader->getTerminator());
  Type *type = t.index->getType();
  Value *whole = b.CreateAnd(t.limit, ConstantInt::get(type, -uint64_t(width), true), "whole");

  b.SetInsertPoint(groups);
  PHINode *first = b.CreatePHI(type, 2, "first");
  SmallVector<std::pair<PHINode *, PHINode *>, 4> carried;
  for (PHINode &phi : t.header->phis())
    if (&phi != t.index)
      carried.push_back({&phi, b.CreatePHI(phi.getType(), 2, phi.getName())});
  first->addIncoming(t.first, t.preheader);
  for (auto [phi, own] : carried) {
    own->addIncoming(phi->getIncomingValueForBlock(t.preheader), t.preheader);
    if (reduced.contains(phi)) {
      minima[phi] = variable(phi->getType(), "minimum");
      b.CreateStore(own, minima[phi]);
    }
  }
  b.CreateCondBr(b.CreateICmpULT(first, whole), group, rest);

  b.SetInsertPoint(group);
  emitGroup(first);
  SmallVector<Value *, 4> next;
  for (auto [phi, own] : carried)
    next.push_back(nextOf(*phi, own));
  first->addIncoming(b.CreateNUWAdd(first, ConstantInt::get(type, width)), b.GetInsertBlock());
  for (auto [pair, v] : zip(carried, next))
    pair.second->addIncoming(v, b.GetInsertBlock());
  markLoop(*b.CreateBr(groups), LoopUnit::Rest);

  b.SetInsertPoint(rest);
  b.CreateBr(t.header);
  auto startFrom = [&](PHINode &phi, Value *v) {
    int k = phi.getBasicBlockIndex(t.preheader);
    phi.setIncomingBlock(k, rest);
    phi.setIncomingValue(k, v);
  };
  startFrom(*t.index, first);
  for (auto [phi, own] : carried)
    startFrom(*phi, own);
}

} // namespace vx
