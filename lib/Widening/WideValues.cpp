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

void WideLoop::defineScalar(const Value *v, Value *as) {
  localScalars[v] = as;
  if (!isUsedElsewhere(*cast<Instruction>(v)))
    return;
  AllocaInst *&kept = scalarVariables[v];
  if (!kept)
    kept = variable(v->getType(), v->getName());
  b.CreateStore(as, kept);
}

void WideLoop::defineVector(const Value *v, Value *as) {
  localVectors[v] = as;
  if (!isUsedElsewhere(*cast<Instruction>(v)))
    return;
  AllocaInst *&kept = vectorVariables[v];
  if (!kept)
    kept = variable(wide(v->getType()), v->getName());
  b.CreateStore(as, kept);
}

Value *WideLoop::scalar(Value *v) {
  if (!t.contains(v))
    return v;
  Value *&known = localScalars[v];
  if (!known)
    known = b.CreateLoad(v->getType(), scalarVariables.at(v));
  return known;
}

Value *WideLoop::vector(Value *v) {
  if (auto it = localVectors.find(v); it != localVectors.end())
    return it->second;
  Value *found;
  if (auto it = vectorVariables.find(v); it != vectorVariables.end())
    found = b.CreateLoad(wide(v->getType()), it->second);
  else if (auto stride = lanes.strideOf(v); stride && *stride)
    found = vectorFromStride(v, *stride);
  else
    found = b.CreateVectorSplat(width, toElement(scalar(v)));
  return localVectors[v] = found;
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
  localScalars.clear();
  localVectors.clear();
}

} // namespace vx
