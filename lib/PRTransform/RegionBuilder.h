// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop serialization: rewrites a kernel with boundaries so that one hardware thread runs several
// CUDA threads of a block. Each parallel region becomes a loop over those threads; between regions
// the hardware threads that share the block meet at a barrier and agree on the region that follows.
//
//     next = region 0
//     region r:  for (t = first; t < count; t += step) { restore; region's code for t; save; }
//                barrier;  next = …;  goto region next, or end
//
// With `first` = lane and `step` = all lanes of the core this is the chunked hw mapping of a block
// larger than the core; with first = 0 and step = 1 it is the serial mapping.
//
// If every boundary is reached by all threads of a block or by none, they agree by construction
// (*regular*). Otherwise (threads that returned before a barrier, a barrier under a condition that
// differs between threads) each thread keeps its next region in the context, and the lowest region
// that any thread waits for runs next, for those threads only.

#ifndef VX_LIB_PRTRANSFORM_REGIONBUILDER_H
#define VX_LIB_PRTRANSFORM_REGIONBUILDER_H

#include "lib/PRTransform/ParallelRegions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace vx {

/// Parameters that the rewritten function takes after the kernel's own, in this order.
enum RegionParam : unsigned {
  kParamFirst,        ///< i32: first thread of this hardware thread
  kParamStep,         ///< i32: distance to its next one
  kParamCount,        ///< i32: threads of the block
  kParamContext,      ///< ptr: context of the block (ContextMemory.h)
  kParamContextCount, ///< i32: threads that context arrays have room for
  kParamInterleave,   ///< i64: hardware threads whose contexts are interleaved
  kParamInterleaved,  ///< i64: this one's number among them
  kParamBarrierId,    ///< i32
  kParamBarrierCount, ///< i32: warps that meet at it
  kNumRegionParams
};

/// Bookkeeping words in the tail of a block's shared memory. They must be set up before a block
/// starts: the votes to ~0 (all bits), the counts to 0.
enum TailLayout : uint64_t {
  kTailVotes = 0,   ///< u32[3]: lowest waiting region, used in turn
  kTailCounts = 16, ///< u32[3]: barrier reductions, used in turn
  kTailBytes = 32,
};

struct RegionFunction {
  llvm::Function *function;
  uint64_t contextBytes;          ///< per thread
  uint64_t contextFixedBytes = 0; ///< per block
  bool regular = true;
};

/// Who runs the threads of a block.
enum class RegionMapping {
  Shared, ///< several hardware threads, which meet at a hardware barrier
  Serial, ///< one hardware thread: first = 0, step = 1, and nobody to wait for
};

/// A copy of KERNEL that takes the region parameters as well. It is internal.
llvm::Function *cloneWithRegionParams(llvm::Function &kernel);

/// Builds the region form of KERNEL, which stays as it is. The new function is internal.
RegionFunction buildRegionFunction(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam,
                                   RegionMapping mapping = RegionMapping::Shared);

/// True if no boundary of F is under a condition that differs between threads.
bool isRegular(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
/// True if nothing that TEST finds in F is under a condition that UI calls divergent.
bool isRegular(llvm::Function &f, llvm::UniformityInfo &ui, const llvm::PostDominatorTree &pdt,
               BoundaryTest test);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONBUILDER_H
