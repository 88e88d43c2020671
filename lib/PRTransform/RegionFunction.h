// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a kernel with boundaries becomes: what it takes besides the kernel's
// parameters, and what it needs.

#ifndef VX_LIB_PRTRANSFORM_REGIONFUNCTION_H
#define VX_LIB_PRTRANSFORM_REGIONFUNCTION_H

#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace vx {

/// Parameters that the rewritten function takes after the kernel's own, in this order.
enum RegionParam : unsigned {
  kParamFirst,        ///< i32: first thread of this hardware thread (nested form: first warp)
  kParamStep,         ///< i32: distance to its next one
  kParamCount,        ///< i32: threads of the block
  kParamContext,      ///< ptr: context of the block (ContextMemory.h)
  kParamContextCount, ///< i32: threads that context arrays have room for
  kParamInterleave,   ///< i64: hardware threads whose contexts are interleaved
  kParamInterleaved,  ///< i64: this one's number among them
  kParamBarrierId,    ///< i32
  kParamBarrierCount, ///< i32: warps that wait at it
  kNumRegionParams
};

/// Bookkeeping words in the tail of a block's shared memory. They must be set up before a block
/// starts: the votes to ~0 (all bits), the counts to 0.
enum TailLayout : uint64_t {
  kTailVotes = 0,   ///< u32[3]: lowest waiting region, used in turn
  kTailCounts = 16, ///< u32[3]: barrier reductions, used in turn
  kTailBytes = 32,
};

/// "Next region" of a thread that has ended: above every region, so that a minimum skips it.
inline constexpr uint32_t kFinished = ~0u;

struct RegionFunction {
  llvm::Function *function;
  uint64_t contextBytes;          ///< per thread
  uint64_t contextFixedBytes = 0; ///< per block
  bool regular = true;
};

/// Returns a copy of KERNEL that takes the region parameters as well. It is internal.
llvm::Function *cloneWithRegionParams(llvm::Function &kernel);

/// Brings the loops of F into the form that uniformity and regions are found in.
void prepareLoops(llvm::Function &f, llvm::FunctionAnalysisManager &fam);

/// Turns the variables of F that loops were built with into values; analyses of F are dropped.
void promoteVariables(llvm::Function &f, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONFUNCTION_H
