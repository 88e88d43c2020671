// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Widening/LaneValues.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {

/// Returns what the branch of BB depends on; null if it goes one way only.
static const Value *conditionOf(const BasicBlock &bb) {
  const auto *br = cast<BranchInst>(bb.getTerminator());
  return br->isConditional() ? br->getCondition() : nullptr;
}

static bool hasOneExit(const Loop &loop) {
  SmallVector<Loop::Edge, 4> exits;
  loop.getExitEdges(exits);
  return exits.size() == 1;
}

LaneValues::LaneValues(const ThreadLoop &t, const LoopInfo &li, const DominatorTree &dt,
                       const PostDominatorTree &pdt, unsigned width)
    : t(t), li(li), dt(dt), pdt(pdt), dl(t.header->getDataLayout()), width(width) {
  ReversePostOrderTraversal<Function *> rpo(t.header->getParent());
  copy_if(rpo, std::back_inserter(order), [&](BasicBlock *bb) { return t.loop->contains(bb); });
  for (const BasicBlock *bb : order)
    meetingPoints[bb] = bb == t.header ? nullptr : findMeetingPoint(bb);
  differing.insert(t.index);
  do
    findPaths();
  while (findDifferences());
  findStrides();
}

std::optional<int64_t> LaneValues::strideOf(const Value *v) const {
  if (!differs(v))
    return 0;
  auto it = strides.find(v);
  return it == strides.end() ? std::nullopt : std::optional(it->second);
}

// --- paths ---

bool LaneValues::isHeadOfLevel(const BasicBlock *bb) const {
  return bb == t.entry || li.getLoopFor(bb)->getHeader() == bb;
}

const BasicBlock *LaneValues::findMeetingPoint(const BasicBlock *bb) const {
  if (isHeadOfLevel(bb))
    return nullptr;
  const Loop *level = li.getLoopFor(bb);
  const auto *node = dt.getNode(bb)->getIDom();
  // Lanes that an inner loop has kept apart are together again where that loop was entered.
  while (level->contains(node->getBlock()) && li.getLoopFor(node->getBlock()) != level)
    node = node->getIDom();
  const BasicBlock *from = node->getBlock();
  if (from == t.header || !level->contains(from) || !pdt.dominates(bb, from))
    return nullptr;
  return from;
}

unsigned LaneValues::joinPaths(const BasicBlock *bb) {
  if (const BasicBlock *from = meetingPointOf(bb))
    return paths.lookup(from);
  SmallSet<unsigned, 4> incoming;
  for (const BasicBlock *from : predecessors(bb))
    incoming.insert(edgePaths.lookup({from, bb}));
  return incoming.size() == 1 ? *incoming.begin() : ++numPaths;
}

/// Finds the paths, and again with each loop that some lanes turn out to leave before others.
void LaneValues::findPaths() {
  do {
    paths.clear();
    edgePaths.clear();
    ownPaths.clear();
    numPaths = 0;
    for (const BasicBlock *bb : order)
      if (bb != t.header)
        findPaths(*bb);
  } while (findSplitLoops());
}

void LaneValues::findPaths(const BasicBlock &bb) {
  const Loop *level = li.getLoopFor(&bb);
  auto entryPath = [&] {
    return edgePaths.lookup({level->getLoopPreheader(), level->getHeader()});
  };
  bool isNew = &bb == t.entry || (level->getHeader() == &bb && !leavesTogether(*level));
  paths[&bb] = isNew ? ++numPaths : level->getHeader() == &bb ? entryPath() : joinPaths(&bb);
  bool same = !differs(conditionOf(bb));
  for (const BasicBlock *to : successors(&bb)) {
    bool leaves = level != t.loop && !level->contains(to);
    // All lanes come out at the only exit, at once or one by one.
    bool staysTogether = leaves ? leavesTogether(*level) || hasOneExit(*level) : same;
    if (!staysTogether)
      ownPaths.insert({&bb, to});
    edgePaths[{&bb, to}] = !staysTogether ? ++numPaths : leaves ? entryPath() : paths[&bb];
  }
}

bool LaneValues::findSplitLoops() {
  bool found = false;
  for (const Loop *inner : t.loop->getLoopsInPreorder()) {
    if (inner == t.loop || !leavesTogether(*inner))
      continue;
    SmallVector<Loop::Edge, 4> exits;
    inner->getExitEdges(exits);
    if (any_of(exits, [&](const Loop::Edge &e) {
          return paths.lookup(e.first) != paths.lookup(inner->getHeader()) ||
                 differs(conditionOf(*e.first));
        }))
      found = split.insert(inner).second;
  }
  return found;
}

// --- differences ---

bool LaneValues::findDifferences() {
  bool found = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock *bb : order)
      for (const Instruction &i : *bb)
        if (!i.getType()->isVoidTy() && !differs(&i) && becomesDifferent(i))
          found = changed = differing.insert(&i).second;
  }
  return found;
}

bool LaneValues::becomesDifferent(const Instruction &i) const {
  if (const auto *phi = dyn_cast<PHINode>(&i))
    return isPhiDifferent(*phi);
  if (isa<AtomicRMWInst>(i))
    return true;
  return any_of(i.operands(), [&](const Use &u) { return differs(u); }) && !dropsLane(i);
}

bool LaneValues::isPhiDifferent(const PHINode &phi) const {
  const BasicBlock *bb = phi.getParent();
  const Loop *level = li.getLoopFor(bb);
  if (any_of(phi.incoming_values(), [&](const Use &u) { return differs(u); }))
    return true;
  if (level->getHeader() == bb) // in one iteration, all lanes that are still there have one value
    return false;
  unsigned first = edgePaths.lookup({phi.getIncomingBlock(0u), bb});
  bool leavesLoop = false;
  for (const BasicBlock *from : phi.blocks()) {
    const Loop *inner = li.getLoopFor(from);
    leavesLoop |= inner != level && !leavesTogether(*inner);
    if (edgePaths.lookup({from, bb}) != first && !phi.hasConstantValue())
      return true;
  }
  if (!leavesLoop)
    return false;
  // Lanes have left the loop in different iterations.
  return any_of(phi.incoming_values(), [&](const Use &u) {
    const auto *i = dyn_cast<Instruction>(u);
    return i && !level->isLoopInvariant(i) && li.getLoopFor(i->getParent()) != level;
  });
}

/// Returns true if I has the same value for all numbers of a group, although they differ: the
/// number of the group, or of several.
bool LaneValues::dropsLane(const Instruction &i) const {
  const APInt *c;
  uint64_t size = 0;
  Value *x;
  if (match(&i, m_LShr(m_Value(x), m_APInt(c))) || match(&i, m_AShr(m_Value(x), m_APInt(c))))
    size = c->ult(63) ? uint64_t(1) << c->getZExtValue() : 0;
  else if (match(&i, m_UDiv(m_Value(x), m_APInt(c))))
    size = c->getLimitedValue();
  else if (match(&i, m_And(m_Value(x), m_APInt(c))) && !c->isZero())
    size = uint64_t(1) << std::min(c->countr_zero(), 62u);
  return size && size % width == 0 && isLanePlusMultiple(x);
}

/// Returns true if V is the number of the lane plus a multiple of the width.
bool LaneValues::isLanePlusMultiple(const Value *v) const {
  if (v == t.index)
    return true;
  Value *x, *y;
  if (!t.contains(v))
    return false;
  if (match(v, m_ZExtOrSExt(m_Value(x))) || match(v, m_Freeze(m_Value(x))))
    return isLanePlusMultiple(x);
  if (!match(v, m_AddLike(m_Value(x), m_Value(y))))
    return false;
  if (differs(x) == differs(y))
    return false;
  const Value *own = differs(x) ? x : y, *other = own == x ? y : x;
  return isLanePlusMultiple(own) &&
         computeKnownBits(other, dl).countMinTrailingZeros() >= Log2_32(width);
}

// --- strides ---

/// Strides are computed without overflow up to here. From kFarToExtend on, neighbours may be on
/// both sides of a narrow type's end; nearer ones are there only where a program would access both
/// ends of the address space of an index of 32 bits.
static constexpr int64_t kFarthest = int64_t(1) << 40, kFarToExtend = 1 << 12;

void LaneValues::findStrides() {
  strides[t.index] = 1;
  for (const BasicBlock *bb : order)
    for (const Instruction &i : *bb)
      if (differs(&i) && &i != t.index)
        if (auto stride = computeStride(i); stride && std::abs(*stride) < kFarthest)
          strides[&i] = *stride;
}

std::optional<int64_t> LaneValues::computeStride(const Instruction &i) const {
  auto of = [&](unsigned k) { return strideOf(i.getOperand(k)); };
  auto x = i.getNumOperands() ? of(0) : std::nullopt;
  const APInt *c;
  if (const auto *phi = dyn_cast<PHINode>(&i)) {
    // An induction variable of an inner loop that starts at a number with a stride.
    const Loop *level = li.getLoopFor(phi->getParent());
    if (level == t.loop || level->getHeader() != phi->getParent())
      return std::nullopt;
    auto start = strideOf(phi->getIncomingValueForBlock(level->getLoopPreheader()));
    const Value *next = phi->getIncomingValueForBlock(level->getLoopLatch());
    Value *step;
    bool steps = match(next, m_c_Add(m_Specific(phi), m_Value(step))) ||
                 match(next, m_GEP(m_Specific(phi), m_Value(step)));
    return steps && !differs(step) ? start : std::nullopt;
  }
  if (!x)
    return std::nullopt;
  switch (i.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    if (auto y = of(1))
      return i.getOpcode() == Instruction::Add ? *x + *y : *x - *y;
    return std::nullopt;
  case Instruction::Or:
    if (auto y = of(1); y && cast<PossiblyDisjointInst>(i).isDisjoint())
      return *x + *y;
    return std::nullopt;
  case Instruction::Mul:
    if (match(i.getOperand(1), m_APInt(c)) && c->getSignificantBits() <= 20)
      return *x * c->getSExtValue();
    return std::nullopt;
  case Instruction::Shl:
    if (match(i.getOperand(1), m_APInt(c)) && c->ult(20))
      return *x * (int64_t(1) << c->getZExtValue());
    return std::nullopt;
  case Instruction::And:
    // The lane alone, or with the number of the group among some.
    if (match(i.getOperand(1), m_APInt(c)) && c->isMask() && *x == 1 &&
        c->countr_one() >= Log2_32(width) && isLanePlusMultiple(i.getOperand(0)))
      return 1;
    return std::nullopt;
  case Instruction::SExt:
  case Instruction::ZExt:
    if (i.getOperand(0)->getType()->getScalarSizeInBits() >= 32 && std::abs(*x) < kFarToExtend)
      return x;
    return std::nullopt;
  case Instruction::Trunc:
  case Instruction::Freeze:
    return x;
  case Instruction::GetElementPtr: {
    int64_t sum = *x;
    const auto &gep = cast<GetElementPtrInst>(i);
    for (auto it = gep_type_begin(gep), e = gep_type_end(gep); it != e; ++it) {
      auto y = strideOf(it.getOperand());
      if (!y || (*y && it.isStruct()))
        return std::nullopt;
      if (*y)
        sum += *y * int64_t(it.getSequentialElementStride(dl));
    }
    return sum;
  }
  default:
    return std::nullopt;
  }
}

} // namespace vx
