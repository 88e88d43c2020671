// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of 16-bit floats, binary16 (half) and bfloat16, for which the machine has no
// instruction, without branches. SMALL is the type, half or bfloat.

#ifndef VX_PASSES_IMPORT_SMALLFLOATS_H
#define VX_PASSES_IMPORT_SMALLFLOATS_H

#include "llvm/IR/IRBuilder.h"

namespace vx {

/// Emits the float of the SMALL with these BITS (i16). A NaN keeps its bits.
llvm::Value *emitFloatOfSmall(llvm::IRBuilderBase &b, llvm::Value *bits, llvm::Type *small);

/// Emits the bits (i16) of the SMALL nearest to X, a float or double; ties go to the even one, and
/// NaN is 0x7fff, as on a GPU.
llvm::Value *emitSmallBits(llvm::IRBuilderBase &b, llvm::Value *x, llvm::Type *small);

/// Emits the same number as a float or double: of X's type for a half, a float for a bfloat16.
llvm::Value *emitRoundToSmall(llvm::IRBuilderBase &b, llvm::Value *x, llvm::Type *small);

/// Emits the bits (i16) of X, which emitRoundToSmall has made or emitFloatOfSmall.
llvm::Value *emitBitsOfRounded(llvm::IRBuilderBase &b, llvm::Value *x, llvm::Type *small);

/// Emits X * Y + Z of three floats that are bfloat16 numbers, as a float that emitSmallBits and
/// emitRoundToSmall round to the nearest bfloat16 of the exact sum.
llvm::Value *emitBfloatMultiplyAdd(llvm::IRBuilderBase &b, llvm::Value *x, llvm::Value *y,
                                   llvm::Value *z);

} // namespace vx

#endif // VX_PASSES_IMPORT_SMALLFLOATS_H
