// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: floating-point functions. The approximate forms use the library's functions, which
// are more exact; subnormal numbers are never flushed.

#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Returns the __nv_ name of operation OP for T with the rounding mode of S, or an empty string for
/// rn.
std::string roundedName(const PtxStatement &s, PtxType t, StringRef single, StringRef twice) {
  for (auto [mode, suffix] :
       {std::pair("rz", "_rz"), std::pair("rm", "_rd"), std::pair("rp", "_ru")})
    if (s.has(mode))
      return ((t.bits == 32 ? single : twice) + suffix).str();
  return "";
}

Value *saturated(PtxContext &c, const PtxStatement &s, Value *v) {
  return s.has("sat") ? emitSaturate(c.b, v) : v;
}

void emitFma(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *args[] = {c.read(s.operands[1], t), c.read(s.operands[2], t), c.read(s.operands[3], t)};
  Type *type = args[0]->getType();
  std::string name = roundedName(s, t, "__nv_fmaf", "__nv_fma");
  Value *v = name.empty() ? c.b.CreateIntrinsic(Intrinsic::fma, {type}, args)
                          : emitLibrary(c.b, name, type, args);
  c.write(s.operands[0], saturated(c, s, v));
}

void emitRcp(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *x = c.read(s.operands[1], t);
  std::string name = roundedName(s, t, "__nv_frcp", "__nv_drcp");
  c.write(s.operands[0], name.empty() ? c.b.CreateFDiv(ConstantFP::get(x->getType(), 1.0), x)
                                      : emitLibrary(c.b, name, x->getType(), {x}));
}

void emitSqrt(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *x = c.read(s.operands[1], t);
  std::string name = roundedName(s, t, "__nv_fsqrt", "__nv_dsqrt");
  c.write(s.operands[0], name.empty() ? c.b.CreateUnaryIntrinsic(Intrinsic::sqrt, x)
                                      : emitLibrary(c.b, name, x->getType(), {x}));
}

/// Functions of one operand in device math.
struct MathName {
  StringLiteral op, single, twice;
};
constexpr MathName kMathNames[] = {
    {"rsqrt", "__nv_rsqrtf", "__nv_rsqrt"}, {"ex2", "__nv_exp2f", "__nv_exp2"},
    {"lg2", "__nv_log2f", "__nv_log2"},     {"sin", "__nv_fast_sinf", "__nv_sin"},
    {"cos", "__nv_fast_cosf", "__nv_cos"},  {"tanh", "__nv_tanhf", "__nv_tanh"},
};

void emitMath(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *x = c.read(s.operands[1], t);
  if (t.bits == 16) // only these two exist
    return c.write(s.operands[0], c.b.CreateUnaryIntrinsic(
                                      s.op() == "ex2" ? Intrinsic::exp2 : Intrinsic::tanh, x));
  for (const MathName &row : kMathNames)
    if (row.op == s.op())
      return c.write(s.operands[0],
                     emitLibrary(c.b, t.bits == 64 ? row.twice : row.single, x->getType(), {x}));
}

/// Emits code for copysign d, a, b: the magnitude of b with the sign of a.
void emitCopysign(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  c.write(s.operands[0], c.b.CreateBinaryIntrinsic(Intrinsic::copysign, c.read(s.operands[2], t),
                                                   c.read(s.operands[1], t)));
}

void emitTestp(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  unsigned classes = s.has("finite")       ? fcFinite
                     : s.has("infinite")   ? fcInf
                     : s.has("number")     ? fcAllFlags & ~fcNan
                     : s.has("notanumber") ? fcNan
                     : s.has("normal")     ? fcNormal
                                           : fcSubnormal;
  c.write(s.operands[0], c.b.createIsFPClass(c.read(s.operands[1], t), classes));
}

constexpr PtxInstruction kFloatInstructions[] = {
    {"fma", 4, emitFma, false, "fh"},    {"rcp", 2, emitRcp, false, "f"},
    {"sqrt", 2, emitSqrt, false, "f"},   {"rsqrt", 2, emitMath, false, "f"},
    {"ex2", 2, emitMath, false, "fh"},   {"lg2", 2, emitMath, false, "f"},
    {"sin", 2, emitMath, false, "f"},    {"cos", 2, emitMath, false, "f"},
    {"tanh", 2, emitMath, false, "fh"},  {"copysign", 3, emitCopysign, false, "f"},
    {"testp", 2, emitTestp, false, "f"},
};

} // namespace

ArrayRef<PtxInstruction> ptxFloatInstructions() {
  return kFloatInstructions;
}

} // namespace vx::import
