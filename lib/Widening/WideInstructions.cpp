// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of a group.

#include "lib/Widening/WideLoop.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace vx {

void WideLoop::emitInstruction(Instruction &i) {
  if (auto *call = dyn_cast<IntrinsicInst>(&i); call && call->isAssumeLikeIntrinsic())
    return;
  if (reduced.contains(&i))
    return emitMinimum(cast<IntrinsicInst>(i));
  if (auto *load = dyn_cast<LoadInst>(&i))
    return emitLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&i))
    return emitStore(*store);
  if (auto *copy = dyn_cast<MemCpyInst>(&i))
    return emitCopy(*copy);
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&i)) {
    if (!emitReduced(*atomic))
      emitByLane(i);
    return;
  }
  if (!lanes.differs(&i)) // fences and barriers of the compiler, too
    return emitScalar(i);
  if (lanes.strideOf(&i))
    return emitStrided(i);
  auto *call = dyn_cast<CallBase>(&i);
  if (call && !isTriviallyVectorizable(call->getIntrinsicID()))
    return emitByLane(i);
  defineVector(&i, toElement(fold(emitWide(i))));
}

/// Returns V, just made, or what it is known as: the numbers of threads may be constants.
Value *WideLoop::fold(Value *v) const {
  auto *made = dyn_cast<Instruction>(v);
  Constant *c = made ? ConstantFoldInstruction(made, dl) : nullptr;
  if (!c)
    return v;
  made->eraseFromParent();
  return c;
}

void WideLoop::emitScalar(Instruction &i) {
  Instruction *own = i.clone();
  for (Use &u : own->operands())
    if (!isa<Function>(u) && !isa<InlineAsm>(u))
      u.set(scalar(u));
  b.Insert(own);
  if (runs != b.getTrue()) // it may be that none has come
    own->dropPoisonGeneratingAnnotations();
  if (!i.getType()->isVoidTy())
    defineScalar(&i, fold(own));
}

/// Emits the value of lane 0, which need not have come here: it may wrap around where those of the
/// others do not.
void WideLoop::emitStrided(Instruction &i) {
  int64_t stride = *lanes.strideOf(&i);
  SmallVector<Value *, 4> operands;
  for (Value *v : i.operands())
    operands.push_back(scalar(v));
  Value *own;
  bool extends = isa<ZExtInst>(i) || isa<SExtInst>(i);
  if (isa<ZExtInst>(i) && stride > 0) {
    // An index may begin below 0 in lanes that do not use it: take the last lane's.
    Type *narrow = i.getOperand(0)->getType();
    uint64_t last = uint64_t(stride) * (width - 1);
    Value *extended =
        b.CreateZExt(b.CreateAdd(operands[0], ConstantInt::get(narrow, last)), i.getType());
    own = b.CreateSub(extended, ConstantInt::get(i.getType(), last));
  } else if (i.getOpcode() == Instruction::Or) { // disjoint, in the lanes that use it
    own = b.CreateAdd(operands[0], operands[1]);
  } else {
    Instruction *copy = i.clone();
    for (auto [k, v] : enumerate(operands))
      copy->setOperand(k, v);
    copy->dropPoisonGeneratingAnnotations();
    own = b.Insert(copy);
  }
  defineScalar(&i, fold(own));
  // As a number and not an address, each lane has exactly its own.
  auto isNumber = [&](const User *user) {
    return t.contains(user) && !(lanes.strideOf(user) && *lanes.strideOf(user));
  };
  if (extends && any_of(i.users(), isNumber))
    defineVector(&i, b.CreateCast(cast<CastInst>(i).getOpcode(), vector(i.getOperand(0)),
                                  wide(i.getType())));
}

static Value *copyFlags(Value *v, const Instruction &from) {
  if (auto *i = dyn_cast<Instruction>(v))
    i->copyIRFlags(&from);
  return v;
}

Value *WideLoop::emitWide(Instruction &i) {
  auto own = [&](unsigned k) {
    return fromElements(vector(i.getOperand(k)), i.getOperand(k)->getType());
  };
  if (auto *op = dyn_cast<BinaryOperator>(&i)) {
    Value *y = own(1);
    if (i.isIntDivRem() && !isAll(mask)) // the others must not trap
      y = b.CreateSelect(mask, y, ConstantInt::get(y->getType(), 1));
    return copyFlags(b.CreateBinOp(op->getOpcode(), own(0), y), i);
  }
  if (auto *op = dyn_cast<UnaryOperator>(&i))
    return copyFlags(b.CreateUnOp(op->getOpcode(), own(0)), i);
  if (auto *cast = dyn_cast<CastInst>(&i))
    return copyFlags(
        b.CreateCast(cast->getOpcode(), own(0), FixedVectorType::get(i.getType(), width)), i);
  if (auto *cmp = dyn_cast<CmpInst>(&i))
    return copyFlags(b.CreateCmp(cmp->getPredicate(), own(0), own(1)), i);
  if (auto *select = dyn_cast<SelectInst>(&i)) {
    Value *condition = operand(select->getCondition(), lanes.differs(select->getCondition()));
    Value *v = b.CreateSelect(condition, vector(i.getOperand(1)), vector(i.getOperand(2)));
    return v->getType()->isFPOrFPVectorTy() ? copyFlags(v, i) : v;
  }
  if (isa<FreezeInst>(i))
    return b.CreateFreeze(own(0));
  if (auto *gep = dyn_cast<GetElementPtrInst>(&i)) {
    SmallVector<Value *, 4> indices;
    for (Value *v : gep->indices())
      indices.push_back(operand(v, lanes.differs(v)));
    Value *base = operand(gep->getPointerOperand(), lanes.differs(gep->getPointerOperand()));
    return copyFlags(b.CreateGEP(gep->getSourceElementType(), base, indices), i);
  }
  return emitWideIntrinsic(cast<IntrinsicInst>(i));
}

Value *WideLoop::emitWideIntrinsic(IntrinsicInst &i) {
  Intrinsic::ID id = i.getIntrinsicID();
  SmallVector<Value *, 4> args;
  SmallVector<Type *, 2> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
    types.push_back(FixedVectorType::get(i.getType(), width));
  for (auto [k, v] : enumerate(i.args())) {
    bool asVector = !isVectorIntrinsicWithScalarOpAtArg(id, k, nullptr);
    args.push_back(asVector ? fromElements(vector(v), v->getType()) : scalar(v));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, k, nullptr))
      types.push_back(args.back()->getType());
  }
  return copyFlags(b.CreateIntrinsic(id, types, args), i);
}

/// Executes I for one lane after the other.
void WideLoop::emitByLane(Instruction &i) {
  SmallVector<std::pair<unsigned, Value *>, 4> own; // operands that differ
  SmallVector<Value *, 4> operands;
  for (auto [k, v] : enumerate(i.operands())) {
    bool isCallee =
        isa<CallBase>(i) && &cast<CallBase>(i).getCalledOperandUse() == &i.getOperandUse(k);
    bool differs = !isCallee && lanes.differs(v);
    operands.push_back(isCallee && !t.contains(v) ? v : operand(v, differs));
    if (differs)
      own.push_back({unsigned(k), operands.back()});
  }
  Type *set = b.getIntNTy(width);
  Value *who = b.CreateBitCast(mask, set);
  BasicBlock *before = b.GetInsertBlock(), *turn = block("lane"), *after = block("lanes.end");
  b.CreateBr(turn); // a lane has come, or this would not be executed
  b.SetInsertPoint(turn);
  PHINode *left = b.CreatePHI(set, 2, "lanes"), *result = nullptr;
  left->addIncoming(who, before);
  if (!i.use_empty()) {
    result = b.CreatePHI(wide(i.getType()), 2);
    result->addIncoming(PoisonValue::get(result->getType()), before);
  }
  Value *lane = b.CreateZExtOrTrunc(b.CreateBinaryIntrinsic(Intrinsic::cttz, left, b.getTrue()),
                                    b.getInt64Ty(), "lane");
  Instruction *copy = i.clone();
  for (auto [k, v] : enumerate(operands))
    copy->setOperand(k, v);
  for (auto [k, v] : own)
    copy->setOperand(k, laneOf(v, lane, i.getOperand(k)->getType()));
  b.Insert(copy);
  Value *all = result ? b.CreateInsertElement(result, toElement(copy), lane) : nullptr;
  Value *rest = b.CreateAnd(left, b.CreateSub(left, ConstantInt::get(set, 1)));
  left->addIncoming(rest, turn);
  if (result)
    result->addIncoming(all, turn);
  b.CreateCondBr(b.CreateIsNotNull(rest), turn, after);
  b.SetInsertPoint(after);
  if (!i.use_empty())
    defineVector(&i, all);
}

/// Emits one operation for all lanes, where the order of theirs makes no difference.
bool WideLoop::emitReduced(AtomicRMWInst &i) {
  if (!i.use_empty() || lanes.differs(i.getPointerOperand()) || !i.getType()->isIntegerTy())
    return false;
  Value *v = vector(i.getValOperand());
  Type *type = v->getType();
  unsigned bits = type->getScalarSizeInBits();
  auto reduce = [&](Constant *neutral, auto make) {
    Value *sum = make(b.CreateSelect(mask, v, neutral));
    auto *copy = cast<AtomicRMWInst>(i.clone());
    copy->setOperand(0, scalar(i.getPointerOperand()));
    copy->setOperand(1, sum);
    b.Insert(copy);
    return true;
  };
  Constant *zero = Constant::getNullValue(type), *ones = Constant::getAllOnesValue(type);
  switch (i.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return reduce(zero, [&](Value *x) { return b.CreateAddReduce(x); });
  case AtomicRMWInst::Or:
    return reduce(zero, [&](Value *x) { return b.CreateOrReduce(x); });
  case AtomicRMWInst::Xor:
    return reduce(zero, [&](Value *x) { return b.CreateXorReduce(x); });
  case AtomicRMWInst::And:
    return reduce(ones, [&](Value *x) { return b.CreateAndReduce(x); });
  case AtomicRMWInst::UMax:
    return reduce(zero, [&](Value *x) { return b.CreateIntMaxReduce(x, false); });
  case AtomicRMWInst::UMin:
    return reduce(ones, [&](Value *x) { return b.CreateIntMinReduce(x, false); });
  case AtomicRMWInst::Max:
    return reduce(ConstantInt::get(type, APInt::getSignedMinValue(bits)),
                  [&](Value *x) { return b.CreateIntMaxReduce(x, true); });
  case AtomicRMWInst::Min:
    return reduce(ConstantInt::get(type, APInt::getSignedMaxValue(bits)),
                  [&](Value *x) { return b.CreateIntMinReduce(x, true); });
  default:
    return false;
  }
}

} // namespace vx
