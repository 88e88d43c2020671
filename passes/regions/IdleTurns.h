// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which threads wait for each other and go on by themselves:
//
//     while (k < n)
//       if (ready[k - 1]) { …; ready[k] = 1; k += threads; }
//
// A turn is idle if it leaves all that the end of the loop depends on as it is, but for what other
// threads may write.

#ifndef VX_PASSES_REGIONS_IDLETURNS_H
#define VX_PASSES_REGIONS_IDLETURNS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace vx {

/// A way from one block into another.
using Edge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;

/// The ways by which idle turns of LOOP end; where these are not apart from those of other turns,
/// the ways by which both end. None if all turns change something, if threads do not look, in a
/// block that IGNORED is false for, at what others write, if neither LOOP nor a loop around it
/// writes, or if it takes a lock or has a boundary.
llvm::SmallVector<Edge, 4>
findIdleTurns(const llvm::Loop &loop, llvm::function_ref<bool(const llvm::BasicBlock &)> ignored);

} // namespace vx

#endif // VX_PASSES_REGIONS_IDLETURNS_H
