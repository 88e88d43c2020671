// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-expand-branchy-ops: RISC-V code generation turns some operations into branches that no split
// guards. Each of them is rewritten here into straight-line integer and floating-point arithmetic:
//
//   select            of floats, vectors, aggregates (and of integers where Zicond is missing)
//   floor ceil trunc  by adding and subtracting 2^(mantissa bits), which rounds to an integer in
//   rint round …      the current mode; exact for every input, sign of zero and NaN included
//   minimum maximum   (NaN-propagating forms; minnum and maxnum are instructions)
//   uitofp, sitofp    of a truth value
//   ctlz cttz         with a defined result for zero
//   abs smin smax …   where Zicond is missing; saturating operations too (ExpandWideOps.h)
//   icmp shl lshr …   of integers wider than a register, where Zicond is missing
//
// The machine-level check after code generation proves that nothing was forgotten.

#include "lib/VortexIR/TargetFeatures.h"
#include "passes/Passes.h"
#include "passes/lower/ExpandWideOps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

class BranchyOpExpander {
public:
  explicit BranchyOpExpander(Function &f)
      : f(f), zicond(hasZicond(*f.getParent())), wide(f.getDataLayout().getPointerSizeInBits()) {}

  bool run() {
    SmallVector<Instruction *, 32> work;
    for (Instruction &i : instructions(f))
      if (isa<SelectInst>(i) || isa<IntrinsicInst>(i) || isa<UIToFPInst>(i) || isa<SIToFPInst>(i) ||
          (!zicond && (isa<ICmpInst>(i) || isa<BinaryOperator>(i))))
        work.push_back(&i);
    bool changed = false;
    for (Instruction *i : work) {
      IRBuilder<> b(i);
      Value *v = nullptr;
      if (auto *select = dyn_cast<SelectInst>(i))
        v = expandSelect(b, *select);
      else if (auto *conversion = dyn_cast<CastInst>(i))
        v = expandBoolToFP(b, *conversion);
      else if (auto *compare = dyn_cast<ICmpInst>(i))
        v = wide.expandCompare(b, compare->getPredicate(), i->getOperand(0), i->getOperand(1));
      else if (auto *binary = dyn_cast<BinaryOperator>(i); binary && !i->isShift())
        v = wide.expandArithmetic(b, i->getOpcode(), i->getOperand(0), i->getOperand(1));
      else if (i->isShift())
        v = wide.expandShift(b, i->getOpcode(), i->getOperand(0), i->getOperand(1));
      else
        v = expandIntrinsic(b, *cast<IntrinsicInst>(i));
      if (!v || v == i)
        continue;
      BasicBlock::iterator at = i->getIterator();
      ReplaceInstWithValue(at, v);
      changed = true;
    }
    return changed;
  }

private:
  // --- select ---

  Value *expandSelect(IRBuilderBase &b, SelectInst &s) {
    Type *type = s.getType();
    if (zicond && !s.getCondition()->getType()->isVectorTy() &&
        (type->isIntegerTy() || type->isPointerTy()))
      return nullptr;
    return choose(b, s.getCondition(), s.getTrueValue(), s.getFalseValue());
  }

  /// Emits C ? T : E without a branch, for any first-class type.
  Value *choose(IRBuilderBase &b, Value *c, Value *t, Value *e) {
    Type *type = t->getType();
    if (auto *vec = dyn_cast<FixedVectorType>(type)) {
      Value *r = PoisonValue::get(type);
      for (unsigned i = 0; i < vec->getNumElements(); ++i) {
        Value *ci = c->getType()->isVectorTy() ? b.CreateExtractElement(c, i) : c;
        r = b.CreateInsertElement(
            r, choose(b, ci, b.CreateExtractElement(t, i), b.CreateExtractElement(e, i)), i);
      }
      return r;
    }
    if (type->isAggregateType()) {
      Value *r = PoisonValue::get(type);
      for (unsigned i = 0, n = type->getNumContainedTypes() == 0 ? 0 : numElements(type); i < n;
           ++i)
        r = b.CreateInsertValue(
            r, choose(b, c, b.CreateExtractValue(t, i), b.CreateExtractValue(e, i)), i);
      return r;
    }
    // Code generation takes another register for each use of an undefined value, frozen or not.
    if (isa<UndefValue>(t) || isa<UndefValue>(e))
      return isa<UndefValue>(t) ? e : t;
    if (type->isIntegerTy(1))
      return b.CreateOr(b.CreateAnd(c, b.CreateFreeze(t)),
                        b.CreateAnd(b.CreateNot(c), b.CreateFreeze(e)));
    return chooseBits(b, c, t, e);
  }

  static unsigned numElements(Type *type) {
    return type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  }

  Value *chooseBits(IRBuilderBase &b, Value *c, Value *t, Value *e) {
    Type *type = t->getType();
    Type *bits = b.getIntNTy(f.getDataLayout().getTypeSizeInBits(type));
    auto toBits = [&](Value *v) {
      return type->isPointerTy() ? b.CreatePtrToInt(v, bits) : b.CreateBitCast(v, bits);
    };
    Value *r;
    if (zicond) {
      r = b.CreateSelect(c, toBits(t), toBits(e));
    } else {
      // ((t ^ e) & mask) ^ e; freeze, because the arm not chosen may be poison.
      Value *x = b.CreateFreeze(toBits(t)), *y = b.CreateFreeze(toBits(e));
      Value *mask = b.CreateSExt(b.CreateFreeze(c), bits);
      r = b.CreateXor(b.CreateAnd(b.CreateXor(x, y), mask), y);
    }
    return type->isPointerTy() ? b.CreateIntToPtr(r, type) : b.CreateBitCast(r, type);
  }

  // --- conversions ---

  /// Converts a truth value to floating point: code generation would select between two constants.
  Value *expandBoolToFP(IRBuilderBase &b, CastInst &conversion) {
    Value *source = conversion.getOperand(0);
    Type *type = conversion.getType();
    if (!type->isFloatTy() && !type->isDoubleTy())
      return nullptr;
    // What `true` is as an integer of the width that is converted.
    APInt whenTrue(1, 1);
    if (auto *extend = dyn_cast<CastInst>(source);
        extend && (isa<ZExtInst>(extend) || isa<SExtInst>(extend))) {
      unsigned width = extend->getDestTy()->getScalarSizeInBits();
      source = extend->getOperand(0);
      whenTrue = isa<SExtInst>(extend) ? APInt::getAllOnes(width) : APInt(width, 1);
    }
    if (!source->getType()->isIntegerTy(1))
      return nullptr;
    APFloat value(type->getFltSemantics());
    value.convertFromAPInt(whenTrue, isa<SIToFPInst>(conversion), APFloat::rmNearestTiesToEven);
    Type *bits = b.getIntNTy(type->getPrimitiveSizeInBits());
    Value *one = b.CreateBitCast(ConstantFP::get(type, value), bits);
    return b.CreateBitCast(b.CreateAnd(b.CreateSExt(source, bits), one), type);
  }

  // --- intrinsics ---

  Value *expandIntrinsic(IRBuilderBase &b, IntrinsicInst &i) {
    if (i.getType()->isVectorTy())
      return nullptr; // scalarized before
    switch (i.getIntrinsicID()) {
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::roundeven:
    case Intrinsic::round:
      return expandRounding(b, i.getIntrinsicID(), i.getArgOperand(0));
    case Intrinsic::minimum:
    case Intrinsic::maximum:
      return expandMinimum(b, i);
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
      return expandCountZeros(b, i);
    case Intrinsic::abs:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      return expandMinMax(b, i);
    default:
      return zicond ? nullptr : wide.expandIntrinsic(b, i);
    }
  }

  Value *expandRounding(IRBuilderBase &b, Intrinsic::ID id, Value *x) {
    Type *type = x->getType();
    if (!type->isFloatTy() && !type->isDoubleTy())
      return nullptr;
    b.setFastMathFlags(FastMathFlags());
    Value *limit = ConstantFP::get(type, type->isFloatTy() ? 0x1p23 : 0x1p52);
    Value *one = ConstantFP::get(type, 1.0), *zero = ConstantFP::get(type, 0.0);
    Value *mag = b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
    Value *nearest = b.CreateFSub(b.CreateFAdd(mag, limit), limit);
    auto step = [&](Value *when) { return choose(b, when, one, zero); };
    Value *r = nullptr; // of the magnitude, except floor and ceil
    switch (id) {
    case Intrinsic::trunc:
      r = b.CreateFSub(nearest, step(b.CreateFCmpOGT(nearest, mag)));
      break;
    case Intrinsic::round: {
      Value *down = b.CreateFSub(nearest, step(b.CreateFCmpOGT(nearest, mag)));
      Value *up = b.CreateFCmpOGE(b.CreateFSub(mag, down), ConstantFP::get(type, 0.5));
      r = b.CreateFAdd(down, step(up));
      break;
    }
    case Intrinsic::floor: {
      Value *s = b.CreateBinaryIntrinsic(Intrinsic::copysign, nearest, x);
      r = b.CreateFSub(s, step(b.CreateFCmpOGT(s, x)));
      break;
    }
    case Intrinsic::ceil: {
      Value *s = b.CreateBinaryIntrinsic(Intrinsic::copysign, nearest, x);
      r = b.CreateFAdd(s, step(b.CreateFCmpOLT(s, x)));
      break;
    }
    default:
      r = nearest;
      break;
    }
    // Floor and ceil keep the sign of x too: floor(+x) >= +0, ceil(-x) <= -0, and -1 has it
    // already.
    if (id == Intrinsic::floor || id == Intrinsic::ceil) {
      Value *isZero = b.CreateFCmpOEQ(r, zero);
      r = choose(b, isZero, b.CreateBinaryIntrinsic(Intrinsic::copysign, zero, x), r);
    } else {
      r = b.CreateBinaryIntrinsic(Intrinsic::copysign, r, x);
    }
    // Large values, infinities and NaN are integers already; x + 0 quiets a signalling NaN.
    return choose(b, b.CreateFCmpOLT(mag, limit), r, x);
  }

  Value *expandMinimum(IRBuilderBase &b, IntrinsicInst &i) {
    Value *x = i.getArgOperand(0), *y = i.getArgOperand(1);
    bool isMin = i.getIntrinsicID() == Intrinsic::minimum;
    // fmin/fmax order -0 below +0 and ignore one NaN; a NaN operand is put back.
    Value *r = b.CreateBinaryIntrinsic(isMin ? Intrinsic::minnum : Intrinsic::maxnum, x, y);
    Value *nan = b.CreateFAdd(x, y);
    return choose(b, b.CreateFCmpUNO(x, y), nan, r);
  }

  Value *expandCountZeros(IRBuilderBase &b, IntrinsicInst &i) {
    if (cast<ConstantInt>(i.getArgOperand(1))->isOne())
      return zicond ? nullptr : wide.countZeros(b, i.getIntrinsicID(), i.getArgOperand(0));
    Value *x = i.getArgOperand(0);
    Type *type = x->getType();
    Value *zero = ConstantInt::get(type, 0);
    Value *isZero = b.CreateICmpEQ(x, zero);
    // Count in a value that is never zero, then correct.
    Value *safe = b.CreateOr(x, b.CreateZExt(isZero, type));
    Value *n = zicond ? nullptr : wide.countZeros(b, i.getIntrinsicID(), safe);
    if (!n)
      n = b.CreateBinaryIntrinsic(i.getIntrinsicID(), safe, b.getTrue());
    bool leading = i.getIntrinsicID() == Intrinsic::ctlz;
    // ctlz(1) = width - 1 and cttz(1) = 0: add what is missing to `width`.
    Value *missing = ConstantInt::get(type, leading ? 1 : type->getIntegerBitWidth());
    Value *mask = b.CreateSExt(isZero, type);
    return b.CreateAdd(n, b.CreateAnd(mask, missing));
  }

  Value *expandMinMax(IRBuilderBase &b, IntrinsicInst &i) {
    if (zicond)
      return nullptr;
    Value *x = i.getArgOperand(0);
    Type *type = x->getType();
    if (i.getIntrinsicID() == Intrinsic::abs) {
      // Code generation knows the shorter form, and would select for two registers.
      if (type->getIntegerBitWidth() > f.getDataLayout().getPointerSizeInBits())
        return choose(b, wide.isNegative(b, x), b.CreateNeg(x), x);
      Value *sign = b.CreateAShr(x, type->getIntegerBitWidth() - 1);
      return b.CreateSub(b.CreateXor(x, sign), sign);
    }
    Value *y = i.getArgOperand(1);
    x = b.CreateFreeze(x);
    y = b.CreateFreeze(y);
    CmpInst::Predicate pred = cast<MinMaxIntrinsic>(i).getPredicate();
    return choose(b, wide.compare(b, pred, x, y), x, y);
  }

  Function &f;
  bool zicond;
  WideOps wide;
};

} // namespace

PreservedAnalyses ExpandBranchyOpsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !BranchyOpExpander(f).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
