// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the values of a loop over threads differ between threads whose numbers follow each other, the
// lanes of one group, and which lanes come to each block.
//
// A value is uniform, or has a stride (lane k has that of lane 0 plus k times a constant), or
// varies. Lanes that take the same way have a common *path*, a number: all edges of a uniform
// branch have the path of its block, those of another one have a path each. A block where all lanes
// meet again that an earlier one has sent different ways has the path of that earlier one.

#ifndef VX_LIB_WIDENING_LANEVALUES_H
#define VX_LIB_WIDENING_LANEVALUES_H

#include "lib/Widening/ThreadLoop.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace vx {

using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

class LaneValues {
public:
  /// Groups have WIDTH threads, and begin at a multiple of that. DT and PDT are used now only.
  LaneValues(const ThreadLoop &t, const llvm::LoopInfo &li, const llvm::DominatorTree &dt,
             const llvm::PostDominatorTree &pdt, unsigned width);

  /// Returns false if V is one value for all lanes.
  bool differs(const llvm::Value *v) const { return differing.contains(v); }
  /// Returns what the values of two neighbouring lanes differ by: 0 if V is uniform, nullopt if
  /// that is not one number.
  std::optional<int64_t> strideOf(const llvm::Value *v) const;

  /// Returns the blocks of the loop, each after its predecessors but for loops.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return order; }
  unsigned pathOf(const llvm::BasicBlock *bb) const { return paths.lookup(bb); }
  unsigned pathOf(Edge edge) const { return edgePaths.lookup(edge); }
  /// Returns true if the path of EDGE is not that of the lanes that came to its block, or to its
  /// loop.
  bool hasOwnPath(Edge edge) const { return ownPaths.contains(edge); }
  /// Returns true if all lanes leave loop INNER in the same iteration.
  bool leavesTogether(const llvm::Loop &inner) const { return !split.contains(&inner); }
  /// Returns the block before BB from which all lanes come to BB, of the same loop; null if there
  /// is none.
  const llvm::BasicBlock *meetingPointOf(const llvm::BasicBlock *bb) const {
    return meetingPoints.lookup(bb);
  }

private:
  const llvm::BasicBlock *findMeetingPoint(const llvm::BasicBlock *bb) const;
  bool isHeadOfLevel(const llvm::BasicBlock *bb) const;
  void findPaths();
  void findPaths(const llvm::BasicBlock &bb);
  bool findSplitLoops();
  unsigned joinPaths(const llvm::BasicBlock *bb);
  bool findDifferences();
  bool becomesDifferent(const llvm::Instruction &i) const;
  bool isPhiDifferent(const llvm::PHINode &phi) const;
  void findStrides();
  std::optional<int64_t> computeStride(const llvm::Instruction &i) const;
  bool dropsLane(const llvm::Instruction &i) const;
  bool isLanePlusMultiple(const llvm::Value *v) const;

  const ThreadLoop t;
  const llvm::LoopInfo &li;
  const llvm::DominatorTree &dt;
  const llvm::PostDominatorTree &pdt;
  const llvm::DataLayout &dl;
  const unsigned width;
  llvm::SmallVector<llvm::BasicBlock *, 32> order;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> meetingPoints;
  llvm::DenseSet<const llvm::Value *> differing;
  llvm::DenseMap<const llvm::Value *, int64_t> strides;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> paths;
  llvm::DenseMap<Edge, unsigned> edgePaths;
  llvm::DenseSet<Edge> ownPaths;
  llvm::DenseSet<const llvm::Loop *> split;
  unsigned numPaths = 0;
};

} // namespace vx

#endif // VX_LIB_WIDENING_LANEVALUES_H
