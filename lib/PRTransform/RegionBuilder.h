// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop serialization: rewrites a kernel with boundaries so that one hardware thread runs several
// CUDA threads of a block. The code between two boundaries, a parallel region, becomes a loop over
// those threads (BlockLoops.h) or, where threads also synchronize within their warps, loops over
// warps and over the lanes of each (NestedLoops.h).

#ifndef VX_LIB_PRTRANSFORM_REGIONBUILDER_H
#define VX_LIB_PRTRANSFORM_REGIONBUILDER_H

#include "lib/PRTransform/RegionFunction.h"

namespace vx {

/// The hardware threads that run the threads of a block.
enum class RegionMapping {
  Shared,      ///< several hardware threads, which wait at a hardware barrier
  Serial,      ///< one hardware thread: first = 0, step = 1, and no other to wait for
  Warps,       ///< one hardware thread, warp by warp
  WholeWarps,  ///< Warps, for blocks whose rows are a multiple of 32 threads long
  SharedWarps, ///< several hardware threads, each some of the warps; see kParamFirst and kParamStep
};

/// Returns true if the region form of KERNEL, which stays as it is, is regular for one hardware
/// thread.
bool hasRegularForm(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

/// Builds the region form of KERNEL, which stays as it is. The new function is internal and takes
/// the region parameters. For mappings of warps, kParamFirst and kParamStep count warps, and
/// context arrays have room for those of one hardware thread; with SharedWarps, the number of
/// hardware warps that wait is kParamBarrierCount, and those that are not regular agree on the next
/// barrier region in the tail of the block's shared memory. What it is built of is printed to
/// DESCRIPTION, if there is one.
RegionFunction buildRegionFunction(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam,
                                   RegionMapping mapping = RegionMapping::Shared,
                                   llvm::raw_ostream *description = nullptr);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONBUILDER_H
