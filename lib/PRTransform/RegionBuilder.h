// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop serialization: rewrites a kernel with boundaries so that one hardware thread runs several
// CUDA threads of a block. Each parallel region becomes a loop over those threads; between regions
// the hardware threads that share the block wait at a barrier and agree on the region that follows.
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

#include "lib/PRTransform/RegionFunction.h"

namespace vx {

/// Who runs the threads of a block.
enum class RegionMapping {
  Shared, ///< several hardware threads, which wait at a hardware barrier
  Serial, ///< one hardware thread: first = 0, step = 1, and no other to wait for
};

/// Builds the region form of KERNEL, which stays as it is. The new function is internal. What it is
/// built of is printed to DESCRIPTION, if there is one.
RegionFunction buildRegionFunction(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam,
                                   RegionMapping mapping = RegionMapping::Shared,
                                   llvm::raw_ostream *description = nullptr);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONBUILDER_H
