// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of waiting for other threads (__vx_thread_wait, made for mbarriers and for loops that
// look at what others write) where a thread is a lane. Hardware warps proceed by themselves, so
// nothing has to be done for threads that wait for other warps. But lanes of one warp that wait
// separately from the others,
//
//     if (threadIdx.x < 16) { barrier.arrive(); barrier.wait(…); } else barrier.arrive();
//
// keep the others from arriving. They proceed in rounds (vx-form-rounds). A kernel in which some
// threads may miss a barrier takes its region form for blocks of any size, in which those that wait
// let the others continue.

#ifndef VX_PASSES_REGIONS_THREADWAITS_H
#define VX_PASSES_REGIONS_THREADWAITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace vx {

/// Marks WAIT as one in a loop that both those that wait and those they wait for go round: lanes do
/// so together, and none waits apart from the others.
void markInLoop(llvm::Instruction &wait);

/// Marks WAIT as one at which a lane may wait for another of its warp; FORLOCK: only for a lock
/// that this one has and releases.
void markAmongLanes(llvm::Instruction &wait, bool forLock);

/// Returns true if the only boundaries of KERNEL, in which lanes of a warp wait separately, are
/// waits for locks: threads that run one after another need no such wait, lanes do.
bool waitsForLocksOnly(const llvm::Function &kernel);

/// Erases the waits of KERNEL.
void eraseWaits(llvm::Function &kernel);

/// Returns true if I is a wait that is not marked as one in a loop.
bool isDivergentWait(const llvm::Instruction &i);

/// Returns true if KERNEL has waits at which some threads of a warp may wait and others not.
bool waitsDivergently(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

/// Returns true if KERNEL has waits, and all threads of a block take the same path from one barrier
/// to the next, however often they look whether what they wait for has happened.
bool isRegularBesideWaits(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_THREADWAITS_H
