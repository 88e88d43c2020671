// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs four iterations of a loop in one, for vx-unroll-loops and vx-unroll-warp-loops. LLVM's own
// unrolling asks for the number of iterations; in the loops of CUDA kernels,
//
//   for (int i = first; i < n; i += stride)
//
// that is a division by a run-time value for each thread. Here the loop asks whether there are four
// more, which takes a subtraction:
//
//   before:  if (four iterations from here)
//              do { body(i); … body(i + 3 stride); i += 4 stride } while (four more);
//            if (any left)
//              do { body(i); i += stride } while (i < n);
//
// Shape in: innermost loops with one latch, which is the only way out, and an integer compare of an
// induction variable with an invariant there.

#ifndef VX_PASSES_OPTIMIZE_LOOPUNROLLER_H
#define VX_PASSES_OPTIMIZE_LOOPUNROLLER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
}

namespace vx {

/// Largest body that is worth four copies, in instructions.
inline constexpr unsigned kMaxUnrolledInstructions = 32;

/// Unrolls the loops of F that have the shape and that ISWORTHIT says yes to; it gets F's analyses
/// from FAM, which are up to date whenever it is asked. Returns true if F has changed.
bool unrollLoops(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                 llvm::function_ref<bool(const llvm::Loop &)> isWorthIt);

} // namespace vx

#endif // VX_PASSES_OPTIMIZE_LOOPUNROLLER_H
