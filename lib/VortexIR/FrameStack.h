// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds how large the stack of frames of an iterative function (IterativeFunction.h) has to be.

#ifndef VX_LIB_VORTEXIR_FRAMESTACK_H
#define VX_LIB_VORTEXIR_FRAMESTACK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace vx {

/// Frames of a thread, calls of recursive functions that have not returned: as many as have room,
/// within these.
inline constexpr unsigned kMinFrames = 16, kMaxFrames = 64, kFrameStackBytes = 8192;

/// A function with frames.
struct Framed {
  uint64_t bytes = 0;                   ///< of a frame
  bool keeps = false;                   ///< it has variables, and not only parameters to pass
  llvm::SmallVector<unsigned, 4> calls; ///< the functions that it calls, as positions in the array
};

struct FrameStack {
  uint64_t bytes = 0;
  bool mayOverflow = false; ///< there is recursion
};

/// Returns the size of a stack for calls of the function at FIRST: the frames on the longest path
/// of calls without recursion, and those that recursive functions have room for.
FrameStack sizeFrameStack(llvm::ArrayRef<Framed> functions, unsigned first);

} // namespace vx

#endif // VX_LIB_VORTEXIR_FRAMESTACK_H
