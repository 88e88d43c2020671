// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linear number of a thread in its block, and what is computed from the number of its warp
// alone: control flow that depends on that is uniform in each warp.

#ifndef VX_LIB_PRTRANSFORM_THREADRANKS_H
#define VX_LIB_PRTRANSFORM_THREADRANKS_H

#include "intrinsics/abi/WarpSize.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace vx {

/// Returns what USER computes from RANK, the linear number of a thread, as a function of RANK >>
/// SHIFT, for which __vx_warp_id stands; null if it does not depend on that alone.
llvm::Value *computeFromGroup(llvm::Instruction &user, const llvm::Value *rank, unsigned shift);

/// Replaces (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x in F by the number
/// of the warp and the lane, and what depends on the thread's group of 2^SHIFT threads alone by
/// functions of that, for which __vx_warp_id stands: with the default, it is the warp.
void useThreadRanks(llvm::Function &f, unsigned shift = abi::kWarpShift);

/// Replaces threadIdx in F, a kernel for blocks whose rows consist of whole warps, by where the
/// warp is and the lane: what does not depend on the lane is known to be uniform in each warp then.
void useWarpsInRows(llvm::Function &f);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_THREADRANKS_H
