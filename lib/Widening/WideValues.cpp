// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a group: one for all lanes, or a vector.

#include "lib/Widening/WideLoop.h"

using namespace llvm;

namespace vx {

static bool isHalf(const Type *type) {
  return type->isHalfTy() || type->isBFloatTy();
}
Type *WideLoop::wide(Type *type) const {
  return FixedVectorType::get(isHalf(type) ? Type::getInt16Ty(type->getContext()) : type, width);
}
Value *WideLoop::toElement(Value *v) {
  return isHalf(v->getType()->getScalarType())
             ? b.CreateBitCast(v, v->getType()->getWithNewType(b.getInt16Ty()))
             : v;
}
Value *WideLoop::fromElements(Value *v, Type *type) {
  return isHalf(type) ? b.CreateBitCast(v, v->getType()->getWithNewType(type)) : v;
}
Value *WideLoop::laneOf(Value *v, Value *lane, Type *type) {
  return fromElements(b.CreateExtractElement(v, lane), type);
}

Constant *WideLoop::allLanes() const {
  return ConstantInt::getTrue(wide(Type::getInt1Ty(f.getContext())));
}
Constant *WideLoop::noLane() const {
  return ConstantInt::getFalse(wide(Type::getInt1Ty(f.getContext())));
}
bool WideLoop::isAll(const Value *mask) const {
  const auto *c = dyn_cast<Constant>(mask);
  return c && c->isAllOnesValue();
}

/// The condition may be undefined where the mask is off.
Value *WideLoop::both(Value *mask, Value *condition) {
  return isAll(mask) ? condition : b.CreateSelect(mask, condition, noLane());
}
Value *WideLoop::either(Value *x, Value *y) {
  return x == noLane() ? y : y == noLane() ? x : b.CreateOr(x, y);
}
Value *WideLoop::any(Value *mask) {
  return isAll(mask) ? cast<Value>(b.getTrue()) : b.CreateOrReduce(mask);
}

AllocaInst *WideLoop::variable(Type *type, const Twine &name) {
  IRBuilder<> entry(&*f.getEntryBlock().getFirstInsertionPt());
  variables.push_back(entry.CreateAlloca(type, nullptr, name));
  return variables.back();
}

bool WideLoop::isUsedElsewhere(const Instruction &i) const {
  const BasicBlock *bb = i.getParent();
  const Loop *level = li.getLoopFor(bb);
  bool isCarried = isa<PHINode>(i) && level != t.loop && level->getHeader() == bb;
  return isCarried || any_of(i.users(), [&](const User *user) {
           const auto *j = cast<Instruction>(user);
           return j->getParent() != bb || isa<PHINode>(j);
         });
}

/// Returns true if V, which is AS now, is that in the whole turn.
bool WideLoop::isConstant(const Value *v, const Value *as) const {
  return isa<Constant>(as) && (!isa<PHINode>(v) || v == t.index);
}

void WideLoop::define(const Value *v, Value *as, Values &values) {
  values.local[v] = as;
  if (isConstant(v, as))
    values.constant[v] = as;
  else if (isUsedElsewhere(*cast<Instruction>(v))) {
    AllocaInst *&kept = values.variables[v];
    if (!kept)
      kept = variable(as->getType(), v->getName());
    b.CreateStore(as, kept);
  }
}

/// Returns what V is known as, or null.
Value *WideLoop::find(const Value *v, Values &values) {
  if (Value *known = values.constant.lookup(v))
    return known;
  if (Value *known = values.local.lookup(v))
    return known;
  AllocaInst *kept = values.variables.lookup(v);
  return kept ? values.local[v] = b.CreateLoad(kept->getAllocatedType(), kept) : nullptr;
}

Value *WideLoop::scalar(Value *v) {
  return t.contains(v) ? find(v, scalars) : v;
}

Value *WideLoop::vector(Value *v) {
  if (Value *known = find(v, vectors))
    return known;
  auto stride = lanes.strideOf(v);
  Value *&made = vectors.local[v];
  return made = stride && *stride ? vectorFromStride(v, *stride)
                                  : b.CreateVectorSplat(width, toElement(scalar(v)));
}

Constant *WideLoop::multiplesOf(Type *type, int64_t stride) const {
  SmallVector<Constant *, 32> values;
  for (unsigned lane = 0; lane < width; ++lane)
    values.push_back(ConstantInt::get(type, uint64_t(stride * int64_t(lane)), /*IsSigned=*/true,
                                      /*ImplicitTrunc=*/true));
  return ConstantVector::get(values);
}

Value *WideLoop::vectorFromStride(Value *v, int64_t stride) {
  Value *first = scalar(v);
  if (v->getType()->isPointerTy())
    return b.CreateGEP(b.getInt8Ty(), first, multiplesOf(b.getInt64Ty(), stride));
  return b.CreateAdd(b.CreateVectorSplat(width, first), multiplesOf(v->getType(), stride));
}

void WideLoop::forgetLocals() {
  scalars.local.clear();
  vectors.local.clear();
}

} // namespace vx
