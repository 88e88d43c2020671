// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds what regions share. A region has all code that can run before the next boundary, and each
// has its own copy, so loops in each other with a barrier at the end of each give copies by the
// square of their number. Where copies come to much more than the kernel, regions also end where
// they meet:
//
//   for (…) {                     for (…) {
//     …                             __vx_barrier();  // the regions of both barriers meet here
//     for (…) {          ->         …
//       …                           for (…) {
//       __syncthreads();              __vx_barrier();
//     }                               …
//     __syncthreads();                __syncthreads();
//   }                               }
//                                   __syncthreads();
//                                 }

#ifndef VX_LIB_PRTRANSFORM_REGIONCUTS_H
#define VX_LIB_PRTRANSFORM_REGIONCUTS_H

#include "lib/PRTransform/ParallelRegions.h"
#include "llvm/IR/PassManager.h"

namespace vx {

/// Inserts barriers into F where the regions between boundaries of TEST meet, if these have many
/// times the instructions of F, and if all threads of the block come there together. F is regular
/// and in canonical form.
void cutRegions(llvm::Function &f, BoundaryTest test, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONCUTS_H
