// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: the video instructions, on one integer (vadd) and as SIMD in a word (vadd4).

#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace vx::import {
namespace {

Value *minMax(IRBuilderBase &b, bool isMax, Value *x, Value *y) {
  return b.CreateBinaryIntrinsic(isMax ? Intrinsic::smax : Intrinsic::smin, x, y);
}

/// Emits code for vadd.dtype.atype.btype[.sat][.op2] d, a, b[, c]: the exact result of a and b,
/// which 64 bits hold, and with op2 (add, min, max) of that and c. Parts of operands (a.b0, a.h1)
/// are not read.
void emitScalarVideo(PtxContext &c, const PtxStatement &s) {
  constexpr size_t kTypesEnd = 4;
  if (s.words.size() < kTypesEnd)
    return c.failUnknown(s);
  PtxType types[3];
  for (size_t i = 0; i < 3; ++i) {
    std::optional<PtxType> t = parsePtxType(s.words[i + 1]);
    if (!t || t->bits != 32 || (t->kind != 's' && t->kind != 'u'))
      return c.failUnknown(s);
    types[i] = *t;
  }
  IRBuilderBase &b = c.b;
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  auto read = [&](unsigned i, const PtxType &t) {
    return b.CreateIntCast(c.read(s.operands[i], i32), i64, t.isSigned());
  };
  Value *x = read(1, types[1]), *y = read(2, types[2]);
  StringRef op = s.op();
  Value *v = op == "vadd"   ? b.CreateAdd(x, y)
             : op == "vsub" ? b.CreateSub(x, y)
             : op == "vmin" ? minMax(b, false, x, y)
             : op == "vmax"
                 ? minMax(b, true, x, y)
                 : b.CreateBinaryIntrinsic(Intrinsic::abs, b.CreateSub(x, y), b.getFalse());
  bool isSigned = types[0].isSigned();
  StringRef second = s.words.back();
  bool hasSecond = second == "add" || second == "min" || second == "max";
  for (const std::string &word : ArrayRef(s.words).drop_front(kTypesEnd))
    if (word != "sat" && (word != second || !hasSecond))
      return c.failUnknown(s);
  if (s.has("sat")) {
    Value *least = b.getInt64(isSigned ? uint64_t(INT32_MIN) : 0);
    Value *most = b.getInt64(isSigned ? INT32_MAX : UINT32_MAX);
    v = minMax(b, false, minMax(b, true, v, least), most);
  }
  v = b.CreateTrunc(v, i32);
  if (hasSecond) {
    if (s.operands.size() < 4)
      return c.failUnknown(s);
    Value *term = c.read(s.operands[3], i32);
    bool isMax = second == "max";
    v = second == "add" ? b.CreateAdd(v, term)
        : isSigned ? minMax(b, isMax, v, term)
                   : b.CreateBinaryIntrinsic(isMax ? Intrinsic::umax : Intrinsic::umin, v, term);
  }
  c.write(s.operands[0], v);
}

/// Emits SIMD in a word: vadd2, vabsdiff4, vset2… are device math functions named after the
/// instruction, the signedness and what follows the types (sat, add, a comparison).
void emitVideo(PtxContext &c, const PtxStatement &s) {
  std::string name = "__vxm_" + s.words[0];
  bool typed = false;
  for (const std::string &word : ArrayRef(s.words).drop_front()) {
    std::optional<PtxType> t = parsePtxType(word);
    if (t && !typed)
      name += std::string("_") + t->kind;
    typed |= t.has_value();
    if (!t)
      name += "_" + word;
  }
  Type *i32 = c.b.getInt32Ty();
  c.write(s.operands[0], emitLibrary(c.b, name, i32,
                                     {c.read(s.operands[1], i32), c.read(s.operands[2], i32),
                                      c.read(s.operands[3], i32)}));
}

constexpr PtxInstruction kVideoInstructions[] = {
    {"vadd", 3, emitScalarVideo, false, ""},     {"vsub", 3, emitScalarVideo, false, ""},
    {"vabsdiff", 3, emitScalarVideo, false, ""}, {"vmin", 3, emitScalarVideo, false, ""},
    {"vmax", 3, emitScalarVideo, false, ""},     {"vadd2", 4, emitVideo, false, ""},
    {"vadd4", 4, emitVideo, false, ""},          {"vsub2", 4, emitVideo, false, ""},
    {"vsub4", 4, emitVideo, false, ""},          {"vavrg2", 4, emitVideo, false, ""},
    {"vavrg4", 4, emitVideo, false, ""},         {"vabsdiff2", 4, emitVideo, false, ""},
    {"vabsdiff4", 4, emitVideo, false, ""},      {"vmin2", 4, emitVideo, false, ""},
    {"vmin4", 4, emitVideo, false, ""},          {"vmax2", 4, emitVideo, false, ""},
    {"vmax4", 4, emitVideo, false, ""},          {"vset2", 4, emitVideo, false, ""},
    {"vset4", 4, emitVideo, false, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxVideoInstructions() {
  return kVideoInstructions;
}

} // namespace vx::import
