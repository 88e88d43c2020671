// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: comparisons and selections.

#include "passes/import/Ptx.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Returns the predicate of comparison OP for values of type T; BAD_ICMP_PREDICATE if T has none:
/// bits are equal or not, only unsigned numbers are low and high, only floats are unordered.
CmpInst::Predicate comparison(StringRef op, PtxType t) {
  using Switch = StringSwitch<CmpInst::Predicate>;
  constexpr CmpInst::Predicate none = CmpInst::BAD_ICMP_PREDICATE;
  if (t.isFloat())
    return Switch(op)
        .Case("eq", CmpInst::FCMP_OEQ)
        .Case("ne", CmpInst::FCMP_ONE)
        .Case("lt", CmpInst::FCMP_OLT)
        .Case("le", CmpInst::FCMP_OLE)
        .Case("gt", CmpInst::FCMP_OGT)
        .Case("ge", CmpInst::FCMP_OGE)
        .Case("equ", CmpInst::FCMP_UEQ)
        .Case("neu", CmpInst::FCMP_UNE)
        .Case("ltu", CmpInst::FCMP_ULT)
        .Case("leu", CmpInst::FCMP_ULE)
        .Case("gtu", CmpInst::FCMP_UGT)
        .Case("geu", CmpInst::FCMP_UGE)
        .Case("num", CmpInst::FCMP_ORD)
        .Case("nan", CmpInst::FCMP_UNO)
        .Default(none);
  bool ordered = t.kind != 'b', isSigned = t.isSigned();
  auto numbers = [&](CmpInst::Predicate withSign, CmpInst::Predicate without) {
    return !ordered ? none : isSigned ? withSign : without;
  };
  auto sizes = [&](CmpInst::Predicate p) { return ordered && !isSigned ? p : none; };
  return Switch(op)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", numbers(CmpInst::ICMP_SLT, CmpInst::ICMP_ULT))
      .Case("le", numbers(CmpInst::ICMP_SLE, CmpInst::ICMP_ULE))
      .Case("gt", numbers(CmpInst::ICMP_SGT, CmpInst::ICMP_UGT))
      .Case("ge", numbers(CmpInst::ICMP_SGE, CmpInst::ICMP_UGE))
      .Case("lo", sizes(CmpInst::ICMP_ULT))
      .Case("ls", sizes(CmpInst::ICMP_ULE))
      .Case("hi", sizes(CmpInst::ICMP_UGT))
      .Case("hs", sizes(CmpInst::ICMP_UGE))
      .Default(none);
}

/// Returns the comparison of setp and set, one bit for each element.
Value *compare(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  CmpInst::Predicate p = comparison(s.words[1], t);
  if (p == CmpInst::BAD_ICMP_PREDICATE) {
    c.failUnknown(s);
    return c.b.getFalse();
  }
  return c.b.CreateCmp(p, c.read(s.operands[1], t), c.read(s.operands[2], t));
}

/// Emits V and, or or xor the further predicate of S, if there is one.
Value *combine(PtxContext &c, const PtxStatement &s, Value *v) {
  static constexpr std::pair<StringLiteral, Instruction::BinaryOps> operations[] = {
      {"and", Instruction::And}, {"or", Instruction::Or}, {"xor", Instruction::Xor}};
  const auto *operation = find_if(operations, [&](auto &o) { return s.has(o.first); });
  if ((operation == std::end(operations)) != (s.operands.size() == 3)) {
    c.failUnknown(s);
    return v;
  }
  if (operation == std::end(operations))
    return v;
  Value *other = c.read(s.operands[3], c.b.getInt1Ty());
  if (auto *vector = dyn_cast<FixedVectorType>(v->getType()))
    other = c.b.CreateVectorSplat(vector->getNumElements(), other);
  return c.b.CreateBinOp(operation->second, v, other);
}

/// Emits code for setp.cmp{.op}.type p|q, a, b{, c}: p is (a cmp b) op c and q is !(a cmp b) op c.
/// Of packed values, p has the result of the low element and q that of the high one.
void emitSetp(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  const PtxOperand &to = s.operands[0];
  bool isPair = to.kind == PtxOperand::Pair;
  if (isPair && t.isFloat() && t.bits == 16 && !t.packed)
    return c.failUnknown(s);
  Value *v = compare(c, s), *first = combine(c, s, v), *second = nullptr;
  if (t.packed) {
    second = c.b.CreateExtractElement(first, uint64_t(1));
    first = c.b.CreateExtractElement(first, uint64_t(0));
  } else if (isPair) {
    second = combine(c, s, c.b.CreateNot(v));
  }
  c.write(isPair ? to.parts[0] : to, first);
  if (isPair)
    c.write(to.parts[1], second);
}

/// Returns true if set can have results of type TO for values of type FROM.
bool canSet(PtxType to, PtxType from) {
  bool halves = from.isFloat() && from.bits == 16;
  if (to.isFloat())
    return to.packed == from.packed &&
           (to.packed ? to.brain == from.brain : to.bits == 16 || (to.bits == 32 && !halves));
  return to.kind != 'b' && (to.bits == 32 || (to.bits == 16 && halves && !from.packed));
}

/// Emits code for set.cmp{.op}.dtype.stype d, a, b{, c}: all ones, or 1.0 for a float. Of packed
/// values, each half of d has the result of an element.
void emitSet(PtxContext &c, const PtxStatement &s) {
  PtxType from = typeOf(c, s);
  std::optional<PtxType> to = parsePtxType(s.words[s.words.size() - 2]);
  if (!to || !canSet(*to, from))
    return c.failUnknown(s);
  Value *v = combine(c, s, compare(c, s));
  if (to->isFloat())
    v = c.b.CreateUIToFP(v, to->irType(c.call.getContext()));
  else if (from.packed)
    v = c.b.CreateSExt(v, FixedVectorType::get(c.b.getInt16Ty(), 2));
  else
    v = c.b.CreateSExt(v, c.b.getIntNTy(to->bits));
  c.write(s.operands[0], v);
}

void emitSelp(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  c.write(s.operands[0], c.b.CreateSelect(c.read(s.operands[3], c.b.getInt1Ty()),
                                          c.read(s.operands[1], t), c.read(s.operands[2], t)));
}

/// Emits code for slct.dtype.ctype d, a, b, x: a if x >= 0, else b.
void emitSlct(PtxContext &c, const PtxStatement &s) {
  PtxType test = typeOf(c, s);
  std::optional<PtxType> t = parsePtxType(s.words[s.words.size() - 2]);
  if (test.bits != 32 || (!test.isFloat() && !test.isSigned()) || !t || t->kind == 'p' ||
      t->bits > 64 || t->bits < (t->isFloat() ? 32 : 16))
    return c.failUnknown(s);
  Value *x = c.read(s.operands[3], test);
  Value *p = test.isFloat() ? c.b.CreateFCmpOGE(x, ConstantFP::get(x->getType(), 0.0))
                            : c.b.CreateICmpSGE(x, ConstantInt::get(x->getType(), 0));
  c.write(s.operands[0], c.b.CreateSelect(p, c.read(s.operands[1], *t), c.read(s.operands[2], *t)));
}

constexpr PtxInstruction kCompareInstructions[] = {
    {"setp", 3, emitSetp, false, "ifh"},
    {"set", 3, emitSet, false, "ifh"},
    {"selp", 4, emitSelp, false, "if"},
    {"slct", 4, emitSlct, false, "if"},
};

} // namespace

ArrayRef<PtxInstruction> ptxCompareInstructions() {
  return kCompareInstructions;
}

} // namespace vx::import
