// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, lane and warp of a CUDA thread, computed from its linear number in the block.

#ifndef VX_LIB_PRTRANSFORM_THREADCOORDINATES_H
#define VX_LIB_PRTRANSFORM_THREADCOORDINATES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace vx {

/// Replaces calls of the coordinate functions in BLOCKS by values computed from LINEAR (i32) at the
/// end of AT, which must dominate BLOCKS. A block of COUNT threads in one dimension takes no
/// division. AT may be split; its terminator, if any, moves to the last part.
void replaceThreadCoordinates(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &at,
                              llvm::Value *linear, llvm::Value *count);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_THREADCOORDINATES_H
