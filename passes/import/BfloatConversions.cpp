// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bfloat16 is the upper half of a float: rounding adds half of its last place, or a bit less if
// that place is even, to the bits of the float, and a carry goes to the right places by itself. A
// NaN of other bits than 0x7fc00000 might become a number so.

#include "lib/VortexIR/TargetFeatures.h"
#include "passes/import/HalfConversions.h"
#include "passes/import/SmallFloats.h"

using namespace llvm;

namespace vx {
namespace {

Value *bitsOf(IRBuilderBase &b, Value *x) {
  return b.CreateBitCast(x, b.getIntNTy(x->getType()->getPrimitiveSizeInBits()));
}

Value *absolute(IRBuilderBase &b, Value *x) {
  return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
}

/// Emits X, a double, as a float whose last bit is odd if it is inexact, so that a further rounding
/// to fewer bits is right (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
/// 2008).
Value *emitRoundToOdd(IRBuilderBase &b, Value *x) {
  Value *near = b.CreateFPTrunc(x, b.getFloatTy());
  Value *wide = b.CreateFPExt(near, b.getDoubleTy());
  Value *inexact = b.CreateFCmpONE(wide, x);
  Value *away = b.CreateAnd(inexact, b.CreateFCmpOGT(absolute(b, wide), absolute(b, x)));
  Value *below = b.CreateSub(bitsOf(b, near), b.CreateZExt(away, b.getInt32Ty()));
  return b.CreateBitCast(b.CreateOr(below, b.CreateZExt(inexact, b.getInt32Ty())), b.getFloatTy());
}

Value *toFloat(IRBuilderBase &b, Value *x) {
  return x->getType()->isDoubleTy() ? emitRoundToOdd(b, x) : x;
}

/// Emits the bits of X, a float, of which the upper half is the nearest bfloat16's unless X is NaN.
Value *roundedBits(IRBuilderBase &b, Value *x) {
  Value *bits = bitsOf(b, x);
  Value *even = b.CreateAnd(b.CreateLShr(bits, 16), 1);
  return b.CreateAdd(b.CreateAdd(bits, b.getInt32(0x7fff)), even);
}

Value *emitFloatOfBfloat(IRBuilderBase &b, Value *bits) {
  return b.CreateBitCast(b.CreateShl(b.CreateZExt(bits, b.getInt32Ty()), 16), b.getFloatTy());
}

/// Returns the upper half of BITS, those of X except for NaN.
Value *pack(IRBuilderBase &b, Value *x, Value *bits) {
  Value *upper = b.CreateTrunc(b.CreateLShr(bits, 16), b.getInt16Ty());
  return b.CreateSelect(b.CreateFCmpUNO(x, x), b.getInt16(0x7fff), upper);
}

Value *emitRoundToBfloat(IRBuilderBase &b, Value *x) {
  constexpr uint32_t kUpper = 0xffff0000;
  Type *real = b.getFloatTy();
  x = toFloat(b, x);
  if (!hasCanonicalNaN(*b.GetInsertBlock()->getModule())) {
    Value *upper = b.CreateBitCast(b.CreateAnd(roundedBits(b, x), kUpper), real);
    return b.CreateSelect(b.CreateFCmpUNO(x, x), x, upper);
  }
  // One instruction, and of 0x7fc00000 the upper half stays.
  x = b.CreateUnaryIntrinsic(Intrinsic::canonicalize, x);
  return b.CreateBitCast(b.CreateAnd(roundedBits(b, x), kUpper), real);
}

} // namespace

Value *emitBfloatMultiplyAdd(IRBuilderBase &b, Value *x, Value *y, Value *z) {
  // What the sum leaves out is found as in Knuth's two-sum, which must stay as it is.
  IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  Type *twice = b.getDoubleTy();
  auto wide = [&](Value *v) { return b.CreateFPExt(v, twice); };
  Value *product = b.CreateFMul(wide(x), wide(y)), *addend = wide(z); // exact
  Value *sum = b.CreateFAdd(product, addend);
  Value *other = b.CreateFSub(sum, product);
  Value *rest =
      b.CreateFAdd(b.CreateFSub(product, b.CreateFSub(sum, other)), b.CreateFSub(addend, other));
  // Rounds the sum to odd; the rest is a number only where the sum is one.
  Value *zero = ConstantFP::getZero(twice), *bits = bitsOf(b, sum);
  Value *inexact = b.CreateFCmpONE(rest, zero);
  Value *even = b.CreateIsNull(b.CreateAnd(bits, 1));
  Value *outwards = b.CreateICmpEQ(b.CreateFCmpOGT(rest, zero), b.CreateFCmpOGT(sum, zero));
  Value *step = b.CreateSelect(outwards, b.getInt64(1), b.getInt64(-1));
  Value *odd = b.CreateSelect(b.CreateAnd(inexact, even), b.CreateAdd(bits, step), bits);
  return emitRoundToOdd(b, b.CreateBitCast(odd, twice));
}

Value *emitFloatOfSmall(IRBuilderBase &b, Value *bits, Type *small) {
  return small->isHalfTy() ? emitFloatOfHalf(b, bits) : emitFloatOfBfloat(b, bits);
}

Value *emitSmallBits(IRBuilderBase &b, Value *x, Type *small) {
  if (small->isHalfTy())
    return emitHalfBits(b, x);
  x = toFloat(b, x);
  return pack(b, x, roundedBits(b, x));
}

Value *emitRoundToSmall(IRBuilderBase &b, Value *x, Type *small) {
  return small->isHalfTy() ? emitRoundToHalf(b, x) : emitRoundToBfloat(b, x);
}

Value *emitBitsOfRounded(IRBuilderBase &b, Value *x, Type *small) {
  return small->isHalfTy() ? emitHalfBits(b, x) : pack(b, x, bitsOf(b, x));
}

} // namespace vx
