// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marks that vx-unroll-loops leaves for passes that would rather have the loop as it was.

#ifndef VX_LIB_VORTEXIR_UNROLLEDLOOPS_H
#define VX_LIB_VORTEXIR_UNROLLEDLOOPS_H

#include "llvm/ADT/StringRef.h"

namespace vx {

/// Metadata of a loop that does four iterations in one: the original, after it, does the rest.
inline constexpr llvm::StringLiteral kUnrolledLoop = "vx.loop.unrolled";

} // namespace vx

#endif // VX_LIB_VORTEXIR_UNROLLEDLOOPS_H
