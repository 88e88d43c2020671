// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/SingleLane.h"
#include "lib/VortexIR/SameComputation.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {
namespace {

/// Coordinates that are known to have one value, as bits; all of them: one thread.
enum Fixed : unsigned { kNone = 0, kX = 1, kY = 2, kZ = 4, kThread = 7 };

class Conditions {
public:
  explicit Conditions(UniformityInfo &warp) : warp(warp) {}

  /// Returns what is fixed where COND is HOLDS.
  unsigned fixedBy(const Value *cond, bool holds, unsigned steps = 0) const {
    const Value *x, *y;
    if (steps > kMaxSteps)
      return kNone;
    if (match(cond, m_Not(m_Value(x))))
      return fixedBy(x, !holds, steps + 1);
    if (holds ? match(cond, m_LogicalAnd(m_Value(x), m_Value(y)))
              : match(cond, m_LogicalOr(m_Value(x), m_Value(y))))
      return fixedBy(x, holds, steps + 1) | fixedBy(y, holds, steps + 1);
    const auto *compare = dyn_cast<ICmpInst>(cond);
    if (!compare || compare->getPredicate() != (holds ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE))
      return kNone;
    x = compare->getOperand(0);
    y = compare->getOperand(1);
    if (isUniform(x))
      std::swap(x, y);
    return isUniform(y) ? fixedWith(x, match(y, m_Zero())) : unsigned(kNone);
  }

private:
  bool isUniform(const Value *v) const { return isa<Constant>(v) || !warp.isDivergent(v); }

  /// Returns what is fixed where V has one value, maybe zero.
  unsigned fixedWith(const Value *v, bool zero, unsigned steps = 0) const {
    const Value *x, *y;
    const APInt *c;
    if (steps > kMaxSteps)
      return kNone;
    auto fixed = [&](const Value *of, bool isZero = false) {
      return fixedWith(of, isZero, steps + 1);
    };
    if (auto fn = getVxFn(v))
      return *fn == VxFn::ThreadIdxX   ? kX
             : *fn == VxFn::ThreadIdxY ? kY
             : *fn == VxFn::ThreadIdxZ ? kZ
             : *fn == VxFn::LaneId     ? kThread
                                       : kNone;
    if (match(v, m_ZExtOrSExt(m_Value(x))))
      return fixed(x, zero);
    // Threads of a warp have neighbouring numbers.
    if (match(v, m_And(m_Value(x), m_APInt(c))))
      return c->countr_one() >= kWarpShift ? fixed(x, zero && c->isMask()) : kNone;
    if (match(v, m_URem(m_Value(x), m_APInt(c))))
      return c->isPowerOf2() && c->uge(kWarpSize) ? fixed(x) : kNone;
    if (zero && match(v, m_Or(m_Value(x), m_Value(y))))
      return fixed(x, true) | fixed(y, true);
    if (match(v, m_Add(m_Value(x), m_Value(y))) || match(v, m_Sub(m_Value(x), m_Value(y))) ||
        match(v, m_Xor(m_Value(x), m_Value(y))) || match(v, m_DisjointOr(m_Value(x), m_Value(y)))) {
      if (isUniform(y))
        return fixed(x);
      if (isUniform(x))
        return fixed(y);
      // threadIdx.x + blockDim.x * (threadIdx.y + …) numbers the threads of the block.
      if (match(x, m_Mul(m_Value(), m_Value())))
        std::swap(x, y);
      return match(y, m_Mul(m_Value(), m_Value())) && (fixed(x) & kX) ? kThread : kNone;
    }
    return kNone;
  }

  UniformityInfo &warp;
};

/// Returns the coordinates that differ between threads, as far as F is concerned.
unsigned coordinatesOf(const Function &f) {
  unsigned used = kX;
  for (const Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i))
      used |= *fn == VxFn::ThreadIdxY ? kY : *fn == VxFn::ThreadIdxZ ? kZ : kNone;
  return used;
}

} // namespace

bool runsInSingleLane(const BasicBlock &bb, const DominatorTree &dt, UniformityInfo &warp) {
  const Conditions conditions(warp);
  const unsigned all = coordinatesOf(*bb.getParent());
  unsigned fixed = kNone;
  for (const DomTreeNode *node = dt.getNode(&bb); node && node->getIDom(); node = node->getIDom()) {
    const BasicBlock *above = node->getIDom()->getBlock();
    const auto *br = dyn_cast<BranchInst>(above->getTerminator());
    if (!br || !br->isConditional() || br->getSuccessor(0) == br->getSuccessor(1))
      continue;
    for (unsigned way : {0u, 1u})
      if (dt.dominates(BasicBlockEdge(above, br->getSuccessor(way)), node->getBlock()))
        fixed |= conditions.fixedBy(br->getCondition(), way == 0);
    if ((fixed & all) == all)
      return true;
  }
  return false;
}

} // namespace vx
