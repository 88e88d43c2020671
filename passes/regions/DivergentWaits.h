// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread may wait for one that it shares its code with, and that control flow has
// parted from it: one that has left the loop before, or that is on the other way from a branch.
//
//     while (atomicCAS(lock, 0, 1) != 0) ;      if (lane == 0) while (*(volatile int *)flag == 0) ;
//     critical(); *lock = 0;                    else *flag = 1;
//
// CUDA says that both make progress from Volta on. Lanes in lockstep, and threads that a lane runs
// one after another, need to be told where a thread waits.

#ifndef VX_PASSES_REGIONS_DIVERGENTWAITS_H
#define VX_PASSES_REGIONS_DIVERGENTWAITS_H

#include "passes/regions/LaneAddresses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace vx {

/// Finds such loops of a function, for the threads that run its code together: lanes of a warp.
/// BLOCK: of all threads of its block.
class DivergentWaits {
public:
  DivergentWaits(llvm::UniformityInfo &warp, llvm::UniformityInfo &block,
                 const llvm::DominatorTree &dt, const llvm::PostDominatorTree &pdt)
      : warp(warp), block(block), dt(dt), pdt(pdt) {}

  /// Returns true if threads in LOOP may wait for others that are elsewhere in the function: they
  /// look at what those may write there before all meet at a barrier or warp function, or for a
  /// lock that is not released in the loop. Threads may be parted in the loops with headers PARTED,
  /// too. INFLATBLOCKS: in blocks of one dimension.
  bool hasWaits(const llvm::Loop &loop, llvm::ArrayRef<const llvm::BasicBlock *> parted,
                bool inFlatBlocks) const;

private:
  llvm::SmallVector<const llvm::Instruction *, 8> findOthers(const llvm::Loop &loop) const;
  bool mayAnswerLane(const llvm::Instruction &i, const LaneAccess &access, bool inFlatBlocks) const;

  llvm::UniformityInfo &warp, &block;
  const llvm::DominatorTree &dt;
  const llvm::PostDominatorTree &pdt;
};

/// Returns true if threads in LOOP wait for a lock and nothing else: each takes it in the same way,
/// and releases it after the loop. The one that has it waits for none of the others.
bool waitsForLock(const llvm::Loop &loop);

/// Returns true, for threads that run to their next boundary one after another, if threads in LOOP
/// may wait for what others write there before they come to the loop, or after it. BLOCK: of the
/// threads of a block, which all take the same way from a branch that is uniform.
bool waitsInTurn(const llvm::Loop &loop, llvm::UniformityInfo &block);

} // namespace vx

#endif // VX_PASSES_REGIONS_DIVERGENTWAITS_H
