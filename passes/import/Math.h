// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device math: the library vxmath.bc (built from libclc and runtime/device/math) and its link.

#ifndef VX_PASSES_IMPORT_MATH_H
#define VX_PASSES_IMPORT_MATH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace vx {

/// Gives M the bodies of the device math functions (__nv_*, __vxm_*) that it calls, as internal
/// functions, from RESOURCEDIR/vxmath.bc. First every operation that RISC-V code generation would
/// turn into a library call (llvm.sin, frem, 16-bit floats, …) becomes such a call.
///
/// To be called right after vx-import-nvvm and before optimization and divergence handling, because
/// the bodies have control flow; calling it again after optimization is harmless and catches
/// intrinsics that the optimizer formed. A function that the library lacks is reported through the
/// context's diagnostic handler, with the source line of its use. The error is for a library that
/// cannot be read.
llvm::Error linkDeviceMath(llvm::Module &m, llvm::StringRef resourceDir);

/// Does the first step of linkDeviceMath alone.
void lowerMathOperations(llvm::Module &m);

/// Makes arithmetic of 16-bit floats arithmetic of floats or doubles, rounded once; what is left of
/// 16-bit floats are conversions, and changes of the sign. Returns true if something has changed.
bool lowerSmallFloatArithmetic(llvm::Function &f);

/// Makes the library: LIBCLC with the modules PARTS linked in, reduced to what the functions
/// __nv_* and __vxm_* need, in common IR.
llvm::Expected<std::unique_ptr<llvm::Module>> makeDeviceMath(llvm::LLVMContext &ctx,
                                                             llvm::StringRef libclc,
                                                             llvm::ArrayRef<llvm::StringRef> parts);

} // namespace vx

#endif // VX_PASSES_IMPORT_MATH_H
