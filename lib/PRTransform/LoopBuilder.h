// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the builders of loops over threads: the entry, the variables of scalars, and
// one loop for each parallel region, in which a thread reloads what it spilled to the context, runs
// a copy of the region's blocks, and exits to a region that follows:
//
//     pre ---> header ----------------------> done
//                |  ^
//                v  |
//              body |     reload values
//                |  latch <-------------+
//                v                      |
//          copy of the region --> exit to region s, or finish

#ifndef VX_LIB_PRTRANSFORM_LOOPBUILDER_H
#define VX_LIB_PRTRANSFORM_LOOPBUILDER_H

#include "lib/PRTransform/ContextMemory.h"
#include "lib/PRTransform/Coordinates.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/RegionValues.h"
#include "lib/VortexIR/LoopUnits.h"

namespace vx {

class LoopBuilder {
public:
  /// F takes the region parameters and keeps what crosses its REGIONS in STORAGE.
  LoopBuilder(llvm::Function &f, const ParallelRegions &regions, RegionStorage storage);
  virtual ~LoopBuilder() = default;

  /// Replaces the body of the function.
  void run();
  /// Returns the bytes of context for a thread; known after run().
  uint64_t contextBytes() const { return memory.bytesPerThread(); }
  /// Returns the bytes of context for a block; known after run().
  virtual uint64_t contextFixedBytes() const { return 0; }

protected:
  /// A loop that counts from its first index up to a limit.
  struct Loop {
    llvm::BasicBlock *pre = nullptr, *header = nullptr, *body = nullptr, *latch = nullptr,
                     *done = nullptr;
    llvm::Value *index = nullptr;
    ThreadIdx threadIdx = {}; ///< where the loop counts them
    /// Number of what `index` counts among those of the hardware thread: where it is in the
    /// context. Null: the index, or of a loop over lanes the thread.
    llvm::Value *place = nullptr;
  };
  /// A value that is one for all threads of a loop: as it was before the loop, and as it will be.
  struct Scalar {
    llvm::AllocaInst *now, *next;
  };

  /// Connects everything from `entry` to `end`.
  virtual void build() = 0;
  /// Lets a thread exit region LOOP to region NEXT, or end (kFinished).
  virtual void exitTo(llvm::IRBuilderBase &b, uint32_t next, const Loop &loop) = 0;
  /// Replaces what copy I of an instruction means for the threads of LOOP.
  virtual void expand(llvm::Instruction &, const Loop &) {}
  /// Returns true if the kernel has so many regions that each has slots of its own: promotion of
  /// one for all regions would look for the frontiers of its stores in all code after the first.
  /// Kernels of few regions are compiled quickly anyway.
  bool hasManyRegions() const { return regions.regions().size() > kManyRegions; }
  /// Returns true if all threads that share scalars are in one region at a time, and each loop has
  /// one: a scalar that does not live into a region has no value that is wanted there. Otherwise it
  /// would live through all loops before the one that sets it.
  virtual bool allInOneRegion() const { return false; }
  /// Returns what V, a scalar's value after a loop, is known as from there on.
  virtual llvm::Value *asScalar(llvm::IRBuilderBase &, llvm::Value *v) { return v; }

  /// Lets the hardware threads that share the block wait for each other; B continues after that.
  virtual void waitForBlock(llvm::IRBuilderBase &b) = 0;
  /// Emits the least VALUE (i32) of all hardware threads that share the block, which wait for each
  /// other. WORD, a variable that is 0 at first, says which of three words in the tail of shared
  /// memory is next: the one after it is cleared before the barrier, when none is at the agreement
  /// that used it last.
  llvm::Value *leastOfBlock(llvm::IRBuilderBase &b, llvm::AllocaInst *word, llvm::Value *value);

  /// Returns the rank of a boundary: where threads wait at several of the boundaries 1, 2, …, those
  /// at the one of the least rank continue. The rank of boundary NUMBER, which may be kFinished, is
  /// its number; but at the first numWaits, threads look whether what they wait for has happened,
  /// and others may be waiting for them: these take turns, beginning after LAST, the one that
  /// continued before. LAST is not used if there are none.
  llvm::Value *rankOf(llvm::IRBuilderBase &b, llvm::Value *number, llvm::Value *last) const;
  /// Emits the boundary of RANK, which may be kFinished.
  llvm::Value *boundaryOf(llvm::IRBuilderBase &b, llvm::Value *rank) const;
  const unsigned numWaits;

  llvm::Value *param(RegionParam p) const { return f.getArg(f.arg_size() - kNumRegionParams + p); }
  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(ctx, name, &f, end);
  }
  /// Gives what is made in BB without a source line the line of the boundary before region R, or of
  /// the kernel if R is null.
  void locate(const llvm::BasicBlock *bb, const ParallelRegion *r) {
    if (r && r->boundary)
      locations[bb] = r->boundary->front().getDebugLoc();
  }
  /// Returns an i32 variable, set to INITIAL (if there is one) at the end of the entry.
  llvm::AllocaInst *variable(const llvm::Twine &name, llvm::Value *initial = nullptr);
  /// Makes variables for all values that are scalars.
  void makeScalars();

  /// Makes the blocks of LOOP that it does not have yet: PREFIX + ".threads" and so on, after UNIT.
  void makeBlocks(Loop &loop, const llvm::Twine &prefix, llvm::StringRef unit);
  /// Ends `pre`, `header` and `latch`: for (index = FIRST; index < LIMIT; index += STEP).
  void count(Loop &loop, llvm::Value *first, llvm::Value *limit, llvm::Value *step,
             const llvm::Twine &name, LoopUnit unit);

  /// Gives all blocks of LOOP, for region R, their source line; its body is FIRST and from there
  /// on.
  void locate(const Loop &loop, const ParallelRegion &r, const llvm::BasicBlock *first);
  /// Finds the values that region R reads and writes: comes before the next three.
  void findAccesses(const ParallelRegion &r);
  /// Handle scalars before and after the loop of region R. Its threads start from the scalars as
  /// they were before the loop, whatever those before them store.
  void openScalars(llvm::IRBuilderBase &b, const ParallelRegion &r);
  void closeScalars(llvm::IRBuilderBase &b);
  /// Lets THREAD reload what lives into region R and is used there.
  void restoreValues(llvm::IRBuilderBase &b, const ParallelRegion &r, const Loop &loop,
                     llvm::Value *thread);
  /// Appends a copy of region R, run for THREAD, to FIRST, and connects it with the latch of LOOP.
  void cloneRegion(const ParallelRegion &r, const Loop &loop, llvm::BasicBlock &first,
                   llvm::Value *thread);

  llvm::Function &f;
  const ParallelRegions &regions;
  const RegionStorage storage;
  llvm::LLVMContext &ctx;
  llvm::Type *i32;
  ContextMemory memory;
  llvm::BasicBlock *entry = nullptr, *end = nullptr;
  llvm::DenseMap<llvm::AllocaInst *, Scalar> scalars;

private:
  static constexpr size_t kManyRegions = 100;

  void makeEntry();
  void locateRest();
  void trackLocals();
  void declareLocals();
  llvm::BasicBlock *makeExit(const Loop &loop, llvm::Value *thread, uint32_t next);
  llvm::Value *slotAddress(llvm::IRBuilderBase &b, const CrossingValue &v, const Loop &loop,
                           llvm::Value *thread, ContextWalk &walk);
  void saveValues(llvm::IRBuilderBase &b, uint32_t next, const Loop &loop, llvm::Value *thread);

  /// The values that a block of the kernel accesses.
  struct Accesses {
    llvm::SmallVector<const CrossingValue *, 4> accessed, written;
  };
  llvm::DenseMap<const llvm::BasicBlock *, Accesses> accesses;
  /// Values that the current region accesses, and those that it writes.
  llvm::SmallVector<const CrossingValue *, 16> accessed;
  llvm::SmallPtrSet<const CrossingValue *, 16> written;
  /// The current region's own slot for each slot that it accesses (hasManyRegions).
  llvm::DenseMap<llvm::AllocaInst *, llvm::AllocaInst *> ownSlots;
  /// Variables that hold the addresses of locals for a debugger, and what is declared there.
  struct Declaration {
    llvm::AllocaInst *address;
    llvm::DILocalVariable *variable;
    llvm::DIExpression *expression;
    const llvm::DILocation *location;
  };
  llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *> localAddresses;
  llvm::SmallVector<Declaration, 8> declarations;
  /// Source lines of the loops; the others are the kernel's.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::DebugLoc> locations;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_LOOPBUILDER_H
