// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transformation rules of warp functions: what a thread stores before a boundary, what happens
// once when threads are released, and how a thread works out its result. All threads of a CUDA warp
// are run by one hardware thread, one after the other.
//
//   vote, ballot     one word of predicates for the warp, whatever the masks
//   activemask       the set of threads released
//   shuffle          value[lane]; result = value[source lane]
//   match            value[lane], compared
//   reduce           integers of the whole warp: one variable; segments: a tree over value[], one
//                    result per segment; any other mask: a tree over the members' values

#ifndef VX_LIB_PRTRANSFORM_WARPEXCHANGE_H
#define VX_LIB_PRTRANSFORM_WARPEXCHANGE_H

#include "lib/PRTransform/ContextMemory.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/WarpOps.h"
#include <map>
#include <tuple>

namespace vx {

class WarpExchange {
public:
  /// Adds lane arrays to MEMORY; two operations store their values in the same array if none of the
  /// REGIONS has to do with both. With KEEPMASKS, threads store their masks too, for ready().
  WarpExchange(const WarpOps &ops, const ParallelRegions &regions, ContextMemory &memory,
               bool keepMasks);

  /// Makes the variables at the end of the function's ENTRY.
  void makeVariables(llvm::BasicBlock &entry);

  /// Comes before the loop in which all threads of a warp come to OP. With masks kept, some may
  /// still wait from before, so this is done in the entry and by release() then.
  void start(llvm::IRBuilderBase &b, const WarpCall &op) {
    if (!keepMasks)
      clear(b, op);
  }
  /// Returns the variables (integers) in which threads that wait have left something.
  llvm::SmallVector<llvm::AllocaInst *, 4> findDeposits() const;

  /// Releases threads PARTICIPANTS (i32, one bit each), which wait at OP.
  void release(llvm::IRBuilderBase &b, const WarpCall &op, llvm::Value *participants);
  /// Emits which of the threads that WAIT at OP (not all that are ALIVE do) have complete groups.
  llvm::Value *ready(llvm::IRBuilderBase &b, const WarpCall &op, llvm::Value *wait,
                     llvm::Value *alive);
  /// Replaces placeholder CALL, run for LANE (i32).
  void expand(llvm::CallInst &call, const WarpCall &op, llvm::Value *lane);

private:
  struct Place {
    uint64_t values = 0, masks = 0, results = 0; // lane arrays
    llvm::AllocaInst *deposited = nullptr,
                     *collected = nullptr; // votes, reductions of the whole warp
    llvm::AllocaInst *participants = nullptr;
  };

  void placeValues(const ParallelRegions &regions);
  /// Forgets what is deposited for OP.
  void clear(llvm::IRBuilderBase &b, const WarpCall &op);
  bool foldsInLoop(const WarpCall &op) const;
  uint64_t sizeOf(const WarpCall &op) const { return op.valueType->getPrimitiveSizeInBits() / 8; }
  void deposit(llvm::IRBuilderBase &b, llvm::CallInst &call, const WarpCall &op, llvm::Value *lane);
  llvm::Value *collect(llvm::IRBuilderBase &b, llvm::CallInst &call, const WarpCall &op,
                       llvm::Value *lane);
  llvm::Value *vote(llvm::IRBuilderBase &b, const WarpCall &op, llvm::Value *mask);
  llvm::Value *shuffle(llvm::IRBuilderBase &b, llvm::CallInst &call, const WarpCall &op,
                       llvm::Value *lane);
  llvm::Value *tree(llvm::IRBuilderBase &b, const WarpCall &op, unsigned first, unsigned width);
  llvm::Value *callHelper(llvm::IRBuilderBase &b, const llvm::Twine &name, llvm::Type *result,
                          const WarpCall &op, llvm::ArrayRef<llvm::Value *> more);
  llvm::Value *participants(llvm::IRBuilderBase &b, const WarpCall &op);

  /// Emits the address of the values of OP's lane INDEX, in code that replaces a placeholder.
  llvm::Value *valueSlot(llvm::IRBuilderBase &b, const WarpCall &op, llvm::Value *index);
  /// Emits the lane that LANE reads from in shuffle CALL.
  llvm::Value *sourceOf(llvm::IRBuilderBase &b, llvm::CallInst &call, const WarpCall &op,
                        llvm::Value *lane);

  /// Values that the placeholders of a block have worked out so far: many shuffles of one kind
  /// follow each other there.
  struct InBlock {
    llvm::BasicBlock *block = nullptr;
    size_t placeholders = 0;
    llvm::DenseMap<llvm::Value *, ContextWalk> walks; ///< by the lane whose values are used
    using Shuffle = std::tuple<VxFn, llvm::Value *, llvm::Value *, llvm::Value *>;
    std::map<Shuffle, llvm::Value *> sources;
  };
  InBlock inBlock;

  const WarpOps &ops;
  ContextMemory &memory;
  bool keepMasks;
  llvm::SmallVector<Place, 16> places;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_WARPEXCHANGE_H
