// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested loop serialization: one hardware thread runs a whole block of a kernel whose threads also
// synchronize within their warps. Outside, a loop over the block's CUDA warps for each barrier
// region, the code between two barriers of the block; inside, a loop over the warp's lanes for each
// region between two boundaries of any kind.
//
// Where all threads of a warp take the same path between its boundaries, and all threads of the
// block between its barriers (*regular*), the kernel's control flow around boundaries stays as it
// is:
//
//     barrier region s:
//              for (warp = 0; warp < warps; ++warp) {
//                region r:  for (lane = 0; lane < lanes; ++lane) { region's code }
//                           goto the region that follows, or the end of the barrier region
//              }
//              goto the barrier region that follows
//
// Otherwise the threads of a warp that wait at each boundary are a set, a word of bits, and a round
// over all regions runs those at whose boundary the groups that member masks name are complete:
//
//     warp w:  starting[r] = those of the warp that the block's barrier before region r released
//              while (a thread is not waiting)
//                for each region r, in order:
//                  if (run = starting[r], or those of waiting[r] whose groups are complete)
//                    for (lane …) if (run has lane) { region's code; waiting[next] += lane }
//
// A block may also be spread over several hardware threads, each of which runs some of its warps:
// `first`, `first` + `step`, …. They wait for each other between two barrier regions.
//
// Here is what both kinds share, the loop over the lanes of a warp for one region.

#ifndef VX_LIB_PRTRANSFORM_NESTEDLOOPS_H
#define VX_LIB_PRTRANSFORM_NESTEDLOOPS_H

#include "lib/PRTransform/LoopBuilder.h"
#include "lib/PRTransform/RegionBuilder.h"
#include "lib/PRTransform/WarpExchange.h"
#include <memory>

namespace vx {

class NestedLoops : public LoopBuilder {
public:
  /// KEEPMASKS: as WarpExchange takes it.
  NestedLoops(llvm::Function &f, const ParallelRegions &regions, const WarpOps &ops,
              RegionStorage storage, bool keepMasks, RegionMapping mapping)
      : LoopBuilder(f, regions, std::move(storage)), exchange(ops, regions, memory, keepMasks),
        spreads(mapping == RegionMapping::SharedWarps),
        isWhole(mapping == RegionMapping::WholeWarps), ops(ops) {}

  uint64_t contextFixedBytes() const override { return memory.fixedBytes(warpWordRows()); }

protected:
  /// A warp of the block, described in a block that dominates the loops over its lanes. Its place
  /// is its number among the warps of the hardware thread.
  struct Warp {
    llvm::Value *number = nullptr, *place = nullptr, *first = nullptr, *lanes = nullptr,
                *all = nullptr;
    llvm::Value *firstPlace = nullptr; ///< of its threads among those of the hardware thread
    llvm::Value *column = nullptr, *row = nullptr, *slice = nullptr; ///< if isWhole
  };

  /// Connects everything from `entry`, which has the variables that every kind needs, to `end`.
  virtual void buildBlock() = 0;
  virtual unsigned warpWordRows() const { return 0; }
  /// Emits the threads of the warp that the current loop runs (i32, one bit each); null: all.
  virtual llvm::Value *runSet(llvm::IRBuilderBase &) { return nullptr; }

  void build() final;
  void expand(llvm::Instruction &i, const Loop &loop) override;

  /// Returns true if region R starts a barrier region: at the entry or after a barrier of the
  /// block.
  static bool startsBarrierRegion(const ParallelRegion &r);
  /// Returns the warp function that region R comes after, or null.
  const WarpCall *opBefore(const ParallelRegion &r) const;

  /// Emits where the warp is in the block's rows.
  void placeInRows(llvm::IRBuilderBase &b, Warp &w);
  Warp describeWarp(llvm::IRBuilderBase &b, const Loop &warps);
  /// Ends `pre`, `header` and `latch` of LOOP: over the warps of the hardware thread.
  void countWarps(Loop &loop);
  /// Lets the hardware threads that share the block wait for each other; B continues after that.
  /// Those of one hardware warp run in lockstep.
  void waitForBlock(llvm::IRBuilderBase &b) override;
  /// Fills the loop of region R in for `warp`, of which PARTICIPANTS (i32) come from the boundary
  /// before R; its `pre` has no terminator yet, its `done` gets none.
  void buildLoop(const ParallelRegion &r, Loop &loop, llvm::Value *participants);

  WarpExchange exchange;
  const bool spreads; ///< several hardware threads may share a block
  const bool isWhole; ///< rows of the block consist of whole warps
  Warp warp;          ///< the current one

private:
  const WarpOps &ops;
};

/// Returns the builder that keeps the kernel's own control flow between loops.
std::unique_ptr<NestedLoops> makeRegularLoops(llvm::Function &f, const ParallelRegions &regions,
                                              const WarpOps &ops, RegionStorage storage,
                                              RegionMapping mapping);
/// Sets of waiting threads, and rounds over all regions.
std::unique_ptr<NestedLoops> makeIrregularLoops(llvm::Function &f, const ParallelRegions &regions,
                                                const WarpOps &ops, RegionStorage storage,
                                                RegionMapping mapping);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_NESTEDLOOPS_H
