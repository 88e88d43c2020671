// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions and storage in words, for vx-print-regions and its tests.

#ifndef VX_LIB_PRTRANSFORM_REGIONPRINTER_H
#define VX_LIB_PRTRANSFORM_REGIONPRINTER_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace vx {

class ParallelRegions;
class WarpOps;
struct RegionStorage;

/// Prints the regions that loops are built for, what each starts after, and where each value is
/// kept that lives into one. OPS is null where only barriers are boundaries.
void printRegions(llvm::raw_ostream &os, const ParallelRegions &regions,
                  const RegionStorage &storage, const WarpOps *ops, bool regular);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONPRINTER_H
