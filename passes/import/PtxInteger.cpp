// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: integer arithmetic, logic and shifts.

#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace vx::import {
namespace {

template <Instruction::BinaryOps Int, Instruction::BinaryOps Float>
void emitArith(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  // A rounding mode other than the default is a library function: __nv_fadd_rz.
  for (auto [mode, suffix] : {std::pair("rz", "rz"), std::pair("rm", "rd"), std::pair("rp", "ru")})
    if (t.isFloat() && s.has(mode)) {
      std::string name = (t.bits == 32 ? "__nv_f" : "__nv_d") + s.words[0] + "_" + suffix;
      Value *args[] = {readOperand(c, s, 1), readOperand(c, s, 2)};
      return c.write(s.operands[0], emitLibrary(c.b, name, args[0]->getType(), args));
    }
  if (!t.isFloat() && s.has("sat")) // add.sat.s32, sub.sat.s32
    return c.write(s.operands[0],
                   c.b.CreateBinaryIntrinsic(Int == Instruction::Add ? Intrinsic::sadd_sat
                                                                     : Intrinsic::ssub_sat,
                                             readOperand(c, s, 1), readOperand(c, s, 2)));
  Value *v = c.b.CreateBinOp(t.isFloat() ? Float : Int, readOperand(c, s, 1), readOperand(c, s, 2));
  c.write(s.operands[0], t.isFloat() && s.has("sat") ? emitSaturate(c.b, v) : v);
}

/// Emits code for add.cc / addc / sub.cc / subc: the carry is kept between the instructions of one
/// statement.
template <bool Add, bool UsesCarry> void emitCarry(PtxContext &c, const PtxStatement &s) {
  Value *x = readOperand(c, s, 1), *y = readOperand(c, s, 2);
  Type *type = x->getType();
  Type *wide = c.b.getIntNTy(type->getIntegerBitWidth() + 1);
  Value *a = c.b.CreateZExt(x, wide), *d = c.b.CreateZExt(y, wide);
  Value *sum = Add ? c.b.CreateAdd(a, d) : c.b.CreateSub(a, d);
  if (UsesCarry) {
    if (!c.carry)
      return c.fail("PTX carry flag is read before it is written");
    Value *carry = c.b.CreateZExt(c.carry, wide);
    sum = Add ? c.b.CreateAdd(sum, carry) : c.b.CreateSub(sum, carry);
  }
  if (s.has("cc"))
    c.carry = c.b.CreateTrunc(c.b.CreateLShr(sum, type->getIntegerBitWidth()), c.b.getInt1Ty());
  c.write(s.operands[0], c.b.CreateTrunc(sum, type));
}

void emitAdd(PtxContext &c, const PtxStatement &s) {
  s.has("cc") ? emitCarry<true, false>(c, s) : emitArith<Instruction::Add, Instruction::FAdd>(c, s);
}

void emitSub(PtxContext &c, const PtxStatement &s) {
  s.has("cc") ? emitCarry<false, false>(c, s)
              : emitArith<Instruction::Sub, Instruction::FSub>(c, s);
}

/// Returns the product of operands 1 and 2 in the form that .lo, .hi or .wide asks for.
Value *product(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *x = readOperand(c, s, 1), *y = readOperand(c, s, 2);
  if (s.has("hi"))
    return emitMulHi(c.b, x, y, t.isSigned());
  if (!s.has("wide"))
    return c.b.CreateMul(x, y);
  Type *wide = c.b.getIntNTy(2 * t.bits);
  return c.b.CreateMul(c.b.CreateIntCast(x, wide, t.isSigned()),
                       c.b.CreateIntCast(y, wide, t.isSigned()));
}

void emitMul(PtxContext &c, const PtxStatement &s) {
  if (typeOf(c, s).isFloat())
    return emitArith<Instruction::Mul, Instruction::FMul>(c, s);
  c.write(s.operands[0], product(c, s));
}

/// Emits PRODUCT + TERM; mad.hi.sat.s32 and mad24.hi.sat.s32 saturate.
Value *addTo(PtxContext &c, const PtxStatement &s, Value *product, Value *term) {
  return s.has("sat") ? c.b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, term)
                      : c.b.CreateAdd(product, term);
}

/// Emits code for mad.{lo,hi,wide}[.cc] and madc: the product plus operand 3, with the carry chain.
template <bool UsesCarry> void emitMad(PtxContext &c, const PtxStatement &s) {
  if (typeOf(c, s).isFloat())
    return c.write(
        s.operands[0],
        c.b.CreateIntrinsic(Intrinsic::fma, {readOperand(c, s, 1)->getType()},
                            {readOperand(c, s, 1), readOperand(c, s, 2), readOperand(c, s, 3)}));
  PtxStatement sum = s;
  PtxOperand temporary;
  temporary.name = " product";
  Value *p = product(c, s);
  c.write(temporary, p);
  sum.words.back() = "b" + std::to_string(p->getType()->getIntegerBitWidth());
  sum.operands = {s.operands[0], temporary, s.operands[3]};
  if (UsesCarry)
    return emitCarry<true, true>(c, sum);
  if (s.has("cc"))
    return emitCarry<true, false>(c, sum);
  c.write(s.operands[0], addTo(c, s, p, c.read(s.operands[3], p->getType())));
}

/// Emits code for mul24.{lo,hi} and mad24.{lo,hi}: of the 48 bits of the product the low or the
/// high 32.
template <bool Add> void emitMul24Form(PtxContext &c, const PtxStatement &s) {
  bool isSigned = typeOf(c, s).isSigned();
  Value *x = readOperand(c, s, 1), *y = readOperand(c, s, 2), *v;
  if (s.has("hi")) {
    auto widen = [&](Value *n) { return c.b.CreateIntCast(n, c.b.getInt64Ty(), isSigned); };
    Value *all = emitMul24(c.b, widen(x), widen(y), isSigned);
    v = c.b.CreateTrunc(c.b.CreateLShr(all, 16), c.b.getInt32Ty());
  } else {
    v = emitMul24(c.b, x, y, isSigned);
  }
  c.write(s.operands[0], Add ? addTo(c, s, v, readOperand(c, s, 3)) : v);
}

/// Emits min or max of two operands, of floats also of three; .NaN: a NaN wins instead of losing.
/// .abs is for three floats, and for two with .xorsign.
template <Intrinsic::ID Signed, Intrinsic::ID Unsigned, Intrinsic::ID Float>
void emitMinMax(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  bool hasThree = s.operands.size() == 4, hasSigns = s.has("xorsign"), isAbs = s.has("abs");
  bool isKnown = hasThree ? t.isFloat() && t.bits == 32 && !hasSigns
                          : isAbs == hasSigns && (!isAbs || (t.isFloat() && t.bits < 64));
  if (!isKnown)
    return c.failUnknown(s);
  constexpr Intrinsic::ID OrNan =
      Float == Intrinsic::maxnum ? Intrinsic::maximum : Intrinsic::minimum;
  Intrinsic::ID function = !t.isFloat()   ? (t.isSigned() ? Signed : Unsigned)
                           : s.has("NaN") ? OrNan
                                          : Float;
  if (hasSigns)
    return c.write(s.operands[0],
                   emitOfMagnitudes(c.b, function, readOperand(c, s, 1), readOperand(c, s, 2)));
  auto operand = [&](unsigned i) {
    return isAbs ? c.b.CreateUnaryIntrinsic(Intrinsic::fabs, readOperand(c, s, i))
                 : readOperand(c, s, i);
  };
  Value *result = c.b.CreateBinaryIntrinsic(function, operand(1), operand(2));
  if (hasThree)
    result = c.b.CreateBinaryIntrinsic(function, result, operand(3));
  c.write(s.operands[0], result);
}

template <Instruction::BinaryOps Signed, Instruction::BinaryOps Unsigned>
void emitDivision(PtxContext &c, const PtxStatement &s) {
  if (typeOf(c, s).isFloat())
    return emitArith<Instruction::UDiv, Instruction::FDiv>(c, s);
  c.write(s.operands[0], c.b.CreateBinOp(typeOf(c, s).isSigned() ? Signed : Unsigned,
                                         readOperand(c, s, 1), readOperand(c, s, 2)));
}

void emitSad(PtxContext &c, const PtxStatement &s) {
  bool isSigned = typeOf(c, s).isSigned();
  Value *x = readOperand(c, s, 1), *y = readOperand(c, s, 2);
  Value *max = c.b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, x, y);
  Value *min = c.b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, x, y);
  c.write(s.operands[0], c.b.CreateAdd(c.b.CreateSub(max, min), readOperand(c, s, 3)));
}

void emitAbs(PtxContext &c, const PtxStatement &s) {
  Value *x = readOperand(c, s, 1);
  c.write(s.operands[0], typeOf(c, s).isFloat()
                             ? c.b.CreateUnaryIntrinsic(Intrinsic::fabs, x)
                             : c.b.CreateBinaryIntrinsic(Intrinsic::abs, x, c.b.getFalse()));
}

void emitNeg(PtxContext &c, const PtxStatement &s) {
  Value *x = readOperand(c, s, 1);
  c.write(s.operands[0], typeOf(c, s).isFloat() ? c.b.CreateFNeg(x) : c.b.CreateNeg(x));
}

void emitNot(PtxContext &c, const PtxStatement &s) {
  c.write(s.operands[0], c.b.CreateNot(readOperand(c, s, 1)));
}

void emitCNot(PtxContext &c, const PtxStatement &s) {
  Value *x = readOperand(c, s, 1);
  c.write(s.operands[0], c.b.CreateZExt(c.b.CreateIsNull(x), x->getType()));
}

/// Emits a shift: the amount is 32 bits wide, and at least the width of the operand means all bits
/// go.
template <bool Left> void emitShift(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *x = readOperand(c, s, 1);
  Value *n = c.read(s.operands[2], c.b.getInt32Ty());
  Value *tooFar = c.b.CreateICmpUGE(n, c.b.getInt32(t.bits));
  Value *amount =
      c.b.CreateZExtOrTrunc(c.b.CreateSelect(tooFar, c.b.getInt32(t.bits - 1), n), x->getType());
  if (!Left && t.isSigned())
    return c.write(s.operands[0], c.b.CreateAShr(x, amount));
  Value *shifted = Left ? c.b.CreateShl(x, amount) : c.b.CreateLShr(x, amount);
  c.write(s.operands[0], c.b.CreateSelect(tooFar, ConstantInt::get(x->getType(), 0), shifted));
}

/// Emits code for shf.{l,r}.{wrap,clamp}.b32 d, lo, hi, amount
void emitFunnel(PtxContext &c, const PtxStatement &s) {
  Value *lo = readOperand(c, s, 1), *hi = readOperand(c, s, 2), *n = readOperand(c, s, 3);
  bool left = s.has("l");
  if (s.has("clamp"))
    return c.write(s.operands[0], emitFunnelClamp(c.b, lo, hi, n, left));
  c.write(s.operands[0], c.b.CreateIntrinsic(left ? Intrinsic::fshl : Intrinsic::fshr,
                                             {n->getType()}, {hi, lo, n}));
}

/// Emits code for dp4a.atype.btype, dp2a.{lo,hi}.atype.btype
void emitDotProduct(PtxContext &c, const PtxStatement &s) {
  size_t n = s.words.size();
  if (n < (s.op() == "dp2a" ? 4u : 3u))
    return c.failUnknown(s);
  std::string name = "__vxm_" + s.words[0] + (s.op() == "dp2a" ? "_" + s.words[1] : "") + "_" +
                     s.words[n - 2][0] + s.words[n - 1][0];
  Type *i32 = c.b.getInt32Ty();
  c.write(s.operands[0], emitLibrary(c.b, name, i32,
                                     {c.read(s.operands[1], i32), c.read(s.operands[2], i32),
                                      c.read(s.operands[3], i32)}));
}

constexpr PtxInstruction kIntegerInstructions[] = {
    {"add", 3, emitAdd, false, "ifh"},
    {"addc", 3, emitCarry<true, true>, false, "i"},
    {"sub", 3, emitSub, false, "ifh"},
    {"subc", 3, emitCarry<false, true>, false, "i"},
    {"mul", 3, emitMul, false, "ifh"},
    {"mad", 4, emitMad<false>, false, "if"},
    {"madc", 4, emitMad<true>, false, "i"},
    {"mul24", 3, emitMul24Form<false>, false, "i"},
    {"mad24", 4, emitMul24Form<true>, false, "i"},
    {"sad", 4, emitSad, false, "i"},
    {"div", 3, emitDivision<Instruction::SDiv, Instruction::UDiv>, false, "if"},
    {"rem", 3, emitDivision<Instruction::SRem, Instruction::URem>, false, "i"},
    {"abs", 2, emitAbs, false, "ifh"},
    {"neg", 2, emitNeg, false, "ifh"},
    {"min", 3, emitMinMax<Intrinsic::smin, Intrinsic::umin, Intrinsic::minnum>, false, "ifh"},
    {"max", 3, emitMinMax<Intrinsic::smax, Intrinsic::umax, Intrinsic::maxnum>, false, "ifh"},
    {"and", 3, emitArith<Instruction::And, Instruction::FAdd>, false, "ip"},
    {"or", 3, emitArith<Instruction::Or, Instruction::FAdd>, false, "ip"},
    {"xor", 3, emitArith<Instruction::Xor, Instruction::FAdd>, false, "ip"},
    {"not", 2, emitNot, false, "ip"},
    {"cnot", 2, emitCNot, false, "i"},
    {"shl", 3, emitShift<true>, false, "i"},
    {"shr", 3, emitShift<false>, false, "i"},
    {"shf", 4, emitFunnel, false, "i"},
    {"dp4a", 4, emitDotProduct, false, ""},
    {"dp2a", 4, emitDotProduct, false, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxIntegerInstructions() {
  return kIntegerInstructions;
}

} // namespace vx::import
