// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-define-conversions: NaN as an integer is what PTX's cvt makes of it (PTX ISA, cvt, "NaN"): 0,
// or the smallest signed number of the width where one of the types has 64 bits. C++ leaves it
// open, and RISC-V makes the largest number of it, which is no index of an array:
//
//     (int)x     ->   x is a number ? (int)x : 0

#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace vx {

static Constant *integerOfNan(Type *type, Type *from) {
  unsigned width = type->getScalarSizeInBits();
  bool isWide = width == 64 || from->getScalarType()->isDoubleTy();
  return ConstantInt::get(type, isWide ? APInt::getSignedMinValue(width) : APInt::getZero(width));
}

PreservedAnalyses DefineConversionsPass::run(Function &f, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 16> work;
  for (Instruction &i : instructions(f))
    if (isa<FPToSIInst, FPToUIInst>(i) && i.getType()->getScalarSizeInBits() <= 64)
      work.push_back(&i);
  for (Instruction *conversion : work)
    replaceResult(*conversion, [&](IRBuilderBase &b) {
      Value *x = conversion->getOperand(0);
      Constant *ofNan = integerOfNan(conversion->getType(), x->getType());
      return b.CreateSelect(b.CreateFCmpORD(x, x), conversion, ofNan);
    });
  return work.empty() ? PreservedAnalyses::all() : PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
