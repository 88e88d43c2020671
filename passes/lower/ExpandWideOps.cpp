// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/ExpandWideOps.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace vx {
namespace {

unsigned widthOf(const Value *v) {
  return v->getType()->getIntegerBitWidth();
}

/// Emits C ? T : E as bits; the arm not chosen may be poison.
Value *choose(IRBuilderBase &b, Value *c, Value *t, Value *e) {
  t = b.CreateFreeze(t);
  e = b.CreateFreeze(e);
  Value *mask = b.CreateSExt(b.CreateFreeze(c), t->getType());
  return b.CreateXor(b.CreateAnd(b.CreateXor(t, e), mask), e);
}

} // namespace

Value *WideOps::isNegative(IRBuilderBase &b, Value *v) {
  return b.CreateTrunc(b.CreateLShr(v, widthOf(v) - 1), b.getInt1Ty());
}

bool WideOps::isWide(const Value *v) const {
  auto *type = dyn_cast<IntegerType>(v->getType());
  return type && type->getBitWidth() > registerBits && isPowerOf2_32(type->getBitWidth());
}

WideOps::Halves WideOps::split(IRBuilderBase &b, Value *v) const {
  unsigned bits = widthOf(v) / 2;
  Type *half = b.getIntNTy(bits);
  return {b.CreateTrunc(v, half), b.CreateTrunc(b.CreateLShr(v, bits), half)};
}

Value *WideOps::join(IRBuilderBase &b, Halves halves) const {
  unsigned bits = widthOf(halves.low);
  Type *type = b.getIntNTy(2 * bits);
  return b.CreateOr(b.CreateZExt(halves.low, type),
                    b.CreateShl(b.CreateZExt(halves.high, type), bits));
}

// --- comparisons ---

Value *WideOps::expandCompare(IRBuilderBase &b, CmpInst::Predicate predicate, Value *x,
                              Value *y) const {
  if (!isWide(x) || ICmpInst::isEquality(predicate))
    return nullptr;
  x = b.CreateFreeze(x);
  y = b.CreateFreeze(y);
  Halves p = split(b, x), q = split(b, y);
  Value *high = compare(b, CmpInst::getStrictPredicate(predicate), p.high, q.high);
  Value *low = compare(b, ICmpInst::getUnsignedPredicate(predicate), p.low, q.low);
  return b.CreateOr(high, b.CreateAnd(b.CreateICmpEQ(p.high, q.high), low));
}

Value *WideOps::compare(IRBuilderBase &b, CmpInst::Predicate predicate, Value *x, Value *y) const {
  Value *wide = expandCompare(b, predicate, x, y);
  return wide ? wide : b.CreateICmp(predicate, x, y);
}

// --- shifts ---

Value *WideOps::expandShift(IRBuilderBase &b, unsigned opcode, Value *x, Value *amount) const {
  if (!isWide(x) || isa<ConstantInt>(amount))
    return nullptr;
  x = b.CreateFreeze(x);
  Halves p = split(b, x);
  Type *half = p.low->getType();
  unsigned bits = widthOf(p.low);
  Value *n = b.CreateTrunc(b.CreateFreeze(amount), half);
  Value *within = b.CreateAnd(n, bits - 1);
  Value *rest = b.CreateXor(within, ConstantInt::get(half, bits - 1)); // bits - 1 - within
  Value *far = b.CreateICmpNE(b.CreateAnd(n, bits), ConstantInt::get(half, 0));
  Value *zero = ConstantInt::get(half, 0), *one = ConstantInt::get(half, 1);
  if (opcode == Instruction::Shl) {
    Value *low = shift(b, Instruction::Shl, p.low, within);
    Value *carried = shift(b, Instruction::LShr, b.CreateLShr(p.low, one), rest);
    Value *high = b.CreateOr(shift(b, Instruction::Shl, p.high, within), carried);
    return join(b, {choose(b, far, zero, low), choose(b, far, low, high)});
  }
  bool isSigned = opcode == Instruction::AShr;
  Value *high = isSigned ? shift(b, Instruction::AShr, p.high, within)
                         : shift(b, Instruction::LShr, p.high, within);
  Value *carried = shift(b, Instruction::Shl, b.CreateShl(p.high, one), rest);
  Value *low = b.CreateOr(shift(b, Instruction::LShr, p.low, within), carried);
  Value *fill = isSigned ? b.CreateAShr(p.high, bits - 1) : zero;
  return join(b, {choose(b, far, high, low), choose(b, far, fill, high)});
}

Value *WideOps::shift(IRBuilderBase &b, unsigned opcode, Value *x, Value *amount) const {
  Value *wide = expandShift(b, opcode, x, amount);
  return wide ? wide : b.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), x, amount);
}

// --- arithmetic ---

Value *WideOps::expandArithmetic(IRBuilderBase &b, unsigned opcode, Value *x, Value *y) const {
  if (!x->getType()->isIntegerTy(4 * registerBits))
    return nullptr;
  x = b.CreateFreeze(x);
  y = b.CreateFreeze(y);
  Halves p = split(b, x), q = split(b, y);
  Type *half = p.low->getType();
  if (opcode == Instruction::Add || opcode == Instruction::Sub) {
    bool adds = opcode == Instruction::Add;
    Value *low = adds ? b.CreateAdd(p.low, q.low) : b.CreateSub(p.low, q.low);
    Value *carry = adds ? compare(b, CmpInst::ICMP_ULT, low, p.low)
                        : compare(b, CmpInst::ICMP_ULT, p.low, q.low);
    carry = b.CreateZExt(carry, half);
    Value *high = adds ? b.CreateAdd(b.CreateAdd(p.high, q.high), carry)
                       : b.CreateSub(b.CreateSub(p.high, q.high), carry);
    return join(b, {low, high});
  }
  if (opcode != Instruction::Mul)
    return nullptr;
  // The product of the low halves from four products of registers.
  auto lowOf = [&](Value *v) { return b.CreateZExt(split(b, v).low, half); };
  auto highOf = [&](Value *v) { return b.CreateLShr(v, registerBits); };
  Value *x0 = lowOf(p.low), *x1 = highOf(p.low), *y0 = lowOf(q.low), *y1 = highOf(q.low);
  Value *p00 = b.CreateMul(x0, y0), *p01 = b.CreateMul(x0, y1), *p10 = b.CreateMul(x1, y0);
  Value *middle = b.CreateAdd(b.CreateAdd(highOf(p00), lowOf(p01)), lowOf(p10));
  Value *low = b.CreateOr(lowOf(p00), b.CreateShl(middle, registerBits));
  Value *high = b.CreateAdd(b.CreateMul(x1, y1), b.CreateAdd(highOf(p01), highOf(p10)));
  high = b.CreateAdd(high, highOf(middle));
  high = b.CreateAdd(high, b.CreateMul(p.low, q.high));
  high = b.CreateAdd(high, b.CreateMul(p.high, q.low));
  return join(b, {low, high});
}

// --- counts ---

Value *WideOps::countZeros(IRBuilderBase &b, Intrinsic::ID id, Value *x) const {
  if (!isWide(x))
    return nullptr;
  Halves p = split(b, b.CreateFreeze(x));
  bool leading = id == Intrinsic::ctlz;
  Value *first = leading ? p.high : p.low, *second = leading ? p.low : p.high;
  Value *zero = ConstantInt::get(first->getType(), 0);
  Value *isZero = b.CreateICmpEQ(first, zero);
  Value *rest = choose(b, isZero, second, first);
  Value *n = countZeros(b, id, rest);
  if (!n)
    n = b.CreateBinaryIntrinsic(id, rest, b.getTrue());
  Constant *bits = ConstantInt::get(first->getType(), widthOf(first));
  n = b.CreateAdd(n, choose(b, isZero, bits, zero));
  return b.CreateZExt(n, x->getType());
}

// --- intrinsics ---

/// Emits whether RESULT, of the addition or subtraction ID of X and Y, does not fit.
Value *WideOps::overflow(IRBuilderBase &b, Intrinsic::ID id, Value *x, Value *y,
                         Value *result) const {
  switch (id) {
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::uadd_sat:
    return compare(b, CmpInst::ICMP_ULT, result, x);
  case Intrinsic::usub_with_overflow:
  case Intrinsic::usub_sat:
    return compare(b, CmpInst::ICMP_ULT, x, y);
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::sadd_sat:
    return isNegative(b, b.CreateAnd(b.CreateXor(result, x), b.CreateXor(result, y)));
  default:
    return isNegative(b, b.CreateAnd(b.CreateXor(x, y), b.CreateXor(result, x)));
  }
}

Value *WideOps::saturate(IRBuilderBase &b, IntrinsicInst &i) const {
  Intrinsic::ID id = i.getIntrinsicID();
  Value *x = b.CreateFreeze(i.getArgOperand(0)), *y = b.CreateFreeze(i.getArgOperand(1));
  Type *type = x->getType();
  unsigned width = widthOf(x);
  Constant *most = ConstantInt::get(type, APInt::getSignedMaxValue(width));
  // Where a signed result leaves the range, X says on which side.
  auto signedLimit = [&] { return b.CreateXor(b.CreateAShr(x, width - 1), most); };
  Value *result, *limit;
  switch (id) {
  case Intrinsic::ushl_sat:
  case Intrinsic::sshl_sat: {
    bool isSigned = id == Intrinsic::sshl_sat;
    result = shift(b, Instruction::Shl, x, y);
    Value *back = shift(b, isSigned ? Instruction::AShr : Instruction::LShr, result, y);
    limit = isSigned ? signedLimit() : Constant::getAllOnesValue(type);
    return choose(b, b.CreateICmpNE(back, x), limit, result);
  }
  case Intrinsic::uadd_sat:
  case Intrinsic::sadd_sat:
    result = b.CreateAdd(x, y);
    limit = id == Intrinsic::uadd_sat ? Constant::getAllOnesValue(type) : signedLimit();
    break;
  default:
    result = b.CreateSub(x, y);
    limit = id == Intrinsic::usub_sat ? Constant::getNullValue(type) : signedLimit();
    break;
  }
  return choose(b, overflow(b, id, x, y, result), limit, result);
}

Value *WideOps::expandIntrinsic(IRBuilderBase &b, IntrinsicInst &i) const {
  Intrinsic::ID id = i.getIntrinsicID();
  switch (id) {
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::ushl_sat:
  case Intrinsic::sshl_sat:
    return saturate(b, i);
  default:
    break;
  }
  if (i.arg_size() < 2 || !isWide(i.getArgOperand(0)))
    return nullptr;
  Value *x = b.CreateFreeze(i.getArgOperand(0)), *y = b.CreateFreeze(i.getArgOperand(1));
  switch (id) {
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    // The funnel is two words; a shift by one first keeps the other amount below the width.
    unsigned width = widthOf(x);
    Value *n = b.CreateAnd(b.CreateFreeze(i.getArgOperand(2)), width - 1);
    Value *rest = b.CreateXor(n, ConstantInt::get(n->getType(), width - 1));
    if (id == Intrinsic::fshl)
      return b.CreateOr(shift(b, Instruction::Shl, x, n),
                        shift(b, Instruction::LShr, b.CreateLShr(y, 1), rest));
    return b.CreateOr(shift(b, Instruction::Shl, b.CreateShl(x, 1), rest),
                      shift(b, Instruction::LShr, y, n));
  }
  case Intrinsic::scmp:
  case Intrinsic::ucmp: {
    bool isSigned = id == Intrinsic::scmp;
    Value *more = compare(b, isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, x, y);
    Value *less = compare(b, isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, x, y);
    return b.CreateSub(b.CreateZExt(more, i.getType()), b.CreateZExt(less, i.getType()));
  }
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::ssub_with_overflow: {
    bool adds = id == Intrinsic::uadd_with_overflow || id == Intrinsic::sadd_with_overflow;
    Value *result = adds ? b.CreateAdd(x, y) : b.CreateSub(x, y);
    Value *pair = b.CreateInsertValue(PoisonValue::get(i.getType()), result, 0);
    return b.CreateInsertValue(pair, overflow(b, id, x, y, result), 1);
  }
  default:
    return nullptr;
  }
}

} // namespace vx
