// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To round x to a half, a number M is added whose last place has the value of the half's last
// place: the sum is rounded there. M is 2^k times what the last place of x's exponent allows, and
// at least what the halves below 2^-14, which have the last place of 2^-14, need.

#include "passes/import/HalfConversions.h"

using namespace llvm;

namespace vx {
namespace {

/// The differences between conversions from float and from double.
struct Format {
  explicit Format(IRBuilderBase &b, Type *type)
      : real(type), bits(b.getIntNTy(type->getPrimitiveSizeInBits())),
        fraction(type->isDoubleTy() ? 52 : 23), bias(type->isDoubleTy() ? 1023 : 127) {}

  uint64_t exponentMask() const { return (uint64_t(2 * bias + 1)) << fraction; }
  /// Places that a half lacks.
  unsigned excess() const { return fraction - 10; }

  Type *real;
  IntegerType *bits;
  unsigned fraction, bias;
};

/// |X|, at most 2^16, which NaN becomes, too; and the bits of the greatest power of two that is not
/// above it, from 2^-14 on.
struct Magnitude {
  Magnitude(IRBuilderBase &b, const Format &format, Value *x) {
    value = b.CreateMinNum(b.CreateUnaryIntrinsic(Intrinsic::fabs, x),
                           ConstantFP::get(format.real, 0x1p16));
    Value *normal = b.CreateMaxNum(value, ConstantFP::get(format.real, 0x1p-14));
    exponent = b.CreateAnd(b.CreateBitCast(normal, format.bits), format.exponentMask());
  }

  Value *value, *exponent;
};

} // namespace

Value *emitFloatOfHalf(IRBuilderBase &b, Value *bits) {
  Value *wide = b.CreateSExt(bits, b.getInt32Ty());
  // The sign, and exponent and fraction in the places of a float's.
  Value *moved = b.CreateAnd(b.CreateShl(wide, 13), 0x8fffffffu);
  // A multiplication by 2^112 rebiases the exponent and normalizes subnormal numbers.
  Value *value = b.CreateFMul(b.CreateBitCast(moved, b.getFloatTy()),
                              ConstantFP::get(b.getFloatTy(), 0x1p112));
  Value *exponent = b.CreateAnd(wide, 0x7c00);
  Value *special = b.CreateSelect(b.CreateICmpEQ(exponent, b.getInt32(0x7c00)),
                                  b.getInt32(0x7f800000), b.getInt32(0)); // infinity and NaN
  Value *result = b.CreateOr(b.CreateBitCast(value, b.getInt32Ty()), special);
  return b.CreateBitCast(result, b.getFloatTy());
}

Value *emitHalfBits(IRBuilderBase &b, Value *x) {
  Format format(b, x->getType());
  Magnitude magnitude(b, format, x);
  Value *exponent = magnitude.exponent;
  uint64_t up = uint64_t(format.excess()) << format.fraction;
  Value *place = b.CreateAdd(exponent, ConstantInt::get(format.bits, up));
  Value *sum = b.CreateFAdd(magnitude.value, b.CreateBitCast(place, format.real));
  // Units of the half's last place, with the implicit one; a sum that carries raises the exponent.
  Value *places = b.CreateSub(b.CreateBitCast(sum, format.bits), place);
  Value *all = b.CreateAdd(places, b.CreateLShr(exponent, format.excess()));
  Value *result =
      b.CreateSub(b.CreateTrunc(all, b.getInt32Ty()), b.getInt32((format.bias - 14) << 10));
  Value *high = b.CreateLShr(b.CreateBitCast(x, format.bits), format.bits->getBitWidth() - 16);
  Value *sign = b.CreateAnd(b.CreateTrunc(high, b.getInt32Ty()), 0x8000);
  Value *bits = b.CreateSelect(b.CreateFCmpUNO(x, x), b.getInt32(0x7fff), b.CreateOr(result, sign));
  return b.CreateTrunc(bits, b.getInt16Ty());
}

Value *emitRoundToHalf(IRBuilderBase &b, Value *x) {
  Format format(b, x->getType());
  Value *exponent = Magnitude(b, format, x).exponent;
  // One and a half powers of two: the last place of the sum is the same for a negative x.
  uint64_t up = uint64_t(format.excess()) << format.fraction | uint64_t(1) << (format.fraction - 1);
  Value *place =
      b.CreateBitCast(b.CreateAdd(exponent, ConstantInt::get(format.bits, up)), format.real);
  Value *rounded = b.CreateFSub(b.CreateFAdd(x, place), place);
  // What has become 2^16 or more is infinite.
  double scale = format.real->isDoubleTy() ? 0x1p1008 : 0x1p112;
  Value *large = b.CreateFMul(rounded, ConstantFP::get(format.real, scale));
  Value *result = b.CreateFMul(large, ConstantFP::get(format.real, 1 / scale));
  return b.CreateCopySign(result, x); // for zeros
}

} // namespace vx
