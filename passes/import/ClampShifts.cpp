// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-clamp-shifts: a shift by as many bits as the value has, or more, shifts all of them out, as
// PTX's shl and shr do (PTX ISA, "Logic and Shift Instructions"). In C++ and in LLVM's IR it has no
// result, and RISC-V takes the amount modulo the width; CUDA programs rely on (1u << 32) - 1 being
// all ones:
//
//     x << n     ->   n < 32 ? x << n : 0
//     x >> n     ->   n < 32 ? x >> n : 0,   of signed integers x >> min(n, 31)
//
// Where the optimizer finds that the amount is small enough, nothing of it is left.

#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace vx {

static bool isBounded(const BinaryOperator &shift, unsigned width) {
  if (!isa<IntegerType>(shift.getType()) && !isa<FixedVectorType>(shift.getType()))
    return true;
  const auto &layout = shift.getDataLayout();
  return computeKnownBits(shift.getOperand(1), layout).getMaxValue().ult(width);
}

static Value *clamp(BinaryOperator &shift, unsigned width) {
  IRBuilder<> b(&shift);
  Type *type = shift.getType();
  Value *amount = shift.getOperand(1);
  Value *small = b.CreateICmpULT(amount, ConstantInt::get(type, width));
  if (shift.getOpcode() == Instruction::AShr) {
    amount = b.CreateSelect(small, amount, ConstantInt::get(type, width - 1));
    return b.CreateAShr(shift.getOperand(0), amount, "", shift.isExact());
  }
  b.SetInsertPoint(shift.getNextNode());
  return b.CreateSelect(small, &shift, Constant::getNullValue(type));
}

PreservedAnalyses ClampShiftsPass::run(Function &f, FunctionAnalysisManager &) {
  SmallVector<BinaryOperator *, 16> work;
  for (Instruction &i : instructions(f))
    if (i.isShift() && !isBounded(cast<BinaryOperator>(i), i.getType()->getScalarSizeInBits()))
      work.push_back(cast<BinaryOperator>(&i));
  if (work.empty())
    return PreservedAnalyses::all();
  for (BinaryOperator *shift : work) {
    Value *clamped = clamp(*shift, shift->getType()->getScalarSizeInBits());
    shift->replaceUsesWithIf(clamped, [&](Use &use) { return use.getUser() != clamped; });
    if (shift->use_empty())
      shift->eraseFromParent();
  }
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
