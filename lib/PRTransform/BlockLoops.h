// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the threads of a block, one for each parallel region; between regions the hardware
// threads that share the block wait at a barrier and agree on the region that follows.
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

#ifndef VX_LIB_PRTRANSFORM_BLOCKLOOPS_H
#define VX_LIB_PRTRANSFORM_BLOCKLOOPS_H

#include "lib/PRTransform/LoopBuilder.h"
#include <memory>

namespace vx {

/// Returns the builder of loops over the threads of a block. SERIAL: one hardware thread runs the
/// block, and waits for no other.
std::unique_ptr<LoopBuilder> makeBlockLoops(llvm::Function &f, const ParallelRegions &regions,
                                            RegionStorage storage, bool regular, bool serial);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_BLOCKLOOPS_H
