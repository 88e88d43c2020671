// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/ExpandIntrinsics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::spirv {
namespace {

/// Expands OP into plain arithmetic: not every reader of SPIR-V knows OpIAddCarry.
Value *expandCarry(IRBuilder<> &b, WithOverflowInst &op) {
  if (op.isSigned() || op.getBinaryOp() == Instruction::Mul)
    return nullptr;
  Value *value = b.CreateBinOp(op.getBinaryOp(), op.getLHS(), op.getRHS());
  Value *carry = op.getBinaryOp() == Instruction::Add ? b.CreateICmpULT(value, op.getLHS())
                                                      : b.CreateICmpULT(op.getLHS(), op.getRHS());
  Value *pair = b.CreateInsertValue(PoisonValue::get(op.getType()), value, 0);
  return b.CreateInsertValue(pair, carry, 1);
}

/// Reverses the bits without OpBitReverse, which belongs to graphics: neighbours change places,
/// then pairs, and so on.
Value *reverseBits(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  unsigned bits = type->getScalarSizeInBits(), all = PowerOf2Ceil(bits);
  Type *wide = type->getWithNewBitWidth(all);
  Value *result = b.CreateZExt(value, wide);
  for (unsigned distance = 1; distance != all; distance *= 2) {
    // The lower one of each two groups of DISTANCE bits.
    Constant *lower =
        ConstantInt::get(wide, APInt::getSplat(all, APInt::getLowBitsSet(2 * distance, distance)));
    Value *up = b.CreateShl(b.CreateAnd(result, lower), distance);
    Value *down = b.CreateAnd(b.CreateLShr(result, distance), lower);
    result = b.CreateOr(up, down);
  }
  return b.CreateTrunc(b.CreateLShr(result, all - bits), type);
}

/// Replaces OP by the intrinsic OTHER: the back end's minima and maxima (fmin and fmax of OpenCL)
/// prefer numbers to NaNs, too.
Value *expandExtremum(IRBuilder<> &b, IntrinsicInst &op, Intrinsic::ID other) {
  return b.CreateBinaryIntrinsic(other, op.getArgOperand(0), op.getArgOperand(1), &op);
}

Value *expand(IntrinsicInst &op) {
  IRBuilder<> b(&op);
  if (auto *carry = dyn_cast<WithOverflowInst>(&op))
    return expandCarry(b, *carry);
  switch (op.getIntrinsicID()) {
  case Intrinsic::bitreverse:
    return reverseBits(b, op.getArgOperand(0));
  case Intrinsic::maximumnum:
    return expandExtremum(b, op, Intrinsic::maxnum);
  case Intrinsic::minimumnum:
    return expandExtremum(b, op, Intrinsic::minnum);
  default:
    return nullptr;
  }
}

} // namespace

void expandIntrinsics(Module &m) {
  for (Function &f : m)
    for (Instruction &i : make_early_inc_range(instructions(f)))
      if (auto *op = dyn_cast<IntrinsicInst>(&i))
        if (Value *result = expand(*op)) {
          op->replaceAllUsesWith(result);
          op->eraseFromParent();
        }
}

} // namespace vx::spirv
