// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which threads wait for each other and proceed by themselves:
//
//     while (k < n)
//       if (ready[k - 1]) { …; ready[k] = 1; k += threads; }
//
// An iteration waits if it leaves all that the end of the loop depends on as it is, except for what
// other threads may write.

#ifndef VX_PASSES_REGIONS_WAITINGITERATIONS_H
#define VX_PASSES_REGIONS_WAITINGITERATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace vx {

/// An edge from one block to a successor.
using Edge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;

/// Returns the edges by which waiting iterations of LOOP end; where these are the same as those of
/// other iterations, the edges by which both end. None if all iterations change something, if
/// threads do not look, in a block that IGNORED is false for, at what others write, if neither LOOP
/// nor a loop around it writes, or if it takes a lock or has a boundary.
llvm::SmallVector<Edge, 4>
findWaitingIterations(const llvm::Loop &loop,
                      llvm::function_ref<bool(const llvm::BasicBlock &)> ignored);

} // namespace vx

#endif // VX_PASSES_REGIONS_WAITINGITERATIONS_H
