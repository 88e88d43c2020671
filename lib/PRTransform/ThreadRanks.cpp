// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/ThreadRanks.h"
#include "lib/VortexIR/VxFunctions.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {

/// As computeFromGroup; EMITGROUP emits RANK >> SHIFT.
static Value *computeFrom(Instruction &user, const Value *rank, unsigned shift,
                          function_ref<Value *(IRBuilderBase &)> emitGroup) {
  IRBuilder<> b(&user);
  const APInt *c;
  CmpPredicate predicate;
  auto group = [&] { return emitGroup(b); };
  if (match(&user, m_LShr(m_Specific(rank), m_APInt(c))) && c->uge(shift) && c->ult(32))
    return b.CreateLShr(group(), c->getZExtValue() - shift);
  if (match(&user, m_And(m_Specific(rank), m_APInt(c))) && c->countr_zero() >= shift)
    return b.CreateAnd(b.CreateShl(group(), shift), *c);
  if (!match(&user, m_ICmp(predicate, m_Specific(rank), m_APInt(c))))
    return nullptr;
  bool isBelow = predicate == ICmpInst::ICMP_ULT && c->countr_zero() >= shift;
  bool isAbove = predicate == ICmpInst::ICMP_UGT && (*c + 1).countr_zero() >= shift;
  if (isBelow)
    return b.CreateICmpULT(group(), b.getInt32(c->lshr(shift).getZExtValue()));
  if (isAbove)
    return b.CreateICmpUGT(group(), b.getInt32(c->lshr(shift).getZExtValue()));
  return nullptr;
}

Value *computeFromGroup(Instruction &user, const Value *rank, unsigned shift) {
  return computeFrom(user, rank, shift, [](IRBuilderBase &b) { return emitCall(b, VxFn::WarpId); });
}

static bool isRank(const Instruction &i) {
  auto is = [](const Value *v, VxFn fn) { return getVxFn(v) == fn; };
  Value *rows, *row, *slices, *x, *dimX, *y, *z, *dimY;
  // Operands are tried in both orders.
  for (bool swapSum : {false, true}) {
    if (!match(&i, m_Add(m_Value(rows), m_Value(x))))
      return false;
    if (swapSum)
      std::swap(rows, x);
    if (!is(x, VxFn::ThreadIdxX) || !match(rows, m_Mul(m_Value(row), m_Value(dimX))))
      continue;
    if (is(row, VxFn::BlockDimX))
      std::swap(row, dimX);
    if (!is(dimX, VxFn::BlockDimX) || !match(row, m_Add(m_Value(slices), m_Value(y))))
      continue;
    if (is(slices, VxFn::ThreadIdxY))
      std::swap(slices, y);
    if (!is(y, VxFn::ThreadIdxY) || !match(slices, m_Mul(m_Value(z), m_Value(dimY))))
      continue;
    if (is(z, VxFn::BlockDimY))
      std::swap(z, dimY);
    if (is(z, VxFn::ThreadIdxZ) && is(dimY, VxFn::BlockDimY))
      return true;
  }
  return false;
}

void useThreadRanks(Function &f, unsigned shift) {
  SmallVector<Instruction *, 4> ranks;
  for (Instruction &i : instructions(f))
    if (isRank(i))
      ranks.push_back(&i);
  for (Instruction *rank : ranks) {
    for (User *user : SmallVector<User *, 8>(rank->users()))
      if (auto *i = dyn_cast<Instruction>(user))
        if (Value *v = computeFromGroup(*i, rank, shift)) {
          i->replaceAllUsesWith(v);
          i->eraseFromParent();
        }
    if (!rank->use_empty()) {
      IRBuilder<> b(rank);
      Value *first = b.CreateShl(emitCall(b, VxFn::WarpId), kWarpShift, "", true);
      Value *number = b.CreateAdd(first, emitCall(b, VxFn::LaneId), "", true);
      number->takeName(rank);
      rank->replaceAllUsesWith(number);
    }
    RecursivelyDeleteTriviallyDeadInstructions(rank);
  }
}

/// NUMBER is FIRST, a multiple of 32 that is one for all threads of a warp, plus the lane.
static void splitNumber(Instruction &number, Value *first, const DataLayout &dl) {
  const APInt *c;
  Value *rest;
  for (User *user : SmallVector<User *, 8>(number.users())) {
    auto *i = cast<Instruction>(user);
    IRBuilder<> b(i);
    Value *v = computeFrom(*i, &number, kWarpShift,
                           [&](IRBuilderBase &at) { return at.CreateLShr(first, kWarpShift); });
    if (match(i, m_And(m_Specific(&number), m_APInt(c))) && c->ult(kWarpSize))
      v = b.CreateAnd(emitCall(b, VxFn::LaneId), *c);
    else if (!v && match(i, m_c_Add(m_Specific(&number), m_Value(rest))) && rest != &number &&
             computeKnownBits(rest, dl).countMinTrailingZeros() >= kWarpShift)
      splitNumber(*i, b.CreateAdd(first, rest), dl);
    if (!v)
      continue;
    i->replaceAllUsesWith(v);
    i->eraseFromParent();
  }
  IRBuilder<> b(&number);
  if (auto *after = dyn_cast<Instruction>(first))
    b.SetInsertPoint(*after->getInsertionPointAfterDef());
  number.replaceAllUsesWith(b.CreateAdd(first, emitCall(b, VxFn::LaneId), "number"));
}

void useWarpsInRows(Function &f) {
  for (Instruction &i : make_early_inc_range(instructions(f))) {
    auto fn = getVxFn(&i);
    if (fn != VxFn::ThreadIdxY && fn != VxFn::ThreadIdxZ)
      continue;
    IRBuilder<> b(&i);
    i.replaceAllUsesWith(emitCall(b, fn == VxFn::ThreadIdxY ? VxFn::WarpRow : VxFn::WarpSlice));
    i.eraseFromParent();
  }
  SmallVector<WeakVH, 8> xs, dims;
  for (Instruction &i : instructions(f)) {
    if (getVxFn(&i) == VxFn::ThreadIdxX)
      xs.push_back(&i);
    else if (getVxFn(&i) == VxFn::BlockDimX)
      dims.push_back(&i);
  }
  for (Value *dim : dims) { // let it be known to be a multiple of 32
    IRBuilder<> b(cast<Instruction>(dim)->getNextNode());
    auto *known = cast<Instruction>(b.CreateAnd(dim, -uint32_t(kWarpSize)));
    dim->replaceUsesWithIf(known, [&](Use &u) { return u.getUser() != known; });
  }
  for (Value *x : xs) {
    IRBuilder<> b(cast<Instruction>(x));
    Value *first = b.CreateShl(emitCall(b, VxFn::WarpColumn), kWarpShift, "x.first", true, true);
    splitNumber(*cast<Instruction>(x), first, f.getDataLayout());
  }
}

} // namespace vx
