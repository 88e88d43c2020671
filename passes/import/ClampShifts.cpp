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

#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace vx {

static bool isBounded(const Instruction &shift) {
  KnownBits amount = computeKnownBits(shift.getOperand(1), shift.getDataLayout());
  return amount.getMaxValue().ult(shift.getType()->getScalarSizeInBits());
}

static void clamp(Instruction &shift) {
  IRBuilder<> b(&shift);
  Type *type = shift.getType();
  unsigned width = type->getScalarSizeInBits();
  Value *amount = shift.getOperand(1);
  Value *small = b.CreateICmpULT(amount, ConstantInt::get(type, width));
  if (shift.getOpcode() == Instruction::AShr)
    return shift.setOperand(1, b.CreateSelect(small, amount, ConstantInt::get(type, width - 1)));
  replaceResult(shift, [&](IRBuilderBase &after) {
    return after.CreateSelect(small, &shift, Constant::getNullValue(type));
  });
}

PreservedAnalyses ClampShiftsPass::run(Function &f, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 16> work;
  for (Instruction &i : instructions(f))
    if (i.isShift() && !isBounded(i))
      work.push_back(&i);
  for (Instruction *shift : work)
    clamp(*shift);
  return work.empty() ? PreservedAnalyses::all() : PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
