// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first thing that an entry does: finding out which slot for blocks it belongs to, who shares
// the slot, and where its memory is.

#ifndef VX_PASSES_REGIONS_ENTRYSLOT_H
#define VX_PASSES_REGIONS_ENTRYSLOT_H

#include "llvm/IR/IRBuilder.h"

namespace vx {

/// Who shares a slot.
enum class SlotKind {
  Warps,   ///< a group of warps, with all their lanes
  Grouped, ///< the same; hardware warps merge before anything else if the launch asks for it
  Lane,    ///< one lane
  Spread,  ///< one lane or several, of one hardware warp or several, as the launch asks for
  Host,    ///< a thread of the host, for one block (intrinsics/abi/HostWorker.h)
};

/// Emits the start of an entry. What it finds out is public.
class EntrySlot {
public:
  /// Memory for values that live across regions. That of INTERLEAVE hardware threads, of which this
  /// one has number INTERLEAVED (both i64), lies at BASE.
  struct Context {
    llvm::Value *base, *interleave, *interleaved;
  };

  /// Opens ENTRY, an empty function, with B, which is left where those that have a slot go on.
  EntrySlot(llvm::IRBuilder<> &b, llvm::Function &entry, SlotKind kind);

  /// Emits where the slot's context is.
  Context findContext();
  /// All hardware threads that share the slot wait for each other. Nothing if one has it alone.
  void waitForAll();

  llvm::BasicBlock *done = nullptr; ///< returns
  llvm::Value *count = nullptr;     ///< i32: threads of a block
  /// i32: first thread of a block that this hardware thread runs; Spread: first CUDA warp.
  llvm::Value *linear = nullptr;
  llvm::Value *step = nullptr;     ///< i32: distance to its next one
  llvm::Value *number = nullptr;   ///< i64: of the slot in the grid, or of the block (host)
  llvm::Value *gridStep = nullptr; ///< i64: distance to the slot's next block
  llvm::Value *room = nullptr;     ///< i32: threads that the context has room for
  llvm::Value *barrierId = nullptr, *barrierCount = nullptr; ///< i32: where the slot's warps wait
  llvm::Value *sharedBase = nullptr;                         ///< ptr
  llvm::Value *sharedTail = nullptr; ///< ptr: bookkeeping words (TailLayout) behind shared memory

private:
  llvm::Type *i32() { return b.getInt32Ty(); }
  llvm::Type *i64() { return b.getInt64Ty(); }
  llvm::Value *load(uint64_t offset, llvm::Type *type);
  llvm::Value *pointer(uint64_t offset);
  llvm::Value *csr32(unsigned csr);
  llvm::BasicBlock *block(const llvm::Twine &name);

  void openWarps();
  void formGroups();
  void openLane();
  void openSpread();
  void openHost();
  void runWholeBlocks();
  void enter(llvm::Value *works, llvm::Value *slot, llvm::Value *slots);
  void locateShared(llvm::Value *core, llvm::Value *slot);
  void setShared(llvm::Value *base, llvm::Value *stride);

  llvm::IRBuilder<> &b;
  llvm::Function &entry;
  SlotKind kind;
  llvm::Value *lanes = nullptr; ///< Lane, Spread: i32: lanes of a hardware warp that work
  llvm::Value *warps = nullptr; ///< Lane, Spread: i32: hardware warps of a core that work
};

} // namespace vx

#endif // VX_PASSES_REGIONS_ENTRYSLOT_H
