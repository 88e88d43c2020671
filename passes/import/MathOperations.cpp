// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations without an instruction become calls of device math, by table: LLVM's math intrinsics,
// the floating-point remainder, division of 128-bit integers. Vectors are split into elements.
// Those of 16-bit floats become operations of wider ones.
// linkDeviceMath does this first; vx-lower-math does it alone.

#include "passes/Passes.h"
#include "passes/import/Emit.h"
#include "passes/import/Math.h"
#include "passes/import/SmallFloats.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace vx {
namespace {

struct Row {
  Intrinsic::ID id;
  StringLiteral single, twice;
};
constexpr Row kRows[] = {
    {Intrinsic::sin, "__nv_sinf", "__nv_sin"},
    {Intrinsic::cos, "__nv_cosf", "__nv_cos"},
    {Intrinsic::tan, "__nv_tanf", "__nv_tan"},
    {Intrinsic::asin, "__nv_asinf", "__nv_asin"},
    {Intrinsic::acos, "__nv_acosf", "__nv_acos"},
    {Intrinsic::atan, "__nv_atanf", "__nv_atan"},
    {Intrinsic::atan2, "__nv_atan2f", "__nv_atan2"},
    {Intrinsic::sinh, "__nv_sinhf", "__nv_sinh"},
    {Intrinsic::cosh, "__nv_coshf", "__nv_cosh"},
    {Intrinsic::tanh, "__nv_tanhf", "__nv_tanh"},
    {Intrinsic::exp, "__nv_expf", "__nv_exp"},
    {Intrinsic::exp2, "__nv_exp2f", "__nv_exp2"},
    {Intrinsic::exp10, "__nv_exp10f", "__nv_exp10"},
    {Intrinsic::log, "__nv_logf", "__nv_log"},
    {Intrinsic::log2, "__nv_log2f", "__nv_log2"},
    {Intrinsic::log10, "__nv_log10f", "__nv_log10"},
    {Intrinsic::pow, "__nv_powf", "__nv_pow"},
    {Intrinsic::powi, "__nv_powif", "__nv_powi"},
    {Intrinsic::ldexp, "__nv_ldexpf", "__nv_ldexp"},
    {Intrinsic::round, "__nv_roundf", "__nv_round"},
    {Intrinsic::lround, "__nv_llroundf", "__nv_llround"},
    {Intrinsic::llround, "__nv_llroundf", "__nv_llround"},
};

/// Returns the row of the intrinsic that I calls; null if there is none.
template <class R, size_t N> const R *findRow(const R (&rows)[N], const Instruction &i) {
  const auto *call = dyn_cast<IntrinsicInst>(&i);
  if (!call)
    return nullptr;
  const R *row = find_if(rows, [&](const R &r) { return r.id == call->getIntrinsicID(); });
  return row == std::end(rows) ? nullptr : row;
}

bool isSmallFloat(Type *t) {
  return t->getScalarType()->isHalfTy() || t->getScalarType()->isBFloatTy();
}

/// 16-bit floats may be moved, selected and reinterpreted by code generation; operations may not.
bool isSmallFloatOperation(const Instruction &i) {
  if (isa<BinaryOperator, UnaryOperator, FPTruncInst, SIToFPInst, UIToFPInst>(i))
    return isSmallFloat(i.getType());
  if (isa<FPExtInst, FPToSIInst, FPToUIInst, FCmpInst>(i))
    return isSmallFloat(i.getOperand(0)->getType());
  const auto *call = dyn_cast<IntrinsicInst>(&i);
  return call && !isa<MemIntrinsic>(i) &&
         (isSmallFloat(call->getType()) ||
          (call->arg_size() && isSmallFloat(call->getArgOperand(0)->getType())));
}

/// Returns true if I converts a 16-bit float to or from a float or double, or changes its sign
/// alone.
bool isSmallFloatConversion(const Instruction &i) {
  return !i.getType()->isVectorTy() &&
         (isa<FPExtInst, FPTruncInst>(i) || i.getOpcode() == Instruction::FNeg ||
          match(&i, PatternMatch::m_FAbs(PatternMatch::m_Value())));
}

/// Returns the name of the device math function for I, or an empty string: 128-bit integers can be
/// added and multiplied, but not divided or converted.
std::string wideName(const Instruction &i) {
  auto isWide = [](Type *t) { return t->getScalarType()->isIntegerTy(128); };
  if (i.isIntDivRem() && isWide(i.getType()))
    return std::string("__vxm_") + i.getOpcodeName() + "128";
  bool toFloat = isa<SIToFPInst, UIToFPInst>(i), fromFloat = isa<FPToSIInst, FPToUIInst>(i);
  if (!(toFloat && isWide(i.getOperand(0)->getType())) && !(fromFloat && isWide(i.getType())))
    return "";
  Type *other = (toFloat ? i.getType() : i.getOperand(0)->getType())->getScalarType();
  if (!other->isFloatTy() && !other->isDoubleTy())
    return "";
  return std::string("__vxm_") + i.getOpcodeName() + "128" + (other->isDoubleTy() ? "d" : "f");
}

bool needsLibrary(const Instruction &i) {
  return findRow(kRows, i) || i.getOpcode() == Instruction::FRem;
}

/// Operations on 16-bit floats stay, as the optimizer knows them (vx-expand-halves).
bool needsExpansion(const Instruction &i) {
  return needsLibrary(i) || !wideName(i).empty();
}

/// Rebuilds one lane of an instruction from scalar operands.
class Lane {
public:
  Lane(IRBuilder<> &b, Instruction &i) : b(b), i(i) {}

  Value *build(SmallVector<Value *, 4> ops) {
    Type *result = i.getType()->getScalarType();
    if (std::string name = wideName(i); !name.empty())
      return import::emitLibrary(b, name, result, ops);
    if (!isSmallFloatOperation(i))
      return wide(ops, result);
    if (isa<FPTruncInst>(i))
      return b.CreateFPTrunc(ops[0], result);
    if (isa<FPExtInst>(i))
      return b.CreateFPExt(ops[0], result);
    if (isa<SIToFPInst, UIToFPInst>(i))
      return b.CreateFPTrunc(wide(ops, b.getDoubleTy()), result);
    const auto *call = dyn_cast<IntrinsicInst>(&i);
    bool fused = call && (call->getIntrinsicID() == Intrinsic::fma ||
                          call->getIntrinsicID() == Intrinsic::fmuladd);
    // The exact result of halves is one of double, or too close to one to be rounded otherwise.
    Type *type = fused && result->isHalfTy() ? b.getDoubleTy() : b.getFloatTy();
    for (Value *&op : ops)
      if (isSmallFloat(op->getType()))
        op = b.CreateFPExt(op, type);
    Value *v = fused && result->isBFloatTy() ? emitBfloatMultiplyAdd(b, ops[0], ops[1], ops[2])
                                             : wide(ops, isSmallFloat(result) ? type : result);
    return isSmallFloat(result) ? b.CreateFPTrunc(v, result) : v;
  }

private:
  /// Returns the operation on float, double or integer operands.
  Value *wide(ArrayRef<Value *> ops, Type *result) {
    bool twice = ops[0]->getType()->isDoubleTy();
    if (const Row *row = findRow(kRows, i))
      return import::emitLibrary(b, twice ? row->twice : row->single, result, ops);
    if (i.getOpcode() == Instruction::FRem)
      return import::emitLibrary(b, twice ? "__nv_fmod" : "__nv_fmodf", result, ops);
    if (auto *op = dyn_cast<BinaryOperator>(&i))
      return b.CreateBinOp(op->getOpcode(), ops[0], ops[1]);
    if (auto *compare = dyn_cast<FCmpInst>(&i))
      return b.CreateFCmp(compare->getPredicate(), ops[0], ops[1]);
    if (auto *cast = dyn_cast<CastInst>(&i))
      return b.CreateCast(cast->getOpcode(), ops[0], result);
    auto *call = cast<IntrinsicInst>(&i);
    SmallVector<Type *, 2> overloads;
    SmallVector<Type *, 4> params;
    for (Value *op : ops)
      params.push_back(op->getType());
    Intrinsic::getIntrinsicSignature(call->getIntrinsicID(),
                                     FunctionType::get(result, params, false), overloads);
    return b.CreateIntrinsic(call->getIntrinsicID(), overloads, ops);
  }

  IRBuilder<> &b;
  Instruction &i;
};

SmallVector<Value *, 4> valueOperands(Instruction &i) {
  if (auto *call = dyn_cast<CallBase>(&i))
    return {call->arg_begin(), call->arg_end()};
  return {i.value_op_begin(), i.value_op_end()};
}

void expand(Instruction &i) {
  IRBuilder<> b(&i);
  if (isa<FPMathOperator>(i))
    b.setFastMathFlags(i.getFastMathFlags());
  SmallVector<Value *, 4> operands = valueOperands(i);
  auto *vector = dyn_cast<FixedVectorType>(i.getType());
  Value *result = vector ? PoisonValue::get(vector) : nullptr;
  for (unsigned lane = 0, n = vector ? vector->getNumElements() : 1; lane < n; ++lane) {
    SmallVector<Value *, 4> scalars;
    for (Value *op : operands)
      scalars.push_back(op->getType()->isVectorTy() ? b.CreateExtractElement(op, lane) : op);
    Value *v = Lane(b, i).build(scalars);
    result = vector ? b.CreateInsertElement(result, v, lane) : v;
  }
  if (isa<Instruction>(result))
    result->takeName(&i);
  i.replaceAllUsesWith(result);
  i.eraseFromParent();
}

/// An intrinsic with two results, and the function of device math that writes its last one, or
/// both, to memory.
struct PairRow {
  Intrinsic::ID id;
  StringLiteral single, twice;
  bool writesBoth;
};
constexpr PairRow kPairRows[] = {
    {Intrinsic::frexp, "__nv_frexpf", "__nv_frexp", false},
    {Intrinsic::modf, "__nv_modff", "__nv_modf", false},
    {Intrinsic::sincos, "__nv_sincosf", "__nv_sincos", true},
};

/// Returns the row of I, if it is for a single number of float or double.
const PairRow *findPairRow(const Instruction &i) {
  const PairRow *row = findRow(kPairRows, i);
  Type *type = row ? cast<CallBase>(i).getArgOperand(0)->getType() : nullptr;
  return row && (type->isFloatTy() || type->isDoubleTy()) ? row : nullptr;
}

void expandPair(Instruction &i, const PairRow &row) {
  auto *results = cast<StructType>(i.getType());
  Value *x = cast<CallBase>(i).getArgOperand(0);
  StringRef name = x->getType()->isDoubleTy() ? row.twice : row.single;
  IRBuilder<> b(&i);
  SmallVector<Value *, 3> args = {x};
  for (unsigned n = row.writesBoth ? 0 : 1; n < 2; ++n) {
    IRBuilderBase::InsertPointGuard guard(b);
    BasicBlock &entry = i.getFunction()->getEntryBlock();
    b.SetInsertPoint(&entry, entry.begin());
    args.push_back(b.CreateAlloca(results->getElementType(n)));
  }
  auto load = [&](unsigned n, Value *place) {
    return b.CreateLoad(results->getElementType(n), place);
  };
  Type *returned = row.writesBoth ? b.getVoidTy() : results->getElementType(0);
  Value *first = import::emitLibrary(b, name, returned, args);
  if (row.writesBoth)
    first = load(0, args[1]);
  Value *pair = b.CreateInsertValue(PoisonValue::get(results), first, 0);
  pair = b.CreateInsertValue(pair, load(1, args.back()), 1);
  i.replaceAllUsesWith(pair);
  i.eraseFromParent();
}

} // namespace

void lowerMathOperations(Module &m) {
  for (Function &f : m)
    for (Instruction &i : make_early_inc_range(instructions(f)))
      if (needsExpansion(i))
        expand(i);
      else if (const PairRow *row = findPairRow(i))
        expandPair(i, *row);
}

bool lowerSmallFloatArithmetic(Function &f) {
  bool changed = false;
  for (Instruction &i : make_early_inc_range(instructions(f)))
    if (isSmallFloatOperation(i) && !isSmallFloatConversion(i)) {
      expand(i);
      changed = true;
    }
  return changed;
}

PreservedAnalyses LowerMathPass::run(Module &m, ModuleAnalysisManager &) {
  lowerMathOperations(m);
  return PreservedAnalyses::none();
}

} // namespace vx
