// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first thing that an entry does: finding out which slot for blocks it belongs to, which
// threads share the slot, and where its memory is.

#ifndef VX_PASSES_REGIONS_ENTRYSLOT_H
#define VX_PASSES_REGIONS_ENTRYSLOT_H

#include "llvm/IR/IRBuilder.h"
#include <memory>

namespace vx {

/// Emits the start of an entry; a class for each way in which hardware threads share a slot. What
/// it finds out is public.
class EntrySlot {
public:
  /// Memory for values that live across regions. That of INTERLEAVE hardware threads, of which this
  /// one has number INTERLEAVED (both i64), lies at BASE.
  struct Context {
    llvm::Value *base, *interleave, *interleaved;
  };

  virtual ~EntrySlot() = default;

  /// Emits where the slot's context is.
  virtual Context findContext();
  /// Lets all hardware threads that share the slot wait for each other. Emits nothing if one has it
  /// alone.
  virtual void waitForAll() = 0;

  bool uniform = false;             ///< the lanes of a hardware warp have the same slot
  llvm::BasicBlock *done = nullptr; ///< returns
  llvm::Value *count = nullptr;     ///< i32: threads of a block
  /// i32: first thread of a block that this hardware thread runs; makeWarpsOfBlockSlot: first warp.
  llvm::Value *linear = nullptr;
  llvm::Value *step = nullptr;     ///< i32: distance to its next one
  llvm::Value *number = nullptr;   ///< i64: of the slot in the grid, or of the block (host)
  llvm::Value *gridStep = nullptr; ///< i64: distance to the slot's next block
  llvm::Value *room = nullptr;     ///< i32: threads that the context has room for
  llvm::Value *barrierId = nullptr, *barrierCount = nullptr; ///< i32: where the slot's warps wait
  llvm::Value *sharedBase = nullptr;                         ///< ptr
  llvm::Value *sharedTail = nullptr; ///< ptr: bookkeeping words (TailLayout) after shared memory

protected:
  /// Opens ENTRY, an empty function, with B. The constructors of classes leave B where those that
  /// have a slot continue, and set everything above.
  EntrySlot(llvm::IRBuilder<> &b, llvm::Function &entry);

  llvm::Type *i32() { return b.getInt32Ty(); }
  llvm::Type *i64() { return b.getInt64Ty(); }
  llvm::Value *load(uint64_t offset, llvm::Type *type);
  llvm::Value *pointer(uint64_t offset);
  llvm::Value *csr32(unsigned csr);
  llvm::BasicBlock *block(const llvm::Twine &name);

  /// Leaves unless this hardware thread WORKS; finds the place of SLOT, one of SLOTS of a core, in
  /// the grid and in memory.
  void enter(llvm::Value *works, llvm::Value *slot, llvm::Value *slots);
  /// Gives the slot to this hardware thread alone.
  void runWholeBlocks();
  /// Lets each hardware thread run THREADS threads of a block at a time, as one.
  void countInParts(unsigned threads);
  /// Makes room in the context for whole CUDA warps of all threads of a block.
  void makeRoomForBlock();
  /// Sets the block's shared memory: it lies at BASE and takes STRIDE bytes.
  void setShared(llvm::Value *base, llvm::Value *stride);
  /// Emits where the context is if those of LANES hardware threads of each hardware warp are
  /// interleaved, and WARPS hardware warps of a core have any.
  Context findInterleavedContext(llvm::Value *lanes, llvm::Value *warps);

  llvm::IRBuilder<> &b;
  llvm::Function &entry;

private:
  Context contextAt(llvm::Value *first, Context c);
  void locateShared(llvm::Value *core, llvm::Value *slot);
};

/// Opens ENTRY as a slot of some class.
using MakeSlot = std::unique_ptr<EntrySlot>(llvm::IRBuilder<> &b, llvm::Function &entry);

/// A group of hardware warps, with all their lanes.
MakeSlot makeWarpsSlot;
/// Makes the same slot, but hardware warps merge before anything else if the launch asks for it.
MakeSlot makeGroupedSlot;
/// A group of hardware warps, each lane of which runs kCoarsenedParts threads: these count as one.
MakeSlot makeCoarsenedSlot;
/// One lane.
MakeSlot makeLaneSlot;
/// One lane or several, of one hardware warp or several, as the launch asks for; each runs some of
/// the CUDA warps of a block.
MakeSlot makeWarpsOfBlockSlot;
/// A thread of the host, for one block (intrinsics/abi/HostWorker.h).
MakeSlot makeHostSlot;

} // namespace vx

#endif // VX_PASSES_REGIONS_ENTRYSLOT_H
