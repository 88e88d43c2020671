// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of a group: blocks in a row, and masks.

#include "lib/Widening/WideLoop.h"

using namespace llvm;

namespace vx {

/// Blocks with few instructions that do no harm are executed even if no lane comes there.
bool WideLoop::isCheap(const BasicBlock &bb) const {
  constexpr unsigned kFew = 6;
  const BasicBlock *to = bb.getSingleSuccessor();
  return bb.size() <= kFew && to && li.getLoopFor(to) == li.getLoopFor(&bb) &&
         all_of(bb, [&](const Instruction &i) {
           return i.isTerminator() || isa<PHINode>(i) ||
                  (isSafeToSpeculativelyExecute(&i) && !i.mayReadOrWriteMemory() &&
                   (!isa<CallBase>(i) || isa<IntrinsicInst>(i)) && !reduced.contains(&i));
         });
}

// --- paths and masks ---

bool WideLoop::runsAlways(const BasicBlock *bb) const {
  while (const BasicBlock *from = lanes.meetingPointOf(bb))
    bb = from;
  return bb == t.entry || li.getLoopFor(bb)->getHeader() == bb;
}

Value *WideLoop::maskOf(unsigned path) {
  auto it = masks.find(path);
  if (it == masks.end())
    return allLanes();
  return b.CreateLoad(wide(b.getInt1Ty()), it->second);
}

Value *WideLoop::takenOf(Edge edge) {
  return b.CreateLoad(b.getInt1Ty(), taken.at(edge));
}

Value *WideLoop::maskOf(Edge edge) {
  Value *whole = maskOf(lanes.pathOf(edge));
  return lanes.hasOwnPath(edge) ? whole : b.CreateSelect(takenOf(edge), whole, noLane());
}

void WideLoop::take(Edge edge, Value *whether) {
  b.CreateStore(whether, taken.at(edge));
}

/// No lane has come anywhere in the iteration of LEVEL that begins.
void WideLoop::resetLevel(const Loop &level) {
  auto clear = [&](AllocaInst *&v, Constant *to, const Twine &name) {
    if (!v)
      v = variable(to->getType(), name);
    b.CreateStore(to, v);
  };
  for (const BasicBlock *bb : lanes.blocks()) {
    const Loop *own = li.getLoopFor(bb);
    if (bb == t.header || !level.contains(bb))
      continue;
    if (own == &level)
      clear(ran[bb], b.getFalse(), "ran");
    for (const BasicBlock *to : successors(bb)) {
      // An exit is of the level that it leads to.
      bool isOwn = own == &level && level.contains(to);
      bool isExit = own != &level && own->getParentLoop() == &level && !own->contains(to);
      if (!isOwn && !isExit)
        continue;
      clear(taken[{bb, to}], b.getFalse(), "taken");
      if (lanes.hasOwnPath({bb, to}))
        clear(masks[lanes.pathOf(Edge(bb, to))], noLane(), "mask");
    }
  }
}

Value *WideLoop::enterBlock(const BasicBlock &bb) {
  unsigned path = lanes.pathOf(&bb);
  if (runsAlways(&bb)) {
    mask = maskOf(path);
    return nullptr;
  }
  if (const BasicBlock *from = lanes.meetingPointOf(&bb)) {
    mask = maskOf(path);
    return b.CreateLoad(b.getInt1Ty(), ran.at(from));
  }
  bool isJoin = any_of(predecessors(&bb), [&](const BasicBlock *from) {
    return lanes.pathOf(Edge(from, &bb)) != path;
  });
  if (isJoin) {
    Value *all = noLane();
    for (const BasicBlock *from : predecessors(&bb))
      all = either(all, maskOf(Edge(from, &bb)));
    AllocaInst *&kept = masks[path];
    if (!kept)
      kept = variable(wide(b.getInt1Ty()), "mask");
    b.CreateStore(all, kept);
    mask = all;
    return any(all);
  }
  mask = maskOf(path);
  Value *whether = b.getFalse();
  for (const BasicBlock *from : predecessors(&bb))
    whether = b.CreateOr(whether, takenOf({from, &bb}));
  return whether;
}

// --- blocks ---

void WideLoop::emitLevel(const Loop &level) {
  for (const BasicBlock *bb : lanes.blocks())
    if (bb != t.header && li.getLoopFor(bb) == &level)
      emitBlock(*bb);
}

void WideLoop::emitBlock(const BasicBlock &bb) {
  forgetLocals();
  Value *whether = enterBlock(bb);
  BasicBlock *after = nullptr;
  if (whether && !isCheap(bb)) {
    BasicBlock *run = block("wide.run");
    after = block("wide.after");
    b.CreateCondBr(whether, run, after);
    b.SetInsertPoint(run);
    whether = nullptr;
  }
  runs = whether ? whether : b.getTrue();
  b.CreateStore(runs, ran.at(&bb));
  const Loop *level = li.getLoopFor(&bb);
  bool isInnerHeader = level != t.loop && level->getHeader() == &bb;
  for (const Instruction &i : bb) {
    if (const auto *phi = dyn_cast<PHINode>(&i)) {
      if (!isInnerHeader && !reduced.contains(phi))
        emitPhi(*phi);
      continue;
    }
    b.SetCurrentDebugLocation(i.getDebugLoc());
    if (const auto *br = dyn_cast<BranchInst>(&i))
      emitBranch(*br);
    else
      emitInstruction(const_cast<Instruction &>(i));
  }
  if (after) {
    b.CreateBr(after);
    b.SetInsertPoint(after);
  }
  forgetLocals();
}

Value *WideLoop::incoming(const PHINode &phi, unsigned k, bool asVector) {
  const BasicBlock *from = phi.getIncomingBlock(k);
  if (auto it = left.find({&phi, from}); it != left.end())
    return b.CreateLoad(wide(phi.getType()), it->second);
  return operand(phi.getIncomingValue(k), asVector);
}

void WideLoop::emitPhi(const PHINode &phi) {
  const BasicBlock *bb = phi.getParent();
  bool asVector = lanes.differs(&phi);
  Value *v = nullptr;
  unsigned first = lanes.pathOf(Edge(phi.getIncomingBlock(0u), bb));
  bool samePath = all_of(
      phi.blocks(), [&](const BasicBlock *from) { return lanes.pathOf(Edge(from, bb)) == first; });
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    Value *in = incoming(phi, k, asVector);
    if (!v) {
      v = in;
      continue;
    }
    Edge edge{phi.getIncomingBlock(k), bb};
    if (in != v)
      v = b.CreateSelect(samePath || !asVector ? takenOf(edge) : maskOf(edge), in, v);
  }
  asVector ? defineVector(&phi, v) : defineScalar(&phi, v);
}

void WideLoop::emitBranch(const BranchInst &br) {
  const BasicBlock *bb = br.getParent();
  const Loop *level = li.getLoopFor(bb);
  if (!br.isConditional()) {
    const BasicBlock *to = br.getSuccessor(0);
    if (to == t.header) // the end of the turn
      return;
    const Loop *inner = li.getLoopFor(to);
    if (inner != level && inner->getParentLoop() == level && inner->getHeader() == to)
      return emitInner(*inner);
    return take({bb, to}, runs);
  }
  if (level != t.loop && level->isLoopExiting(bb))
    return emitExit(br, *level);
  Value *condition = operand(br.getCondition(), lanes.differs(br.getCondition()));
  for (unsigned k : {0, 1}) {
    Edge edge{bb, br.getSuccessor(k)};
    Value *own = k ? b.CreateNot(condition) : condition;
    if (!lanes.hasOwnPath(edge)) {
      take(edge, own);
      continue;
    }
    Value *come = both(mask, own);
    b.CreateStore(come, masks.at(lanes.pathOf(edge)));
    take(edge, any(come));
  }
}

// --- inner loops ---

void WideLoop::emitExit(const BranchInst &br, const Loop &level) {
  const BasicBlock *bb = br.getParent();
  unsigned out = level.contains(br.getSuccessor(0)) ? 1 : 0;
  Edge exit{bb, br.getSuccessor(out)}, other{bb, br.getSuccessor(1 - out)};
  if (lanes.leavesTogether(level)) {
    Value *leaves = scalar(br.getCondition());
    BasicBlock *leaving = block("wide.leave"), *stay = block("wide.stay");
    b.CreateCondBr(leaves, out ? stay : leaving, out ? leaving : stay);
    b.SetInsertPoint(leaving);
    take(exit, b.getTrue());
    b.CreateBr(ends.back());
    b.SetInsertPoint(stay);
    take(other, b.getTrue());
    return;
  }
  Value *condition = vector(br.getCondition());
  Value *leaving = both(mask, out ? b.CreateNot(condition) : condition);
  Value *staying = both(mask, out ? condition : b.CreateNot(condition));
  leave(exit, leaving);
  if (!lanes.hasOwnPath(other)) { // a uniform condition, to which only some lanes come
    Value *leaves = scalar(br.getCondition());
    return take(other, out ? leaves : b.CreateNot(leaves));
  }
  b.CreateStore(staying, masks.at(lanes.pathOf(other)));
  take(other, any(staying));
}

/// The lanes LEAVING go through EDGE for good: what they take with them is kept.
void WideLoop::leave(Edge edge, Value *leaving) {
  for (const PHINode &phi : edge.second->phis()) {
    if (!lanes.differs(&phi))
      continue;
    AllocaInst *kept = left.at({&phi, edge.first});
    Value *before = b.CreateLoad(wide(phi.getType()), kept);
    Value *own = vector(phi.getIncomingValueForBlock(edge.first));
    b.CreateStore(b.CreateSelect(leaving, own, before), kept);
  }
  if (!lanes.hasOwnPath(edge))
    return;
  AllocaInst *gone = masks.at(lanes.pathOf(edge));
  b.CreateStore(either(b.CreateLoad(wide(b.getInt1Ty()), gone), leaving), gone);
}

void WideLoop::emitInner(const Loop &inner) {
  const BasicBlock *header = inner.getHeader(), *latch = inner.getLoopLatch();
  bool together = lanes.leavesTogether(inner);
  auto carry = [&](const BasicBlock *from) {
    SmallVector<std::pair<const PHINode *, Value *>, 8> next;
    for (const PHINode &phi : header->phis()) {
      bool asVector = lanes.differs(&phi) && !lanes.strideOf(&phi);
      next.push_back({&phi, operand(phi.getIncomingValueForBlock(from), asVector)});
    }
    for (auto [phi, v] : next)
      lanes.differs(phi) && !lanes.strideOf(phi) ? defineVector(phi, v) : defineScalar(phi, v);
  };
  carry(inner.getLoopPreheader());
  SmallVector<Loop::Edge, 4> exits;
  inner.getExitEdges(exits);
  AllocaInst *live = nullptr;
  if (!together) {
    AllocaInst *&kept = masks[lanes.pathOf(header)];
    if (!kept)
      kept = variable(wide(b.getInt1Ty()), "live");
    live = kept;
    b.CreateStore(mask, live);
    for (const Loop::Edge &exit : exits)
      for (const PHINode &phi : exit.second->phis()) {
        if (!lanes.differs(&phi))
          continue;
        AllocaInst *&slot = left[{&phi, exit.first}];
        if (!slot)
          slot = variable(wide(phi.getType()), phi.getName());
        b.CreateStore(PoisonValue::get(wide(phi.getType())), slot);
      }
  }
  BasicBlock *body = block("wide.inner"), *end = block("wide.inner.end");
  b.CreateBr(body);
  b.SetInsertPoint(body);
  resetLevel(inner);
  ends.push_back(end);
  emitLevel(inner);
  ends.pop_back();
  forgetLocals();
  carry(latch);
  if (together) {
    b.CreateBr(body);
  } else {
    Value *staying = maskOf(Edge(latch, header));
    b.CreateStore(staying, live);
    b.CreateCondBr(any(staying), body, end);
  }
  b.SetInsertPoint(end);
  forgetLocals();
  if (!together)
    for (const Loop::Edge &exit : exits) {
      Edge edge{exit.first, exit.second};
      take(edge, lanes.hasOwnPath(edge) ? any(maskOf(lanes.pathOf(edge))) : b.getTrue());
    }
}

} // namespace vx
