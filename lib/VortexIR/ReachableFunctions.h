// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds which functions code may call. Device code is a closed world.

#ifndef VX_LIB_VORTEXIR_REACHABLEFUNCTIONS_H
#define VX_LIB_VORTEXIR_REACHABLEFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

/// Returns ROOTS and what they may call: directly, or through a pointer any function whose address
/// is taken.
llvm::SetVector<const llvm::Function *> reachableFrom(llvm::ArrayRef<const llvm::Function *> roots);

} // namespace vx

#endif // VX_LIB_VORTEXIR_REACHABLEFUNCTIONS_H
