// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that a kernel computes from its coordinates where blocks have one dimension:
// threadIdx.x / 32 is the number of the warp then, and control flow that depends on it is uniform
// in each warp.

#ifndef VX_PASSES_REGIONS_FLATBLOCKS_H
#define VX_PASSES_REGIONS_FLATBLOCKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

/// Makes threadIdx.y and threadIdx.z of F zero, and simplifies what uses them: the linear number of
/// the thread in its block becomes threadIdx.x.
void assumeFlatBlocks(llvm::Function &f);

/// Replaces what F computes from threadIdx.x >> SHIFT alone, the number of a thread's group of
/// 2^SHIFT threads where blocks are flat, or in a part of a warp from the lane, by the same of
/// __vx_warp_id, which is known to be uniform.
void useGroupNumbers(llvm::Function &f, unsigned shift);

} // namespace vx

#endif // VX_PASSES_REGIONS_FLATBLOCKS_H
