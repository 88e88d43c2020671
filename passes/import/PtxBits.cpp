// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: fields, counts and permutations of bits.

#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Emits code for lop3.b32: the table says which of the eight combinations of bits yield one.
void emitLop3(PtxContext &c, const PtxStatement &s) {
  if (s.operands[4].kind != PtxOperand::Number)
    return c.fail("lop3 needs a constant table");
  Value *result = c.b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(s.operands[4].bits >> row & 1))
      continue;
    Value *term = c.b.getInt32(-1);
    for (unsigned i = 0; i < 3; ++i) {
      Value *v = readOperand(c, s, 1 + i);
      term = c.b.CreateAnd(term, row >> (2 - i) & 1 ? v : c.b.CreateNot(v));
    }
    result = c.b.CreateOr(result, term);
  }
  c.write(s.operands[0], result);
}

/// Emits bit-field and permute instructions that device math defines: the name says the type.
void emitBitField(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  bool insert = s.op() == "bfi";
  std::string name = "__vxm_" + s.words[0] + "_" + (insert ? 'b' : t.kind) + std::to_string(t.bits);
  SmallVector<Value *, 4> args;
  for (unsigned i = 1; i < s.operands.size(); ++i)
    args.push_back(i <= (insert ? 2u : 1u) ? readOperand(c, s, i)
                                           : c.read(s.operands[i], c.b.getInt32Ty()));
  c.write(s.operands[0], emitLibrary(c.b, name, args[0]->getType(), args));
}

void emitPrmt(PtxContext &c, const PtxStatement &s) {
  std::string name = "__vxm_prmt";
  if (s.words.size() > 2)
    name = "__vxm_ptx_prmt_" + s.words.back();
  Type *i32 = c.b.getInt32Ty();
  Value *args[] = {c.read(s.operands[1], i32), c.read(s.operands[2], i32),
                   c.read(s.operands[3], i32)};
  c.write(s.operands[0], emitLibrary(c.b, name, i32, args));
}

template <Intrinsic::ID Id> void emitCount(PtxContext &c, const PtxStatement &s) {
  Value *x = readOperand(c, s, 1);
  Value *n = Id == Intrinsic::ctlz ? c.b.CreateBinaryIntrinsic(Id, x, c.b.getFalse())
                                   : c.b.CreateUnaryIntrinsic(Id, x);
  c.write(s.operands[0],
          Id == Intrinsic::bitreverse ? n : c.b.CreateZExtOrTrunc(n, c.b.getInt32Ty()));
}

void emitBfind(PtxContext &c, const PtxStatement &s) {
  c.write(s.operands[0],
          emitFindLeading(c.b, readOperand(c, s, 1), typeOf(c, s).isSigned(), s.has("shiftamt")));
}

/// Emits V of type i32, limited to 32 by .clamp or taken modulo 32 by .wrap, as i64.
Value *emitBitCount(PtxContext &c, const PtxStatement &s, Value *v) {
  v = s.has("wrap") ? c.b.CreateAnd(v, 31)
                    : c.b.CreateBinaryIntrinsic(Intrinsic::umin, v, c.b.getInt32(32));
  return c.b.CreateZExt(v, c.b.getInt64Ty());
}

/// Emits a value with as many low bits set as COUNT, an i64 of up to 32, says.
Value *emitLowBits(PtxContext &c, Value *count) {
  return c.b.CreateSub(c.b.CreateShl(c.b.getInt64(1), count), c.b.getInt64(1));
}

/// Emits code for bmsk.{clamp,wrap}.b32 d, position, width
void emitBitMask(PtxContext &c, const PtxStatement &s) {
  Value *at = emitBitCount(c, s, readOperand(c, s, 1)),
        *width = emitBitCount(c, s, readOperand(c, s, 2));
  c.write(s.operands[0],
          c.b.CreateTrunc(c.b.CreateShl(emitLowBits(c, width), at), c.b.getInt32Ty()));
}

/// Emits code for szext.{clamp,wrap}.{u32,s32} d, a, width: the low WIDTH bits of A, extended.
void emitExtendField(PtxContext &c, const PtxStatement &s) {
  Type *i32 = c.b.getInt32Ty();
  Value *width = emitBitCount(c, s, c.read(s.operands[2], i32));
  Value *a = c.b.CreateZExt(readOperand(c, s, 1), c.b.getInt64Ty());
  Value *field;
  if (typeOf(c, s).isSigned()) {
    // Up to bit 62, so that a width of 0 leaves no bit of A.
    Value *up = c.b.CreateSub(c.b.getInt64(63), width);
    Value *shifted = c.b.CreateShl(c.b.CreateShl(a, up), c.b.getInt64(1));
    field = c.b.CreateAShr(c.b.CreateAShr(shifted, up), c.b.getInt64(1));
  } else {
    field = c.b.CreateAnd(a, emitLowBits(c, width));
  }
  c.write(s.operands[0], c.b.CreateTrunc(field, i32));
}

constexpr PtxInstruction kBitInstructions[] = {
    {"lop3", 5, emitLop3, false, "i"},
    {"bfe", 4, emitBitField, false, "i"},
    {"bfi", 5, emitBitField, false, "i"},
    {"prmt", 4, emitPrmt, false, ""},
    {"brev", 2, emitCount<Intrinsic::bitreverse>, false, "i"},
    {"popc", 2, emitCount<Intrinsic::ctpop>, false, "i"},
    {"clz", 2, emitCount<Intrinsic::ctlz>, false, "i"},
    {"bfind", 2, emitBfind, false, "i"},
    {"bmsk", 3, emitBitMask, false, "i"},
    {"szext", 3, emitExtendField, false, "i"},
};

} // namespace

ArrayRef<PtxInstruction> ptxBitInstructions() {
  return kBitInstructions;
}

} // namespace vx::import
