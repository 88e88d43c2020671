// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread only waits for what another one will write:
//
//     while (volatile flag == 0) ;         while (atomicCAS(lock, 0, 1) != 0) ;
//
// Lanes of a hardware warp go through code in step, and those that are done with a loop are parked
// until the last one is. If one lane waits for another, which is parked, neither goes on. In the
// serial mapping the lanes run different blocks, so blocks that may wait for each other, as in
// scans in one pass, must not share a hardware warp.

#ifndef VX_PASSES_REGIONS_WAITLOOPS_H
#define VX_PASSES_REGIONS_WAITLOOPS_H

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

/// True if KERNEL or what it calls has a loop that writes nothing but, maybe, its lock, and goes on
/// according to what it reads by volatile or atomic accesses. The meeting of a grid does not count:
/// there all blocks come together.
bool mayWait(const llvm::Function &kernel);

} // namespace vx

#endif // VX_PASSES_REGIONS_WAITLOOPS_H
