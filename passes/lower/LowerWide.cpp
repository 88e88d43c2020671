// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-wide: on RV32, operations on 64-bit integers that code generation would turn into calls
// of a run-time library (which the device does not have) become calls of our own functions, written
// in C++ and linked as IR next (runtime/device/Wide.cpp), so that the divergence passes see what is
// inside:
//
//   division and remainder; by a constant power of two they stay and become shifts
//   conversions between floating point and integers of more than 32 bits, and the rounding
//   intrinsics that yield such integers
//
// Integers of more than 64 bits are device math's business (vx-lower-math).

#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

class WideLowering {
public:
  explicit WideLowering(Module &m) : m(m) {}

  bool run() {
    SmallVector<Instruction *, 16> work;
    for (Function &f : m)
      for (Instruction &i : instructions(f))
        if (isa<BinaryOperator>(i) || isa<CastInst>(i) || isa<IntrinsicInst>(i))
          work.push_back(&i);
    return count_if(work, [&](Instruction *i) { return replace(*i); }) != 0;
  }

private:
  bool replace(Instruction &i) {
    IRBuilder<> b(&i);
    Value *v = lower(b, i);
    if (!v)
      return false;
    BasicBlock::iterator at = i.getIterator();
    ReplaceInstWithValue(at, v);
    return true;
  }

  Value *lower(IRBuilderBase &b, Instruction &i) {
    if (auto *vec = dyn_cast<FixedVectorType>(i.getType()))
      return isWideVector(i) ? lowerVector(b, i, *vec) : nullptr;
    switch (i.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
      return lowerDivision(b, cast<BinaryOperator>(i));
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return lowerToFloat(b, i, i.getOpcode() == Instruction::SIToFP);
    case Instruction::FPToSI:
      return lowerFromFloat(b, i.getOperand(0), i.getType(), true);
    case Instruction::FPToUI:
      return lowerFromFloat(b, i.getOperand(0), i.getType(), false);
    case Instruction::Call:
      return lowerIntrinsic(b, cast<IntrinsicInst>(i));
    default:
      return nullptr;
    }
  }

  static bool isWide(Type *t) {
    return t->isIntegerTy() && t->getIntegerBitWidth() > 32 && t->getIntegerBitWidth() <= 64;
  }

  // --- vectors: element by element ---

  static bool isWideVector(const Instruction &i) {
    auto isWideElement = [](Type *t) { return isWide(t->getScalarType()); };
    switch (i.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return isWideElement(i.getType());
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return isWideElement(i.getOperand(0)->getType());
    default:
      return false;
    }
  }

  Value *lowerVector(IRBuilderBase &b, Instruction &i, FixedVectorType &type) {
    Value *r = PoisonValue::get(&type);
    for (unsigned k = 0; k < type.getNumElements(); ++k) {
      Value *x = b.CreateExtractElement(i.getOperand(0), k), *part;
      if (auto *op = dyn_cast<BinaryOperator>(&i))
        part = b.CreateBinOp(op->getOpcode(), x, b.CreateExtractElement(i.getOperand(1), k));
      else
        part = b.CreateCast(cast<CastInst>(i).getOpcode(), x, type.getElementType());
      if (auto *element = dyn_cast<Instruction>(part)) {
        IRBuilder<> at(element);
        if (Value *v = lower(at, *element)) {
          element->replaceAllUsesWith(v);
          element->eraseFromParent();
          part = v;
        }
      }
      r = b.CreateInsertElement(r, part, k);
    }
    return r;
  }

  // --- division ---

  Value *lowerDivision(IRBuilderBase &b, BinaryOperator &i) {
    if (auto *d = dyn_cast<ConstantInt>(i.getOperand(1));
        !isWide(i.getType()) || (d && d->getValue().isPowerOf2()))
      return nullptr;
    bool isSigned = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
    bool isRem = i.getOpcode() == Instruction::URem || i.getOpcode() == Instruction::SRem;
    Value *x = b.CreateIntCast(i.getOperand(0), b.getInt64Ty(), isSigned);
    Value *y = b.CreateIntCast(i.getOperand(1), b.getInt64Ty(), isSigned);
    static constexpr VxFn kFns[2][2] = {{VxFn::UDiv64, VxFn::SDiv64}, {VxFn::URem64, VxFn::SRem64}};
    return b.CreateTrunc(emitCall(b, kFns[isRem][isSigned], {x, y}), i.getType());
  }

  // --- conversions ---

  Value *lowerToFloat(IRBuilderBase &b, Instruction &i, bool isSigned) {
    Type *from = i.getOperand(0)->getType(), *to = i.getType();
    if (!isWide(from) || !(to->isFloatTy() || to->isDoubleTy()))
      return nullptr;
    static constexpr VxFn kFns[2][2] = {{VxFn::UIToF32, VxFn::SIToF32},
                                        {VxFn::UIToF64, VxFn::SIToF64}};
    Value *x = b.CreateIntCast(i.getOperand(0), b.getInt64Ty(), isSigned);
    return emitCall(b, kFns[to->isDoubleTy()][isSigned], {x});
  }

  /// Converts X, a float or double, to the integer type TO, saturating; NaN becomes 0.
  Value *lowerFromFloat(IRBuilderBase &b, Value *x, Type *to, bool isSigned) {
    Type *from = x->getType();
    if (!isWide(to) || !(from->isFloatTy() || from->isDoubleTy()))
      return nullptr;
    Value *d = b.CreateFPCast(x, b.getDoubleTy()); // exact
    return b.CreateTrunc(emitCall(b, isSigned ? VxFn::F64ToSI : VxFn::F64ToUI, {d}), to);
  }

  Value *lowerIntrinsic(IRBuilderBase &b, IntrinsicInst &i) {
    switch (i.getIntrinsicID()) {
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
      // A width between 32 and 64 would saturate at its own limits.
      if (!i.getType()->isIntegerTy(64))
        return nullptr;
      return lowerFromFloat(b, i.getArgOperand(0), i.getType(),
                            i.getIntrinsicID() == Intrinsic::fptosi_sat);
    case Intrinsic::lrint:
    case Intrinsic::llrint:
      return lowerRounding(b, i, Intrinsic::rint);
    case Intrinsic::lround:
    case Intrinsic::llround:
      return lowerRounding(b, i, Intrinsic::round);
    default:
      return nullptr;
    }
  }

  Value *lowerRounding(IRBuilderBase &b, IntrinsicInst &i, Intrinsic::ID rounding) {
    if (!isWide(i.getType()))
      return nullptr;
    Value *d = b.CreateFPCast(i.getArgOperand(0), b.getDoubleTy());
    return lowerFromFloat(b, b.CreateUnaryIntrinsic(rounding, d), i.getType(), true);
  }

  Module &m;
};

} // namespace

PreservedAnalyses LowerWidePass::run(Module &m, ModuleAnalysisManager &) {
  return getXlen(m) == 32 && WideLowering(m).run() ? PreservedAnalyses::none()
                                                   : PreservedAnalyses::all();
}

} // namespace vx
