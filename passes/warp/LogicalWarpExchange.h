// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes and shuffles of a logical warp, the hardware warps that hold a CUDA warp
// (passes/regions/LogicalWarps.h): a thread stores what others need to its element of the exchange
// memory, the hardware warps wait at a barrier, it loads what it needs.
//
//     uniform      two buffers that rotate, so that one barrier for each exchange is enough
//     early-exit   one buffer and a second barrier: lanes that have ended do not count exchanges
//
// Which lanes of a hardware warp vote for something is what the CSR of active lanes says on the
// taken side of a split.

#ifndef VX_PASSES_WARP_LOGICALWARPEXCHANGE_H
#define VX_PASSES_WARP_LOGICALWARPEXCHANGE_H

#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace vx {

class LogicalWarpExchange {
public:
  /// Is for entry F, which has the attribute kLogicalWarpAttr.
  explicit LogicalWarpExchange(llvm::Function &f);

  /// Emits CALL, a vote, shuffle or synchronization; null if it has no result.
  llvm::Value *lower(llvm::CallInst &call, VxFn fn);
  /// Finishes the entry after the last call. DT is the dominator tree of the entry.
  void finish(llvm::DominatorTree &dt);

private:
  llvm::Value *field(uint64_t offset);
  void makePrologue();
  llvm::Value *address(llvm::Value *integer);
  llvm::Value *nextBuffer();
  llvm::Value *any(llvm::Value *predicate);
  void placeBallots(llvm::Value *lanes);
  void placeVotes();
  llvm::Value *collectFromBallots(llvm::Value *votes);
  llvm::Value *load(llvm::Type *type, llvm::Value *buffer, llvm::Value *bytes);
  void store(llvm::Value *value, llvm::Value *buffer, llvm::Value *bytes);
  void waitForValues();
  void finishExchange();
  void wait();
  llvm::Value *ballot(llvm::Value *predicate);
  llvm::Value *collect(llvm::Value *votes);
  llvm::Value *vote(llvm::CallInst &call, VxFn fn);
  llvm::Value *shuffle(llvm::CallInst &call, VxFn fn);
  llvm::Value *waitAtEnd();
  void markAlive(bool alive);

  llvm::Function &f;
  bool isUniform;
  llvm::IRBuilder<> b;
  llvm::Type *word;                    ///< integer of pointer width
  llvm::AllocaInst *current = nullptr; ///< address of the element of lane 0 in the current buffer
  llvm::Value *buffers = nullptr;      ///< sum of its two values
  llvm::Value *first = nullptr;        ///< its first value
  /// The buffers in the block of the last exchange: of that, and of the one after it.
  struct {
    const llvm::BasicBlock *block = nullptr;
    llvm::Value *last = nullptr, *next = nullptr;
  } inBlock;
  llvm::Value *lane = nullptr, *laneInWarp = nullptr, *laneBytes = nullptr;
  llvm::Value *barrier = nullptr, *parts = nullptr; ///< parts: hardware warps of the logical warp
  /// Uniform: the lane's ballot; where it stores votes, as a byte of them and as 32 bits; which
  /// bits of the ballot count.
  llvm::Value *ballotBytes = nullptr, *voteByte = nullptr, *voteShift = nullptr,
              *voteWord = nullptr, *votesMask = nullptr;
  llvm::Value *warpVotes[abi::kMaxLogicalWarpParts] =
      {}; ///< else: votes of the k-th hardware warp after this one
  /// The flags of the logical warp, one byte for each hardware warp, and this one's, from the
  /// element of lane 0; and which bits of them count.
  llvm::Value *allFlags = nullptr, *flagBytes = nullptr, *flagMask = nullptr;
  llvm::Value *clearBytes = nullptr; ///< the address to which this lane stores to clear the flag
  llvm::Value *part = nullptr;
};

} // namespace vx

#endif // VX_PASSES_WARP_LOGICALWARPEXCHANGE_H
