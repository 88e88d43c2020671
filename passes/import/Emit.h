// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expansions that both readers of NVPTX need: the intrinsics and inline PTX.

#ifndef VX_PASSES_IMPORT_EMIT_H
#define VX_PASSES_IMPORT_EMIT_H

#include "llvm/IR/IRBuilder.h"

namespace vx::import {

/// Calls the device math function NAME (linked later) with ARGS.
llvm::Value *emitLibrary(llvm::IRBuilderBase &b, llvm::StringRef name, llvm::Type *result,
                         llvm::ArrayRef<llvm::Value *> args);

/// Emits the high half of the product of X and Y.
llvm::Value *emitMulHi(llvm::IRBuilderBase &b, llvm::Value *x, llvm::Value *y, bool isSigned);

/// Emits the product of the low 24 bits of X and Y, its low 32 bits.
llvm::Value *emitMul24(llvm::IRBuilderBase &b, llvm::Value *x, llvm::Value *y, bool isSigned);

/// Emits the index of the highest bit of X that differs from its sign, -1 if there is none; with
/// SHIFTAMOUNT its distance from the top bit instead.
llvm::Value *emitFindLeading(llvm::IRBuilderBase &b, llvm::Value *x, bool isSigned,
                             bool shiftAmount);

/// Emits a funnel shift whose amount is limited to 32 instead of wrapping. HI:LO is the 64-bit
/// operand.
llvm::Value *emitFunnelClamp(llvm::IRBuilderBase &b, llvm::Value *lo, llvm::Value *hi,
                             llvm::Value *amount, bool left);

/// Emits X limited to [0, 1]; a NaN becomes 0.
llvm::Value *emitSaturate(llvm::IRBuilderBase &b, llvm::Value *x);

/// Emits min or max (FUNCTION, of two operands) of the magnitudes of X and Y, floats or vectors of
/// them. The sign is negative where one of theirs is, but a NaN stays as it is.
llvm::Value *emitOfMagnitudes(llvm::IRBuilderBase &b, llvm::Intrinsic::ID function, llvm::Value *x,
                              llvm::Value *y);

/// Emits the address, in the address space of TYPE, at which what is at P in the shared memory of
/// this block (generic or shared) lies in that of the block of rank RANK in the cluster.
llvm::Value *emitClusterMap(llvm::IRBuilderBase &b, llvm::Value *p, llvm::Value *rank,
                            llvm::Type *type);

/// Emits %lanemask_{lt,le,eq,ge,gt}: RELATION is one of those two letters.
llvm::Value *emitLaneMask(llvm::IRBuilderBase &b, llvm::StringRef relation);

/// Emits the number of CUDA warps of a block.
llvm::Value *emitWarpsPerBlock(llvm::IRBuilderBase &b);

/// Emits whether the generic pointer P points into the shared memory of this block, as i1.
llvm::Value *emitIsShared(llvm::IRBuilderBase &b, llvm::Value *p);

/// Emits a 32-bit field at OFFSET of the launch descriptor.
llvm::Value *emitDescriptorField(llvm::IRBuilderBase &b, unsigned offset);

/// Emits whether the blocks of this launch are in clusters, as i1.
llvm::Value *emitIsCluster(llvm::IRBuilderBase &b);

/// Emits the bytes of shared memory that a block of this launch has, a multiple of 16.
llvm::Value *emitSharedBytes(llvm::IRBuilderBase &b);

/// Emits P in the generic address space.
llvm::Value *emitGeneric(llvm::IRBuilderBase &b, llvm::Value *p);

} // namespace vx::import

#endif // VX_PASSES_IMPORT_EMIT_H
