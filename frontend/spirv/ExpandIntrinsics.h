// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics that LLVM's SPIR-V back end has no instructions for, or none that readers of kernel
// modules know, as others.

#ifndef VX_FRONTEND_SPIRV_EXPANDINTRINSICS_H
#define VX_FRONTEND_SPIRV_EXPANDINTRINSICS_H

namespace llvm {
class Module;
} // namespace llvm

namespace vx::spirv {

/// Expands additions and subtractions that report a carry, bits in reverse order, minima and maxima
/// of floating-point numbers that are never NaN if one of the operands is not NaN.
void expandIntrinsics(llvm::Module &m);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_EXPANDINTRINSICS_H
