// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what must hold before loops are built for the regions of a function. A mistake here would
// be a wrong result on the device, so it is checked in every compilation: it takes one walk over
// the values.
//
//   form      boundaries stand alone, one return (ParallelRegions.h)
//   values    nothing but the slots of values is live across a boundary
//   places    arrays are aligned, inside the context, and overlap only where values share one

#ifndef VX_LIB_PRTRANSFORM_VERIFYREGIONS_H
#define VX_LIB_PRTRANSFORM_VERIFYREGIONS_H

#include "lib/PRTransform/ParallelRegions.h"
#include <string>

namespace vx {

struct RegionStorage;

/// Returns what is wrong with STORAGE for the values of F, which is in canonical form; empty:
/// nothing.
std::string findBadStorage(llvm::Function &f, const ParallelRegions &regions,
                           const RegionStorage &storage);

/// Reports what is wrong with the form or the storage of F as an error of the compiler. Returns
/// true if there is none.
bool verifyRegions(llvm::Function &f, const ParallelRegions &regions, const RegionStorage &storage,
                   BoundaryTest test = isBoundary);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_VERIFYREGIONS_H
