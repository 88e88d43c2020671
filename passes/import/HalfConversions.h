// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of binary16 alone; SmallFloats.h has those of both types.

#ifndef VX_PASSES_IMPORT_HALFCONVERSIONS_H
#define VX_PASSES_IMPORT_HALFCONVERSIONS_H

#include "llvm/IR/IRBuilder.h"

namespace vx {

/// Emits the float of the half with these BITS, as emitFloatOfSmall.
llvm::Value *emitFloatOfHalf(llvm::IRBuilderBase &b, llvm::Value *bits);
/// Emits the bits of the half nearest to X, as emitSmallBits.
llvm::Value *emitHalfBits(llvm::IRBuilderBase &b, llvm::Value *x);
/// Emits the half nearest to X as a number of X's type, as emitRoundToSmall, with a third of the
/// instructions of the two above.
llvm::Value *emitRoundToHalf(llvm::IRBuilderBase &b, llvm::Value *x);

} // namespace vx

#endif // VX_PASSES_IMPORT_HALFCONVERSIONS_H
