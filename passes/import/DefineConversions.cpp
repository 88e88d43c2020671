// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-define-conversions: floats that the integer type has no number for become what PTX's cvt makes
// of them, where C++ and LLVM leave it open. Numbers beyond the type become its nearest one. NaN is
// 0, or the smallest signed number of the width where one of the types has 64 bits (PTX ISA, cvt,
// "NaN"). Types of less than 32 bits are the low bits of 32, as in the code of nvcc.
//
//     (int)x             ->   fptosi.sat.i32(x)
//     (signed char)x     ->   trunc(fptosi.sat.i32(x))
//     (long long)x       ->   x is a number ? fptosi.sat.i64(x) : LLONG_MIN

#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace vx {

static Value *emitConversion(IRBuilderBase &b, CastInst &conversion) {
  Value *x = conversion.getOperand(0);
  Type *type = conversion.getType();
  unsigned width = std::max(type->getScalarSizeInBits(), 32u);
  Type *wide = type->getWithNewBitWidth(width);
  auto id = isa<FPToSIInst>(conversion) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value *result = b.CreateIntrinsic(id, {wide, x->getType()}, x); // 0 of NaN
  if (width == 64 || x->getType()->getScalarType()->isDoubleTy())
    result = b.CreateSelect(b.CreateFCmpORD(x, x), result,
                            ConstantInt::get(wide, APInt::getSignedMinValue(width)));
  return b.CreateTrunc(result, type);
}

PreservedAnalyses DefineConversionsPass::run(Function &f, FunctionAnalysisManager &) {
  SmallVector<CastInst *, 16> work;
  for (Instruction &i : instructions(f))
    if (isa<FPToSIInst, FPToUIInst>(i) && i.getType()->getScalarSizeInBits() <= 64)
      work.push_back(cast<CastInst>(&i));
  for (CastInst *conversion : work) {
    IRBuilder<> b(conversion);
    Value *result = emitConversion(b, *conversion);
    result->takeName(conversion);
    conversion->replaceAllUsesWith(result);
    conversion->eraseFromParent();
  }
  return work.empty() ? PreservedAnalyses::all() : PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
