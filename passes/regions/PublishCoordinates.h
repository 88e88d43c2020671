// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that stay out of line look for their thread's coordinates in the lane's control block
// (vx-lower-functions); kernels put them there before they call one.

#ifndef VX_PASSES_REGIONS_PUBLISHCOORDINATES_H
#define VX_PASSES_REGIONS_PUBLISHCOORDINATES_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace vx {

/// Returns the functions other than kernels that read coordinates, directly or through what they
/// call.
llvm::SetVector<llvm::Function *> findContextReaders(llvm::Module &m);

/// Stores the thread's coordinates before each call in KERNEL of one of READERS or through a
/// pointer, except those in PUBLISHED. Returns true if there is one.
bool publishCoordinates(llvm::Function &kernel, const llvm::SetVector<llvm::Function *> &readers,
                        const llvm::SmallPtrSetImpl<llvm::CallBase *> &published);

} // namespace vx

#endif // VX_PASSES_REGIONS_PUBLISHCOORDINATES_H
