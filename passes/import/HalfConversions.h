// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of binary16 alone; SmallFloats.h has those of both types.

#ifndef VX_PASSES_IMPORT_HALFCONVERSIONS_H
#define VX_PASSES_IMPORT_HALFCONVERSIONS_H

#include "llvm/IR/IRBuilder.h"

namespace vx {

/// As emitFloatOfSmall.
llvm::Value *emitFloatOfHalf(llvm::IRBuilderBase &b, llvm::Value *bits);
/// As emitSmallBits.
llvm::Value *emitHalfBits(llvm::IRBuilderBase &b, llvm::Value *x);
/// As emitRoundToSmall; a third of the instructions of the two above.
llvm::Value *emitRoundToHalf(llvm::IRBuilderBase &b, llvm::Value *x);

} // namespace vx

#endif // VX_PASSES_IMPORT_HALFCONVERSIONS_H
