// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of vx-expand-branchy-ops: operations for which code generation selects between values,
// and so makes a branch where the device has no conditional-zero instructions. These are
// comparisons, shifts and counts of integers wider than a register, and saturating operations of
// any integer.

#ifndef VX_PASSES_LOWER_EXPANDWIDEOPS_H
#define VX_PASSES_LOWER_EXPANDWIDEOPS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace vx {

/// Each expand… yields the value to use instead, or null if the operation is good as it is.
class WideOps {
public:
  explicit WideOps(unsigned registerBits) : registerBits(registerBits) {}

  /// Emits the sign of V.
  static llvm::Value *isNegative(llvm::IRBuilderBase &b, llvm::Value *v);
  llvm::Value *expandCompare(llvm::IRBuilderBase &b, llvm::CmpInst::Predicate predicate,
                             llvm::Value *x, llvm::Value *y) const;
  /// Emits the comparison itself, in whichever form.
  llvm::Value *compare(llvm::IRBuilderBase &b, llvm::CmpInst::Predicate predicate, llvm::Value *x,
                       llvm::Value *y) const;
  llvm::Value *expandShift(llvm::IRBuilderBase &b, unsigned opcode, llvm::Value *x,
                           llvm::Value *amount) const;
  /// Expands sums, differences and products of more than two registers, whose carries are
  /// comparisons.
  llvm::Value *expandArithmetic(llvm::IRBuilderBase &b, unsigned opcode, llvm::Value *x,
                                llvm::Value *y) const;
  /// Emits ctlz or cttz of X, which is not zero.
  llvm::Value *countZeros(llvm::IRBuilderBase &b, llvm::Intrinsic::ID id, llvm::Value *x) const;
  /// Expands funnel shifts, three-way comparisons, operations with overflow or saturation.
  llvm::Value *expandIntrinsic(llvm::IRBuilderBase &b, llvm::IntrinsicInst &i) const;

private:
  /// A value in two parts, which may be wider than a register themselves.
  struct Halves {
    llvm::Value *low, *high;
  };
  bool isWide(const llvm::Value *v) const;
  Halves split(llvm::IRBuilderBase &b, llvm::Value *v) const;
  llvm::Value *join(llvm::IRBuilderBase &b, Halves halves) const;
  llvm::Value *shift(llvm::IRBuilderBase &b, unsigned opcode, llvm::Value *x,
                     llvm::Value *amount) const;
  llvm::Value *overflow(llvm::IRBuilderBase &b, llvm::Intrinsic::ID id, llvm::Value *x,
                        llvm::Value *y, llvm::Value *result) const;
  llvm::Value *saturate(llvm::IRBuilderBase &b, llvm::IntrinsicInst &i) const;

  unsigned registerBits;
};

} // namespace vx

#endif // VX_PASSES_LOWER_EXPANDWIDEOPS_H
