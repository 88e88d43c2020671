// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/NarrowLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace vx {

/// The size of a pointer in memory.
static constexpr uint64_t kSlotBytes = 8;

bool isLayoutDependent(Type *t) {
  if (t->isPointerTy())
    return true;
  if (t->isIntegerTy())
    return t->getIntegerBitWidth() > 64;
  return any_of(t->subtypes(), [](Type *e) { return isLayoutDependent(e); });
}

unsigned countElements(Type *t) {
  if (auto *s = dyn_cast<StructType>(t))
    return s->getNumElements();
  if (auto *a = dyn_cast<ArrayType>(t))
    return a->getNumElements();
  return cast<FixedVectorType>(t)->getNumElements();
}

bool isDecomposed(Type *t) {
  return (t->isAggregateType() || t->isVectorTy()) && isLayoutDependent(t);
}

NarrowLayout::NarrowLayout(LLVMContext &ctx, const DataLayout &wide)
    : wide(wide), ctx(ctx), i8(Type::getInt8Ty(ctx)), i32(Type::getInt32Ty(ctx)),
      i64(Type::getInt64Ty(ctx)) {}

std::pair<uint64_t, Type *> NarrowLayout::elementAt(Type *t, unsigned i) const {
  if (auto *s = dyn_cast<StructType>(t))
    return {wide.getStructLayout(s)->getElementOffset(i), s->getElementType(i)};
  Type *e = t->getContainedType(0);
  return {i * wide.getTypeAllocSize(e).getFixedValue(), e};
}

ArrayType *NarrowLayout::bytesOf(Type *t) const {
  return bytes(wide.getTypeAllocSize(t).getFixedValue());
}

Constant *NarrowLayout::narrowConstant(Constant *c) const {
  if (!isa<ConstantExpr>(c) && !isa<ConstantAggregate>(c))
    return c;
  if (auto *gep = dyn_cast<GEPOperator>(c)) {
    APInt offset(64, 0);
    if (!gep->getType()->isVectorTy() && gep->accumulateConstantOffset(wide, offset)) {
      auto *base = narrowConstant(cast<Constant>(gep->getPointerOperand()));
      return ConstantExpr::getGetElementPtr(i8, base, ConstantInt::get(ctx, offset.trunc(32)),
                                            gep->isInBounds() ? GEPNoWrapFlags::inBounds()
                                                              : GEPNoWrapFlags::none());
    }
  }
  SmallVector<Constant *, 8> operands;
  for (Use &u : c->operands())
    operands.push_back(narrowConstant(cast<Constant>(u)));
  if (auto *e = dyn_cast<ConstantExpr>(c))
    return e->getWithOperands(operands);
  if (auto *s = dyn_cast<ConstantStruct>(c))
    return ConstantStruct::get(s->getType(), operands);
  if (auto *a = dyn_cast<ConstantArray>(c))
    return ConstantArray::get(a->getType(), operands);
  return ConstantVector::get(operands);
}

bool NarrowLayout::needsFlattening(const Constant *c) {
  if (isLayoutDependent(c->getType()) || isa<ConstantExpr>(c))
    return true;
  return isa<ConstantAggregate>(c) &&
         any_of(c->operands(), [](const Use &u) { return needsFlattening(cast<Constant>(u)); });
}

/// Returns the low half of a 64-bit integer constant made from an address; null if it has another
/// form.
Constant *NarrowLayout::lowHalf(Constant *c) const {
  if (auto *n = dyn_cast<ConstantInt>(c))
    return ConstantInt::get(i32, n->getZExtValue() & 0xffffffff);
  auto *e = dyn_cast<ConstantExpr>(c);
  if (!e)
    return nullptr;
  if (e->getOpcode() == Instruction::PtrToInt)
    return ConstantExpr::getPtrToInt(narrowConstant(e->getOperand(0)), i32);
  if (e->getOpcode() != Instruction::Add)
    return nullptr;
  Constant *x = lowHalf(e->getOperand(0)), *y = lowHalf(e->getOperand(1));
  return x && y ? ConstantExpr::getAdd(x, y) : nullptr;
}

void NarrowLayout::padTo(FieldList &list, uint64_t offset) const {
  if (offset <= list.size)
    return;
  list.fields.push_back(ConstantAggregateZero::get(bytes(offset - list.size)));
  list.size = offset;
}

void NarrowLayout::flatten(Constant *c, uint64_t offset, FieldList &list) const {
  Type *t = c->getType();
  uint64_t end = offset + wide.getTypeAllocSize(t).getFixedValue();
  padTo(list, offset);
  Constant *low = nullptr;
  if (t->isPointerTy())
    low = narrowConstant(c);
  else if (t == i64 && isa<ConstantExpr>(c))
    low = lowHalf(c);
  if (low) {
    list.fields.append({low, ConstantInt::get(i32, 0)});
    list.size = offset + kSlotBytes;
  } else if ((c->isNullValue() || isa<UndefValue>(c)) && isLayoutDependent(t)) {
    padTo(list, end);
  } else if ((t->isAggregateType() || t->isVectorTy()) && needsFlattening(c)) {
    for (unsigned i = 0, n = countElements(t); i < n; ++i)
      flatten(c->getAggregateElement(i), offset + elementAt(t, i).first, list);
    padTo(list, end);
  } else {
    list.fields.push_back(narrowConstant(c));
    list.size = end;
  }
}

Constant *NarrowLayout::flattenInitializer(Constant *c) const {
  ArrayType *plain = bytesOf(c->getType());
  if (isa<UndefValue>(c))
    return UndefValue::get(plain);
  if (c->isNullValue())
    return ConstantAggregateZero::get(plain);
  FieldList list;
  flatten(c, 0, list);
  return ConstantStruct::getAnon(ctx, list.fields, /*Packed=*/true);
}

} // namespace vx
