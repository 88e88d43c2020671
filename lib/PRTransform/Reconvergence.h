// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places at which threads diverge and reconverge: the immediate post-dominator of a divergent
// branch. Boundaries between the two are what makes a kernel irregular.

#ifndef VX_LIB_PRTRANSFORM_RECONVERGENCE_H
#define VX_LIB_PRTRANSFORM_RECONVERGENCE_H

#include "lib/PRTransform/ParallelRegions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace vx {

/// Returns the block at which the paths from the end of BB reconverge; null: only where the
/// function ends.
llvm::BasicBlock *findReconvergence(const llvm::BasicBlock &bb, const llvm::PostDominatorTree &pdt);

/// Returns true if a block that holds an instruction for which TEST is true can be reached from the
/// blocks STARTS without passing END (may be null).
bool reaches(llvm::ArrayRef<const llvm::BasicBlock *> starts, const llvm::BasicBlock *end,
             llvm::function_ref<bool(const llvm::Instruction &)> test);

/// Returns true if no boundary of F is under a condition that differs between threads.
bool isRegular(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
/// Returns true if nothing that TEST finds in F is under a condition that UI calls divergent.
bool isRegular(llvm::Function &f, llvm::UniformityInfo &ui, const llvm::PostDominatorTree &pdt,
               BoundaryTest test);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_RECONVERGENCE_H
