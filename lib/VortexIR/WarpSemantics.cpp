// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/WarpSemantics.h"

using namespace llvm;

namespace vx {

Value *emitReduction(IRBuilderBase &b, VxFn fn, Value *x, Value *y) {
  switch (fn) {
  case VxFn::ReduceAddI32:
  case VxFn::ReduceAddI64:
    return b.CreateAdd(x, y);
  case VxFn::ReduceAddF32:
  case VxFn::ReduceAddF64:
    return b.CreateFAdd(x, y);
  case VxFn::ReduceMinS32:
  case VxFn::ReduceMinS64:
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  case VxFn::ReduceMinU32:
  case VxFn::ReduceMinU64:
    return b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
  case VxFn::ReduceMinF32:
  case VxFn::ReduceMinF64:
    return b.CreateBinaryIntrinsic(Intrinsic::minnum, x, y);
  case VxFn::ReduceMaxS32:
  case VxFn::ReduceMaxS64:
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  case VxFn::ReduceMaxU32:
  case VxFn::ReduceMaxU64:
    return b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
  case VxFn::ReduceMaxF32:
  case VxFn::ReduceMaxF64:
    return b.CreateBinaryIntrinsic(Intrinsic::maxnum, x, y);
  case VxFn::ReduceAndI32:
  case VxFn::ReduceAndI64:
    return b.CreateAnd(x, y);
  case VxFn::ReduceOrI32:
  case VxFn::ReduceOrI64:
    return b.CreateOr(x, y);
  default:
    return b.CreateXor(x, y);
  }
}

Constant *neutralElement(VxFn fn, Type *type) {
  if (!type->isIntegerTy())
    return nullptr;
  unsigned bits = type->getIntegerBitWidth();
  switch (fn) {
  case VxFn::ReduceMinS32:
  case VxFn::ReduceMinS64:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case VxFn::ReduceMaxS32:
  case VxFn::ReduceMaxS64:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case VxFn::ReduceMinU32:
  case VxFn::ReduceMinU64:
  case VxFn::ReduceAndI32:
  case VxFn::ReduceAndI64:
    return Constant::getAllOnesValue(type);
  default:
    return Constant::getNullValue(type);
  }
}

ShuffleSource emitShuffleSource(IRBuilderBase &b, VxFn fn, Value *lane, Value *by, Value *segment) {
  Type *type = lane->getType();
  const auto *known = dyn_cast<ConstantInt>(segment);
  uint64_t word = known ? known->getZExtValue() : 0;
  bool isWholeWarp = known && (word >> 8 & (kWarpSize - 1)) == 0;
  // This is as CUDA makes them: the clamp does not stop any lane of the segment.
  bool isWholeSegment = ((word >> 8 | word) & (kWarpSize - 1)) == kWarpSize - 1;
  by = b.CreateZExtOrTrunc(b.CreateAnd(by, kWarpSize - 1), type);
  segment = b.CreateZExtOrTrunc(segment, type);
  Value *fixed = b.CreateAnd(b.CreateLShr(segment, 8), kWarpSize - 1);
  Value *clamp = b.CreateAnd(segment, kWarpSize - 1);
  Value *moving = b.CreateNot(fixed);
  Value *first = isWholeWarp ? ConstantInt::get(type, 0) : b.CreateAnd(lane, fixed);
  auto inSegment = [&](Value *number) {
    number = b.CreateAnd(number, moving);
    return isWholeWarp ? number : b.CreateOr(first, number);
  };
  Value *last = inSegment(clamp);
  switch (fn) {
  case VxFn::ShflUp32:
  case VxFn::ShflUp64: {
    Value *source = b.CreateSub(lane, by);
    return {source, b.CreateICmpSGE(source, last)};
  }
  case VxFn::ShflDown32:
  case VxFn::ShflDown64: {
    Value *source = b.CreateAdd(lane, by);
    return {source, b.CreateICmpSLE(source, last)};
  }
  case VxFn::ShflBfly32:
  case VxFn::ShflBfly64: {
    Value *source = b.CreateXor(lane, by);
    return {source, isWholeWarp && isWholeSegment ? nullptr : b.CreateICmpSLE(source, last)};
  }
  default: {
    Value *source = inSegment(by);
    return {source, isWholeSegment ? nullptr : b.CreateICmpSLE(source, last)};
  }
  }
}

Value *emitWarpShuffle(IRBuilderBase &b, VxFn fn32, VxFn fn64, Value *mask, Value *value,
                       Value *lane) {
  Type *type = value->getType();
  unsigned bits = type->getPrimitiveSizeInBits();
  Value *moved = emitCall(
      b, bits == 64 ? fn64 : fn32,
      {mask, b.CreateBitCast(value, b.getIntNTy(bits)), lane, b.getInt32(kWholeWarpSegment)});
  return b.CreateBitCast(moved, type);
}

void replaceResult(Instruction &i, function_ref<Value *(IRBuilderBase &)> emit) {
  SmallVector<Use *, 8> uses;
  for (Use &use : i.uses())
    uses.push_back(&use);
  IRBuilder<> b(i.getNextNode());
  Value *result = emit(b);
  for (Use *use : uses)
    use->set(result);
}

} // namespace vx
