// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preparation that vx-coarsen-kernels does before it coarsens a kernel, for vx-decide-mappings,
// which looks at the same.

#ifndef VX_PASSES_REGIONS_COARSENKERNELS_H
#define VX_PASSES_REGIONS_COARSENKERNELS_H

#include "intrinsics/abi/WarpSize.h"
#include "lib/PRTransform/Coarsening.h"

namespace vx {

/// The hardware warps that kernels are coarsened for.
inline constexpr WarpParts kCoarsenedWarp = {abi::kCoarsenedParts, abi::kCoarsenedLanes};

/// Leaves votes and shuffles only in VARIANT, makes it one for blocks of one dimension, and undoes
/// vx-unroll-loops.
void prepareForCoarsening(llvm::Function &variant, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_COARSENKERNELS_H
