// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels into which everything is inlined grow with the product of the calls on a path: functions
// that call each other through a pointer at several places, say. Above a size, the functions
// become one with the kernel (IterativeFunction.h), in which each of them is there once.

#ifndef VX_LIB_VORTEXIR_SHAREDBODIES_H
#define VX_LIB_VORTEXIR_SHAREDBODIES_H

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

class TransitiveCallers;

/// The limits of what may be inlined into a kernel: more instructions, or more copies of each
/// function in the mean.
struct InlineLimits {
  uint64_t instructions = 50000;
  unsigned copies = 4;
};

/// Brings the functions of CALLERS that KERNEL leads to, all by direct calls, into it, once each,
/// if inlining would exceed both LIMITS. Returns true if it did: KERNEL calls none of them then.
/// Those with a local array without a constant size have no frames: it returns false.
bool shareBodies(llvm::Function &kernel, const TransitiveCallers &callers,
                 const InlineLimits &limits);

} // namespace vx

#endif // VX_LIB_VORTEXIR_SHAREDBODIES_H
