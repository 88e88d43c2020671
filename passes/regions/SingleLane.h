// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that one thread of a warp runs, whatever the others do: what comes after a comparison of the
// thread's coordinates, or its lane, with one value.
//
//     if (threadIdx.x == 0)          if ((threadIdx.x & 31) == leader)

#ifndef VX_PASSES_REGIONS_SINGLELANE_H
#define VX_PASSES_REGIONS_SINGLELANE_H

#include "llvm/Analysis/UniformityAnalysis.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace vx {

/// Returns true if conditions on the way to BB leave one thread of a warp. WARP tells what is one
/// value for a warp. A block has the dimensions that the function asks for.
bool runsInSingleLane(const llvm::BasicBlock &bb, const llvm::DominatorTree &dt,
                      llvm::UniformityInfo &warp);

} // namespace vx

#endif // VX_PASSES_REGIONS_SINGLELANE_H
