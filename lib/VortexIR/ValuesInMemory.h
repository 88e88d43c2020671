// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_LIB_VORTEXIR_VALUESINMEMORY_H
#define VX_LIB_VORTEXIR_VALUESINMEMORY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
} // namespace llvm

namespace vx {

/// Demotes SSA values to memory, runs CHANGE, which may move edges of F freely, and builds SSA
/// again: phis and all values that live across blocks are in memory meanwhile, in one slot for each
/// phi web (PhiWebs.h). In a very large function those that need the most phis stay there. Analyses
/// of F are dropped.
void changeWithValuesInMemory(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                              llvm::function_ref<void()> change);

/// Returns the blocks at whose start the contents of SLOT, which is only loaded and stored, may be
/// read before they are written.
llvm::SmallPtrSet<const llvm::BasicBlock *, 16> findLiveIn(const llvm::AllocaInst &slot);

} // namespace vx

#endif // VX_LIB_VORTEXIR_VALUESINMEMORY_H
