// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions in which threads that one lane runs side by side (Coarsening.h) have to run one after
// another: the parts of a function between a divergent branch and the point at which its paths
// reconverge, grown until they have a single entry and a single exit.
//
//          pre                      pre
//           | <--+                   |          A loop that threads leave at different times is
//         loop --+                 if --+       such a part, and so is a divergent if; of the
//           |                       |  then     block that ends in it only the branch.
//         after                     | <-+
//                                  after

#ifndef VX_LIB_PRTRANSFORM_SEQUENTIALREGIONS_H
#define VX_LIB_PRTRANSFORM_SEQUENTIALREGIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class PostDominatorTree;
class Value;
} // namespace llvm

namespace vx {

struct SequentialRegion {
  llvm::SmallSetVector<llvm::BasicBlock *, 8> blocks;
  llvm::BasicBlock *entry = nullptr; ///< one of them
  llvm::BasicBlock *after = nullptr; ///< the block that all their paths lead to; none of them
  /// Only the terminator of the entry is of the region: no path leads back to it.
  bool startsAtBranch = false;
  // After isolate():
  llvm::BasicBlock *before = nullptr; ///< the only block outside that leads to the entry
  llvm::BasicBlock *exit = nullptr;   ///< one of the blocks, the only one that leads to `after`
};

/// Returns the regions of F for the blocks for whose terminators ISDIVERGENT is true; they are
/// disjoint. None if some of those paths do not reconverge.
std::optional<llvm::SmallVector<SequentialRegion, 8>>
findSequentialRegions(llvm::Function &f, llvm::function_ref<bool(llvm::BasicBlock &)> isDivergent,
                      const llvm::DominatorTree &dt, const llvm::PostDominatorTree &pdt);

/// Splits blocks so that an edge leads from `before` to the entry of REGION and one from its exit
/// to `after`, and no others in or out. Analyses of the function are out of date then.
void isolate(SequentialRegion &region);

/// V, an instruction or block of a function that is copied for several parts, for PART.
using OfPart = llvm::function_ref<llvm::Value *(llvm::Value *v, unsigned part)>;

/// Makes the copies of REGION, isolated, for parts FIRST to END - 1 run one after another after
/// FROM, whose only successor the first one becomes. Returns the last one's exit, or FROM if there
/// is none.
llvm::BasicBlock *chainParts(const SequentialRegion &region, OfPart ofPart, unsigned first,
                             unsigned end, llvm::BasicBlock *from);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_SEQUENTIALREGIONS_H
