// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested loop serialization: one hardware thread runs a whole block of a kernel whose threads also
// meet within their warps. Outside, a loop over the block's CUDA warps for each part of the kernel
// between two barriers of the block; inside, a loop over the warp's lanes for each region between
// two boundaries of any kind.
//
// Where all threads of a warp go the same way between its boundaries, and all threads of the block
// between its barriers (*regular*), the kernel's control flow around boundaries stays as it is:
//
//     part s:  for (warp = 0; warp < warps; ++warp) {
//                region r:  for (lane = 0; lane < lanes; ++lane) { region's code }
//                           goto the region that follows, or the end of the part
//              }
//              goto the part that follows
//
// Otherwise the threads of a warp that wait at each boundary are a set, a word of bits. When a
// region ends, the next one for all of the warp is entered if the whole warp waits for it; if not,
// a dispatcher takes the first boundary at which the groups that member masks name are complete:
//
//     warp w:  run = those of the warp that the block's barrier let go
//     region r:  for (lane …) if (run has lane) { region's code; waiting[next] += lane }
//                whole warp waits for one successor? run = waiting[it]; goto it
//     dispatch:  for r: if (complete groups wait at r) { run = they; goto r }
//                all of the warp waits at barriers of the block: next warp

#ifndef VX_LIB_PRTRANSFORM_NESTEDBUILDER_H
#define VX_LIB_PRTRANSFORM_NESTEDBUILDER_H

#include "lib/PRTransform/RegionBuilder.h"

namespace vx {

/// Builds the serial form of KERNEL, which stays as it is. The new function is internal and takes
/// the region parameters.
RegionFunction buildNestedFunction(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_NESTEDBUILDER_H
