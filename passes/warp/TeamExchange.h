// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes and shuffles of a team (passes/regions/TeamKernels.h): a thread stores what others need to
// its element of the exchange memory, the team meets, it loads what it needs.
//
//     together   two buffers in turn, so that one meeting for each exchange is enough
//     ends       one buffer and a second meeting: lanes that have ended keep no count of turns
//     alone      no meeting: the lanes of a hardware warp run in step
//
// Which lanes of a hardware warp vote for something is what the CSR of active lanes says on the
// taken side of a split.

#ifndef VX_PASSES_WARP_TEAMEXCHANGE_H
#define VX_PASSES_WARP_TEAMEXCHANGE_H

#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace vx {

class TeamExchange {
public:
  /// For the entry F of a kernel of teams.
  explicit TeamExchange(llvm::Function &f);

  /// Emits CALL, a vote, shuffle or meeting; null if it has no result.
  llvm::Value *lower(llvm::CallInst &call, VxFn fn);
  /// After the last call: DT is the dominator tree of the entry.
  void finish(llvm::DominatorTree &dt);

private:
  llvm::Value *field(uint64_t offset);
  void makePrologue();
  llvm::Value *address(llvm::Value *integer);
  llvm::Value *nextBuffer();
  llvm::Value *any(llvm::Value *predicate);
  void placeCells(llvm::Value *lanes);
  void placeVotes();
  llvm::Value *collectFromCells(llvm::Value *votes);
  llvm::Value *load(llvm::Type *type, llvm::Value *buffer, llvm::Value *bytes);
  void leave(llvm::Value *value, llvm::Value *buffer, llvm::Value *bytes);
  void meetForExchange();
  void finishExchange();
  void meet();
  llvm::Value *ballot(llvm::Value *predicate);
  llvm::Value *collect(llvm::Value *votes);
  llvm::Value *vote(llvm::CallInst &call, VxFn fn);
  llvm::Value *shuffle(llvm::CallInst &call, VxFn fn);
  llvm::Value *meetAtEnd();
  void markAlive(bool alive);

  llvm::Function &f;
  bool together, alone;
  llvm::IRBuilder<> b;
  llvm::Type *word;                 ///< integer of pointer width
  llvm::AllocaInst *turn = nullptr; ///< address of team lane 0's element in the buffer used last
  llvm::Value *buffers = nullptr;   ///< sum of its two values
  llvm::Value *first = nullptr;     ///< its first value
  llvm::Value *lane = nullptr, *laneInWarp = nullptr, *laneBytes = nullptr;
  llvm::Value *team = nullptr, *teamWarps = nullptr;
  /// Together: the lane's cell; where it leaves votes, as a byte of them and as 32 bits; which bits
  /// of the cell count.
  llvm::Value *cell = nullptr, *voteByte = nullptr, *voteShift = nullptr, *voteWord = nullptr,
              *votesMask = nullptr;
  llvm::Value *warpVotes[8] = {}; ///< else: votes of the k-th hardware warp after this one
  /// The flags of the team, one byte for each hardware warp, and this one's, from team lane 0's
  /// element; and which bits of them count.
  llvm::Value *flagsOfTeam = nullptr, *flagBytes = nullptr, *flagMask = nullptr;
  llvm::Value *clearBytes = nullptr; ///< where this lane stores to clear the flag
  llvm::Value *warpInTeam = nullptr;
};

} // namespace vx

#endif // VX_PASSES_WARP_TEAMEXCHANGE_H
