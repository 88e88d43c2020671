// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parallel-region model of a kernel.
//
// A *boundary* is a call at which all threads of the block (__vx_barrier) or of an aligned group of
// them (__vx_group_sync) synchronize, or at which a thread that waits for others lets them continue
// (__vx_thread_wait); the nested form (NestedLoops.h) has others besides them.
// Between boundaries threads do not wait for each other, so the code there can run for one thread
// after the other: a *parallel region*. Region 0 starts at the function's entry; every boundary
// starts one more. A region is the sub-CFG reachable from its entry without crossing a boundary, so
// a block can belong to several regions (the code after a loop that holds a barrier does); each
// region gets its own copy when loops are built. This is the continuation-based view (Karrenberg &
// Hack 2012): any control flow between boundaries is fine, loops that contain a barrier included.
//
//      region 0        Canonical form, which canonicalize() makes and verify() checks:
//         |             - a boundary stands alone in its block, followed by a branch;
//     [ barrier ]       - such a block has one successor, whose only predecessor it is;
//         |             - the function has one return.
//      region 1

#ifndef VX_LIB_PRTRANSFORM_PARALLELREGIONS_H
#define VX_LIB_PRTRANSFORM_PARALLELREGIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class raw_ostream;
} // namespace llvm

namespace vx {

/// Tells which instructions are boundaries.
using BoundaryTest = bool (*)(const llvm::Instruction &);

/// Returns true for a call at which the threads of a block, or of a group of several warps,
/// synchronize.
bool isBoundary(const llvm::Instruction &i);
/// Returns true for a boundary (__vx_thread_wait) at which a thread only lets the others of the
/// block continue.
bool isThreadWait(const llvm::Instruction &i);
/// Returns true if F calls a boundary itself.
bool hasBoundary(const llvm::Function &f);

struct ParallelRegion {
  unsigned id;                ///< index; also its order when threads are in different regions
  llvm::BasicBlock *boundary; ///< the block it starts after; null for region 0
  llvm::BasicBlock *entry;    ///< first block
  llvm::SetVector<llvm::BasicBlock *> blocks; ///< in reverse post-order from the entry
  llvm::SetVector<unsigned> successors;       ///< regions that can follow
  bool canFinish = false;                     ///< a thread can end in it
  bool isInCycle = false;                     ///< control can come back to it
};

/// A violation of canonical form, and the boundary it is about, if any.
struct RegionProblem {
  const char *what;
  const llvm::Instruction *at;
};

/// The regions of one function in canonical form.
class ParallelRegions {
public:
  /// Puts F into canonical form. F must have exactly one return.
  static void canonicalize(llvm::Function &f, BoundaryTest test = isBoundary);
  /// Returns what in F is not in canonical form.
  static llvm::SmallVector<RegionProblem, 2> verify(const llvm::Function &f,
                                                    BoundaryTest test = isBoundary);

  explicit ParallelRegions(llvm::Function &f, BoundaryTest test = isBoundary);

  llvm::ArrayRef<ParallelRegion> regions() const { return all; }
  /// Returns the region that starts after boundary block BB.
  unsigned regionAfter(const llvm::BasicBlock *boundary) const { return after.lookup(boundary); }
  bool isBoundaryBlock(const llvm::BasicBlock *bb) const { return after.contains(bb); }
  /// Returns the regions that BB belongs to.
  llvm::ArrayRef<unsigned> regionsOf(const llvm::BasicBlock *bb) const;
  /// Returns the number of regions after a __vx_thread_wait. With isBoundary these are regions 1,
  /// 2, ….
  unsigned numWaits() const;
  /// Returns true if control can come back to region ID.
  bool isInCycle(unsigned id) const { return all[id].isInCycle; }
  void print(llvm::raw_ostream &os) const;

private:
  void collect(ParallelRegion &region);
  void findCycles();

  llvm::Function &f;
  llvm::SmallVector<ParallelRegion, 8> all;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> after;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 2>> regionsByBlock;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_PARALLELREGIONS_H
