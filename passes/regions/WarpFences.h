// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory fences in code that was written for warps in lockstep:
//
//     record[lane] = v;                        all lanes write,
//     __threadfence();
//     if (lane == 0) atomicExch(lock, 0);      one says that they have
//
// Where a warp executes a fence as one, its lanes have all written before any of them goes on. The
// sw lowering runs threads one after another: lane 0 would free the lock before lane 1 has written.
// So there the threads of the warp synchronize after the fence, as by __syncwarp().
//
// Where the analysis cannot prove that all of them reach the fence, those that arrive there
// together synchronize if the kernel keeps sets of waiting threads anyway. A fence that one lane
// executes orders what that lane does.

#ifndef VX_PASSES_REGIONS_WARPFENCES_H
#define VX_PASSES_REGIONS_WARPFENCES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

class WarpView;

/// Synchronizes the threads of a warp after the fences of KERNEL, into which its warp functions are
/// inlined; VIEW is of it. No lane may spin on what another one does behind a fence (LaneWaits).
/// Kernels whose warp functions do not need the whole warp stay as they are.
void syncWarpsAtFences(llvm::Function &kernel, WarpView &view, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_WARPFENCES_H
