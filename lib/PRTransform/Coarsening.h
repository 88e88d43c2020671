// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread coarsening for CUDA warps that are wider than hardware warps: a hardware warp runs a whole
// CUDA warp, each of its lanes several threads side by side, the parts of the warp (after Magni,
// Dubach & O'Boyle, "A large-scale cross-architecture evaluation of thread-coarsening", SC 2013).
// For 8 lanes, lane l runs threads l, l + 8, l + 16 and l + 24:
//
//     v = in[thread]                 v0 = in[w + l]; v1 = in[w + 8 + l]; …
//     for (k = 0; k < n; ++k)        for (k = 0; k < n; ++k)
//       v = v * 5 + k                  v0 = v0 * 5 + k; v1 = v1 * 5 + k; …
//     if (thread < n)                if (w + l < n)     …; if (w + 8 + l < n) …; …
//
// What is one value for the CUDA warp is computed once, and so is control flow that is uniform in
// it; between a divergent branch and its reconvergence point, the parts run one after another
// (SequentialRegions.h). Warp functions become those of a hardware warp (PartExchange.h).

#ifndef VX_LIB_PRTRANSFORM_COARSENING_H
#define VX_LIB_PRTRANSFORM_COARSENING_H

#include "lib/PRTransform/PartExchange.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace vx {

/// Instructions of a function that is copied for all threads of a lane, at most, and what
/// whyNotCoarsened() returns if there are more.
constexpr unsigned kMaxCoarsened = 6000;
constexpr llvm::StringLiteral kTooLargeToCoarsen =
    "it is too large to be copied for the threads of a lane";

/// Returns why coarsen() cannot be applied to F; empty: it can. F is as coarsen() takes it and
/// stays the same except for the form of its loops and what follows calls that do not return.
std::string whyNotCoarsened(llvm::Function &f, llvm::FunctionAnalysisManager &fam, WarpParts shape);

/// Makes a thread of F, a kernel, run as many threads as SHAPE says. Its warp functions are votes
/// and shuffles only, none in a called function, and control flow around them is uniform in each
/// warp; blocks have one dimension and whole CUDA warps. What numbers a thread becomes PartThread,
/// PartLane and PartWarp.
void coarsen(llvm::Function &f, llvm::FunctionAnalysisManager &fam, WarpParts shape);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_COARSENING_H
