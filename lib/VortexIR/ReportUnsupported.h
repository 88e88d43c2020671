// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports uses of CUDA that the compiler does not support.

#ifndef VX_LIB_VORTEXIR_REPORTUNSUPPORTED_H
#define VX_LIB_VORTEXIR_REPORTUNSUPPORTED_H

#include "llvm/ADT/Twine.h"

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace vx {

/// Reports a use of CUDA that cannot be translated, at the source line of AT. When AT lies in a
/// function of a system header, the line of a caller in the user's file is shown instead.
void reportUnsupported(const llvm::Instruction &at, const llvm::Twine &message);

/// Reports something that has no instruction (a global, an address taken in data).
void reportUnsupported(const llvm::Module &m, const llvm::Twine &message);

} // namespace vx

#endif // VX_LIB_VORTEXIR_REPORTUNSUPPORTED_H
