// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates from linear numbers: threadIdx, lane and warp of a CUDA thread from its number in the
// block, blockIdx from the number of the block in the grid.

#ifndef VX_LIB_PRTRANSFORM_COORDINATES_H
#define VX_LIB_PRTRANSFORM_COORDINATES_H

#include "llvm/IR/IRBuilder.h"
#include <array>

namespace vx {

/// x, y and z (i32) of NUMBER (an integer of 32 bits or more), emitted before AT, in extents DIMX
/// and DIMY (both i32). Where ISFLAT (i1) holds there is one dimension only: no division then, and
/// DIMY, which emits the extent, is not evaluated. The names are PREFIX + ".x" and so on.
std::array<llvm::PHINode *, 3>
emitCoordinates(llvm::Instruction &at, llvm::Value *number, llvm::Value *isFlat, llvm::Value *dimX,
                llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &)> dimY,
                llvm::StringRef prefix);

/// Replaces calls of the thread's coordinate functions in BLOCKS by values computed from LINEAR
/// (i32) at the end of AT, which must dominate BLOCKS. A block of COUNT threads in one dimension
/// takes no division. AT may be split; its terminator moves to the last part.
void replaceThreadCoordinates(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &at,
                              llvm::Value *linear, llvm::Value *count);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_COORDINATES_H
