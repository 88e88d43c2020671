// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nested form's loops (NestedBuilder.h says what they are): what its two kinds share, the loop
// over the lanes of a warp for one region.

#ifndef VX_LIB_PRTRANSFORM_NESTEDLOOPS_H
#define VX_LIB_PRTRANSFORM_NESTEDLOOPS_H

#include "lib/PRTransform/LoopBuilder.h"
#include "lib/PRTransform/WarpExchange.h"
#include <memory>

namespace vx {

class NestedLoops : public LoopBuilder {
public:
  /// KEEPMASKS: as WarpExchange takes it. SPREADS: as buildNestedFunction takes it.
  NestedLoops(llvm::Function &f, const ParallelRegions &regions, const WarpOps &ops,
              RegionStorage storage, bool keepMasks, bool spreads)
      : LoopBuilder(f, regions, std::move(storage)), exchange(ops, regions, memory, keepMasks),
        spreads(spreads), ops(ops) {}

  /// Of a block; known after run().
  uint64_t contextFixedBytes() const { return memory.fixedBytes(warpWordRows()); }

protected:
  /// A warp of the block, described in a block that dominates the loops over its lanes. Its place
  /// is its number among the warps of the hardware thread.
  struct Warp {
    llvm::Value *number = nullptr, *place = nullptr, *first = nullptr, *lanes = nullptr,
                *all = nullptr;
  };

  /// Connects everything from `entry`, which has the variables that every kind needs, to `end`.
  virtual void buildBlock() = 0;
  virtual unsigned warpWordRows() const { return 0; }
  /// The threads of the warp that the current loop runs (i32, one bit each); null: all.
  virtual llvm::Value *runSet(llvm::IRBuilderBase &) { return nullptr; }

  void build() final;
  void expand(llvm::Instruction &i, const Loop &loop) override;

  /// True if region R starts a barrier region: at the entry or after a barrier of the block.
  static bool startsBarrierRegion(const ParallelRegion &r);
  /// The warp function that region R comes after, or null.
  const WarpCall *opBefore(const ParallelRegion &r) const;

  Warp describeWarp(llvm::IRBuilderBase &b, const Loop &warps);
  /// Ends `pre`, `header` and `latch` of LOOP: over the warps of the hardware thread.
  void countWarps(Loop &loop);
  /// The hardware threads that share the block wait for each other; B goes on behind that. Those of
  /// one hardware warp run in step.
  void waitForBlock(llvm::IRBuilderBase &b) override;
  /// Fills the loop of region R in for `warp`, of which PARTICIPANTS (i32) come from the boundary
  /// before R; its `pre` has no terminator yet, its `done` gets none.
  void buildLoop(const ParallelRegion &r, Loop &loop, llvm::Value *participants);

  WarpExchange exchange;
  bool spreads;
  Warp warp; ///< the current one

private:
  const WarpOps &ops;
};

/// The kernel's own control flow between loops.
std::unique_ptr<NestedLoops> makeRegularLoops(llvm::Function &f, const ParallelRegions &regions,
                                              const WarpOps &ops, RegionStorage storage,
                                              bool spreads);
/// Sets of waiting threads, and rounds over all regions.
std::unique_ptr<NestedLoops> makeIrregularLoops(llvm::Function &f, const ParallelRegions &regions,
                                                const WarpOps &ops, RegionStorage storage,
                                                bool spreads);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_NESTEDLOOPS_H
