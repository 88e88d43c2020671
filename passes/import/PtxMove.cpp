// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: moves, packing and unpacking, conversions.

#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Emits code for mov d, {a, b}: the parts from the lowest bits up.
void emitPack(PtxContext &c, const PtxStatement &s, PtxType t) {
  unsigned part = t.bits / s.operands[1].parts.size();
  Value *all = c.b.getIntN(t.bits, 0);
  for (auto [i, o] : enumerate(s.operands[1].parts)) {
    Value *v = c.b.CreateZExt(c.read(o, c.b.getIntNTy(part)), all->getType());
    all = c.b.CreateOr(all, c.b.CreateShl(v, i * part));
  }
  c.write(s.operands[0], all);
}

/// Emits code for mov {a, b}, s
void emitUnpack(PtxContext &c, const PtxStatement &s, PtxType t) {
  unsigned part = t.bits / s.operands[0].parts.size();
  Value *all = c.read(s.operands[1], c.b.getIntNTy(t.bits));
  for (auto [i, o] : enumerate(s.operands[0].parts))
    c.write(o, c.b.CreateTrunc(c.b.CreateLShr(all, i * part), c.b.getIntNTy(part)));
}

void emitMov(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  size_t parts = std::max(s.operands[0].parts.size(), s.operands[1].parts.size());
  if (parts && (t.bits % parts != 0 || t.bits / parts < 8))
    return c.failUnknown(s);
  if (s.operands[1].kind == PtxOperand::List)
    return emitPack(c, s, t);
  if (s.operands[0].kind == PtxOperand::List)
    return emitUnpack(c, s, t);
  c.write(s.operands[0], c.read(s.operands[1], t));
}

/// Returns an integer limited to the range of TO.
Value *clamp(PtxContext &c, Value *v, PtxType from, PtxType to) {
  bool fromSigned = from.isSigned(), toSigned = to.isSigned();
  APInt low = toSigned ? APInt::getSignedMinValue(to.bits).sextOrTrunc(from.bits)
                       : APInt::getZero(from.bits);
  APInt high = toSigned ? APInt::getSignedMaxValue(to.bits).zextOrTrunc(from.bits)
                        : APInt::getMaxValue(to.bits).zextOrTrunc(from.bits);
  if (to.bits > from.bits || (to.bits == from.bits && fromSigned == toSigned)) {
    // Wider: only a negative number does not fit, and only into an unsigned type.
    if (fromSigned && !toSigned)
      return c.b.CreateBinaryIntrinsic(Intrinsic::smax, v, ConstantInt::get(v->getType(), 0));
    return v;
  }
  if (to.bits == from.bits)
    high = APInt::getSignedMaxValue(from.bits);
  auto limit = [&](const APInt &x) { return ConstantInt::get(v->getType(), x); };
  if (fromSigned)
    v = c.b.CreateBinaryIntrinsic(Intrinsic::smax, v, limit(low));
  return c.b.CreateBinaryIntrinsic(fromSigned ? Intrinsic::smin : Intrinsic::umin, v, limit(high));
}

/// Returns the suffix of a device math conversion for the rounding mode of S.
StringRef roundingOf(const PtxStatement &s, StringRef otherwise) {
  for (auto [words, suffix] : {std::pair("rn rni", "rn"), std::pair("rz rzi", "rz"),
                               std::pair("rm rmi", "rd"), std::pair("rp rpi", "ru")}) {
    auto [plain, integer] = StringRef(words).split(' ');
    if (s.has(plain) || s.has(integer))
      return suffix;
  }
  return otherwise;
}

Value *floatToInt(PtxContext &c, const PtxStatement &s, Value *v, PtxType from, PtxType to) {
  if (from.bits == 16) {
    v = c.b.CreateFPExt(v, c.b.getFloatTy());
    from.bits = 32;
  }
  unsigned bits = to.bits == 64 ? 64 : 32;
  std::string name = from.bits == 64 ? "__nv_double2" : "__nv_float2";
  name += to.isSigned() ? (bits == 64 ? "ll_" : "int_") : (bits == 64 ? "ull_" : "uint_");
  name += roundingOf(s, "rz");
  Value *wide = emitLibrary(c.b, name, c.b.getIntNTy(bits), {v});
  if (to.bits == bits)
    return wide;
  PtxType saturated{to.kind, bits};
  return c.b.CreateTrunc(clamp(c, wide, saturated, to), c.b.getIntNTy(to.bits));
}

Value *intToFloat(PtxContext &c, const PtxStatement &s, Value *v, PtxType from, PtxType to) {
  Type *type = to.irType(c.call.getContext());
  StringRef mode = roundingOf(s, "rn");
  bool exact = to.bits == 64 ? from.bits <= 32 : from.bits <= 16;
  if (mode == "rn" || exact || to.bits == 16)
    return from.isSigned() ? c.b.CreateSIToFP(v, type) : c.b.CreateUIToFP(v, type);
  std::string name = from.isSigned() ? (from.bits == 64 ? "__nv_ll2" : "__nv_int2")
                                     : (from.bits == 64 ? "__nv_ull2" : "__nv_uint2");
  name += (to.bits == 64 ? "double_" : "float_") + mode.str();
  return emitLibrary(c.b, name, type, {v});
}

Value *floatToFloat(PtxContext &c, const PtxStatement &s, Value *v, PtxType from, PtxType to) {
  Type *type = to.irType(c.call.getContext());
  if (to.bits > from.bits)
    return c.b.CreateFPExt(v, type);
  StringRef mode = roundingOf(s, "");
  if (to.bits < from.bits) {
    if (to.bits == 32 && !mode.empty() && mode != "rn")
      return emitLibrary(c.b, "__nv_double2float_" + mode.str(), type, {v});
    return c.b.CreateFPTrunc(v, type);
  }
  auto round = StringSwitch<Intrinsic::ID>(mode)
                   .Case("rn", Intrinsic::rint)
                   .Case("rz", Intrinsic::trunc)
                   .Case("rd", Intrinsic::floor)
                   .Case("ru", Intrinsic::ceil)
                   .Default(Intrinsic::not_intrinsic);
  return round == Intrinsic::not_intrinsic ? v : c.b.CreateUnaryIntrinsic(round, v);
}

/// Emits code for cvt.rn.f16x2.f32 d, high, low
void emitCvtPacked(PtxContext &c, const PtxStatement &s, PtxType to) {
  if (s.operands.size() < 3)
    return c.fail("PTX instruction '" + s.mnemonic() + "' needs three operands");
  Type *pair = to.irType(c.call.getContext());
  Value *result = PoisonValue::get(pair);
  for (unsigned lane : {0u, 1u}) {
    Value *v = c.read(s.operands[2 - lane], c.b.getFloatTy());
    result = c.b.CreateInsertElement(result, c.b.CreateFPTrunc(v, pair->getScalarType()), lane);
  }
  c.write(s.operands[0], result);
}

/// Emits code for cvt{.mode}{.ftz}{.sat}.to.from
void emitCvt(PtxContext &c, const PtxStatement &s) {
  size_t n = s.words.size();
  std::optional<PtxType> to = n > 2 ? parsePtxType(s.words[n - 2]) : std::nullopt;
  std::optional<PtxType> from = parsePtxType(s.words[n - 1]);
  auto converts = [](const std::optional<PtxType> &t) {
    return t && t->kind != 'p' && t->bits <= 64;
  };
  if (!converts(to) || !converts(from) || from->packed || (to->packed && !from->isFloat()))
    return c.failUnknown(s);
  if (to->packed)
    return emitCvtPacked(c, s, *to);
  Value *v = c.read(s.operands[1], *from);
  if (from->isFloat() && to->isFloat()) {
    v = floatToFloat(c, s, v, *from, *to);
    v = s.has("sat") ? emitSaturate(c.b, v) : v;
  } else if (from->isFloat()) {
    v = floatToInt(c, s, v, *from, *to);
  } else if (to->isFloat()) {
    v = intToFloat(c, s, v, *from, *to);
  } else {
    v = s.has("sat") ? clamp(c, v, *from, *to) : v;
    v = c.b.CreateIntCast(v, c.b.getIntNTy(to->bits), from->isSigned());
  }
  // A signed value in a wider register is sign-extended: keep 32 bits so that reads see them.
  if (!to->isFloat() && to->bits < 32)
    v = c.b.CreateIntCast(v, c.b.getInt32Ty(), to->isSigned());
  c.write(s.operands[0], v);
}

constexpr PtxInstruction kMoveInstructions[] = {
    {"mov", 2, emitMov, false, "ipfhq"},
    {"cvt", 2, emitCvt, false, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxMoveInstructions() {
  return kMoveInstructions;
}

} // namespace vx::import
