// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions of NVVM and PTX as contract functions. What PTX returns besides the value (was the
// source lane in the segment, do all agree) is computed here.

#ifndef VX_PASSES_IMPORT_WARP_H
#define VX_PASSES_IMPORT_WARP_H

#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/IRBuilder.h"

namespace vx::import {

/// A value and the predicate that comes with it (i1).
struct WithPredicate {
  llvm::Value *value;
  llvm::Value *predicate;
};

/// Emits shuffle FN (one of the 32-bit ones) of a 32-bit integer or float; the predicate says
/// whether the source lane was in the segment. MASK null: the lanes that are here.
WithPredicate emitShuffle(llvm::IRBuilderBase &b, VxFn fn, llvm::Value *mask, llvm::Value *value,
                          llvm::Value *lane, llvm::Value *segment);

/// Emits vote FN on the i1 P; yields an i1, or an i32 for a ballot.
llvm::Value *emitVote(llvm::IRBuilderBase &b, VxFn fn, llvm::Value *mask, llvm::Value *p);

/// Emits code for match.any and match.all: the matching lanes; the predicate of match.all.
WithPredicate emitMatch(llvm::IRBuilderBase &b, bool all, llvm::Value *mask, llvm::Value *value);

/// Emits code for elect.sync: the lowest lane of MASK that is here, and whether this is it.
WithPredicate emitElect(llvm::IRBuilderBase &b, llvm::Value *mask);

} // namespace vx::import

#endif // VX_PASSES_IMPORT_WARP_H
