// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, lane and warp of a CUDA thread: from its number in the block, or kept by it.

#ifndef VX_LIB_PRTRANSFORM_COORDINATES_H
#define VX_LIB_PRTRANSFORM_COORDINATES_H

#include "llvm/IR/IRBuilder.h"
#include <array>

namespace vx {

class ParallelRegions;

/// Keeps what regions after the first ask for of threadIdx.y and z in a word that crosses
/// boundaries, if one of them is in a loop or there are several: worked out from the number of the
/// thread, it takes four loads and four multiplications, one after another.
void keepThreadIdx(llvm::Function &f, const ParallelRegions &regions);

/// threadIdx.x, y and z (i32), or three null pointers.
using ThreadIdx = std::array<llvm::Value *, 3>;

/// Replaces calls of the thread's coordinate functions in BLOCKS by values computed from LINEAR
/// (i32) before the terminator of AT, which must dominate BLOCKS, or by KNOWN where threadIdx is
/// known there. There are no divisions in it.
void replaceThreadCoordinates(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &at,
                              llvm::Value *linear, const ThreadIdx &known = {});

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_COORDINATES_H
