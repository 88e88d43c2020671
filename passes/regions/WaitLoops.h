// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread only waits for what another one will write:
//
//     while (volatile flag == 0) ;         while (atomicCAS(lock, 0, 1) != 0) ;
//
// Lanes of a hardware warp go through code in lockstep, and those that have left a loop are
// inactive until the last one has. If one lane waits for another, which is inactive, neither makes
// progress. In the serial mapping the lanes run different blocks, so blocks that may wait for each
// other, as in scans in one pass, must not share a hardware warp.

#ifndef VX_PASSES_REGIONS_WAITLOOPS_H
#define VX_PASSES_REGIONS_WAITLOOPS_H

#include "passes/regions/LaneAddresses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace vx {

/// Returns true if KERNEL or what it calls has a loop that writes nothing but, maybe, its lock, and
/// continues according to what it reads by volatile or atomic accesses. The synchronization of a
/// grid does not count: all blocks reach it.
bool mayWait(const llvm::Function &kernel);

/// Returns true if threads in LOOP continue according to what others write, without a lock to take
/// there: they look in a block that IGNORED is false for.
bool looksAtOthers(const llvm::Loop &loop,
                   llvm::function_ref<bool(const llvm::BasicBlock &)> ignored);

/// Returns true if threads in LOOP do nothing but wait, without a lock to take, for what others
/// write where MAYBESHARED says that an address may be one of shared memory.
bool waitsInShared(const llvm::Loop &loop,
                   llvm::function_ref<bool(const llvm::Value &)> mayBeShared);

/// Returns true if I reads what others may have written: one of the accesses by which threads wait.
bool mayLook(const llvm::Instruction &i);

/// Returns true if an exit of LOOP depends on the value of I.
bool decidesExit(const llvm::Instruction &i, const llvm::Loop &loop);

/// An access in each iteration of a loop to one place, which nothing else in the loop writes.
struct Look {
  LaneAccess access;
  bool takesLock;    ///< it writes there, too, what ends the loop
  bool isSameForAll; ///< it continues with one value that it finds, whichever thread it is
  /// The exits of the loop that depend on what it reads.
  llvm::SmallVector<const llvm::Instruction *, 2> exits;
};

/// Returns the looks of LOOP that end it.
llvm::SmallVector<Look, 2> findLooks(const llvm::Loop &loop);

/// Returns true if LOOP may change memory.
bool mayWrite(const llvm::Loop &loop);

/// The ways in which the lanes of a warp wait in loops without a boundary, where one of them alone
/// is not meant.
struct LaneWaits {
  /// They wait for a lock that is not released in the loop: the lane that holds it would be
  /// inactive until the others, which wait for it, have acquired it too.
  bool locks = false;
  /// They continue according to what others write, of their own warp maybe.
  bool spins = false;
};

/// Returns true if findLaneWaits() may find anything in KERNEL, whose warp functions are there yet.
bool mayHaveLaneWaits(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

/// Returns what lanes do in KERNEL, whose warp functions are split, and in what it calls. WARP
/// tells what is one value for a warp.
LaneWaits findLaneWaits(llvm::Function &kernel, llvm::UniformityInfo &warp,
                        llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_WAITLOOPS_H
