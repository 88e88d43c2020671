// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of warp functions as common IR: the operation of a reduction, the lane that a shuffle
// reads. Every expansion of warp functions, for any mapping, follows the same rules.

#ifndef VX_LIB_VORTEXIR_WARPSEMANTICS_H
#define VX_LIB_VORTEXIR_WARPSEMANTICS_H

#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace vx {

using abi::kWarpShift;
using abi::kWarpSize;
/// The segment operand of a shuffle in the whole warp.
inline constexpr unsigned kWholeWarpSegment = kWarpSize - 1;

inline bool isVote(VxFn fn) {
  return fn >= VxFn::VoteAll && fn <= VxFn::VoteBallot;
}
inline bool isShuffle(VxFn fn) {
  return fn >= VxFn::ShflUp32 && fn <= VxFn::ShflIdx64;
}
inline bool isMatch(VxFn fn) {
  return fn >= VxFn::MatchAny32 && fn <= VxFn::MatchAll64;
}
inline bool isReduction(VxFn fn) {
  return fn >= VxFn::ReduceAddI32 && fn <= VxFn::ReduceXorI64;
}

/// Emits X op Y of reduction FN.
llvm::Value *emitReduction(llvm::IRBuilderBase &b, VxFn fn, llvm::Value *x, llvm::Value *y);
/// Returns the neutral element of FN for integers; null for floating-point operations.
llvm::Constant *neutralElement(VxFn fn, llvm::Type *type);

/// The lane that a shuffle reads from if `inside` (i1) holds, else its own. Null: `inside` is
/// always true.
struct ShuffleSource {
  llvm::Value *lane;
  llvm::Value *inside;

  /// Emits the lane that thread OWN reads from.
  llvm::Value *select(llvm::IRBuilderBase &b, llvm::Value *own) const {
    return inside ? b.CreateSelect(inside, lane, own) : lane;
  }
};

/// Emits the rule of PTX for shuffle FN of LANE, with operand BY (a distance, mask or lane) in
/// SEGMENT: the bits of a lane number that are the same within a segment in bits 12…8, the clamp in
/// bits 4…0. BY and SEGMENT are i32; LANE may have any integer type, and what is computed has that
/// one.
ShuffleSource emitShuffleSource(llvm::IRBuilderBase &b, VxFn fn, llvm::Value *lane, llvm::Value *by,
                                llvm::Value *segment);

/// Emits a shuffle of VALUE, which has any 32- or 64-bit type, in the whole warp: FN32 or FN64 by
/// its size.
llvm::Value *emitWarpShuffle(llvm::IRBuilderBase &b, VxFn fn32, VxFn fn64, llvm::Value *mask,
                             llvm::Value *value, llvm::Value *lane);

/// Makes all users of the result of I use what EMIT emits after it from that result.
void replaceResult(llvm::Instruction &i,
                   llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &)> emit);

} // namespace vx

#endif // VX_LIB_VORTEXIR_WARPSEMANTICS_H
