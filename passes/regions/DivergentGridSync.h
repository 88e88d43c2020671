// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a grid that synchronizes, where the lanes of a hardware warp run blocks:
//
//     if (blockIdx.x == 0)
//       for (…) { …; __syncthreads(); }
//     grid.sync();
//
// The region form of a kernel that is not regular (Reconvergence.h) goes round a loop over the
// regions that threads wait at. A lane whose block is ahead waits for the grid in one round, in
// which the others are at other regions, and none of them comes to the next one. So such blocks
// must not share a hardware warp. As long as all blocks take the same path from barrier to barrier,
// they are at the same region.

#ifndef VX_PASSES_REGIONS_DIVERGENTGRIDSYNC_H
#define VX_PASSES_REGIONS_DIVERGENTGRIDSYNC_H

#include "llvm/IR/PassManager.h"

namespace vx {

/// Returns true if KERNEL synchronizes its grid, its region form is not regular, and it has
/// barriers under conditions that may differ between blocks. What is loaded from one place of
/// global memory counts as one value for all blocks.
bool syncsGridDivergently(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_DIVERGENTGRIDSYNC_H
