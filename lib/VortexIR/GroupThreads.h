// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of threads that must execute together for the warp functions of a kernel. A shuffle
// within segments of 8 lanes needs 8: any group of at least that many, aligned, gives the same
// result. The same holds for a vote whose mask is seen to name an aligned segment (a tile). Any
// other member mask needs 32.

#ifndef VX_LIB_VORTEXIR_GROUPTHREADS_H
#define VX_LIB_VORTEXIR_GROUPTHREADS_H

#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace vx {

/// The lanes that a member mask names: WIDTH lanes from lane FIRST (an i32, a multiple of the
/// width) on.
struct Segment {
  unsigned width;
  llvm::Value *first;
};

/// Returns the segment that MASK names, whichever lane asks, if that can be seen.
std::optional<Segment> matchSegment(llvm::Value *mask);

/// Returns how many threads must execute together for CALL, a power of two up to 32; 0: any number
/// will do.
unsigned groupThreadsOf(const llvm::CallBase &call);

/// Returns the largest of what the calls of KERNEL and of the functions it reaches need; 0, or 4 to
/// 32.
unsigned findGroupThreads(const llvm::Function &kernel);

/// Returns true if the lanes of a hardware warp that run KERNEL have to meet before they proceed to
/// their next thread or block: where lanes have paths of their own, those whose thread has ended
/// would come to warp functions of the next one while others are still at those of this one.
bool lanesMeetBetweenThreads(const llvm::Function &kernel);

} // namespace vx

#endif // VX_LIB_VORTEXIR_GROUPTHREADS_H
