// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waiting for other threads (__vx_thread_wait, made for mbarriers) means where a thread is a
// lane. Hardware warps go on by themselves, so nothing has to be done for threads that wait
// for other warps. But lanes of one warp that wait apart from the others,
//
//     if (threadIdx.x < 16) { barrier.arrive(); barrier.wait(…); } else barrier.arrive();
//
// keep the others from arriving. Such a kernel takes its region form for blocks of any size, in
// which those that wait let the others go on.

#ifndef VX_PASSES_REGIONS_THREADWAITS_H
#define VX_PASSES_REGIONS_THREADWAITS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace vx {

/// Marks WAIT as one in a loop that both those who wait and those they wait for go round: lanes do
/// so together, and none waits apart from the others.
void markInLoop(llvm::Instruction &wait);

/// True if KERNEL has waits at which some threads of a warp may wait and others not.
bool waitsApart(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

/// True if KERNEL has waits, and all threads of a block take the same path from one barrier to the
/// next, however often they look whether what they wait for has happened.
bool isRegularBesideWaits(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_THREADWAITS_H
