// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of binary16, for which the machine has no instruction, without branches.

#ifndef VX_PASSES_IMPORT_HALFCONVERSIONS_H
#define VX_PASSES_IMPORT_HALFCONVERSIONS_H

#include "llvm/IR/IRBuilder.h"

namespace vx {

/// The float of the half with these BITS (i16). A NaN keeps its bits.
llvm::Value *emitFloatOfHalf(llvm::IRBuilderBase &b, llvm::Value *bits);

/// The bits (i16) of the half nearest to X, a float or double; ties go to the even one, and NaN is
/// 0x7fff, as on a GPU.
llvm::Value *emitHalfBits(llvm::IRBuilderBase &b, llvm::Value *x);

/// The same half as a number of X's type: a third of the instructions of the two above.
llvm::Value *emitRoundToHalf(llvm::IRBuilderBase &b, llvm::Value *x);

} // namespace vx

#endif // VX_PASSES_IMPORT_HALFCONVERSIONS_H
