// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested loop serialization: one hardware thread runs a whole block of a kernel whose threads also
// synchronize within their warps. Outside, a loop over the block's CUDA warps for each barrier
// region, the code between two barriers of the block; inside, a loop over the warp's lanes for each
// region between two boundaries of any kind.
//
// Where all threads of a warp go the same way between its boundaries, and all threads of the block
// between its barriers (*regular*), the kernel's control flow around boundaries stays as it is:
//
//     barrier region s:
//              for (warp = 0; warp < warps; ++warp) {
//                region r:  for (lane = 0; lane < lanes; ++lane) { region's code }
//                           goto the region that follows, or the end of the barrier region
//              }
//              goto the barrier region that follows
//
// Otherwise the threads of a warp that wait at each boundary are a set, a word of bits, and a round
// over all regions runs those at whose boundary the groups that member masks name are complete:
//
//     warp w:  starting[r] = those of the warp that the block's barrier before region r released
//              while (a thread is not waiting)
//                for each region r, in order:
//                  if (run = starting[r], or those of waiting[r] whose groups are complete)
//                    for (lane …) if (run has lane) { region's code; waiting[next] += lane }
//
// A block may also be spread over several hardware threads, each of which runs some of its warps:
// `first`, `first` + `step`, …. They wait for each other between two barrier regions.

#ifndef VX_LIB_PRTRANSFORM_NESTEDBUILDER_H
#define VX_LIB_PRTRANSFORM_NESTEDBUILDER_H

#include "lib/PRTransform/RegionFunction.h"

namespace vx {

/// Builds the serial form of KERNEL, which stays as it is. The new function is internal and takes
/// the region parameters; kParamFirst and kParamStep count warps, and context arrays have room for
/// those of one hardware thread. With SPREADS, several hardware threads may share a block: the
/// number of warps that wait is kParamBarrierCount, and those that are not regular agree on the
/// next barrier region in the tail of the block's shared memory. What it is built of is printed to
/// DESCRIPTION, if there is one.
RegionFunction buildNestedFunction(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam,
                                   bool spreads, llvm::raw_ostream *description = nullptr);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_NESTEDBUILDER_H
