// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes that vx-lower-named-barriers leaves on kernels for their entries.

#ifndef VX_PASSES_REGIONS_NAMEDBARRIERS_H
#define VX_PASSES_REGIONS_NAMEDBARRIERS_H

#include "intrinsics/abi/NamedBarriers.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/IR/Function.h"

namespace vx {

/// Returns the number of barriers of the state that a block of KERNEL has; 0: none, and no state.
inline unsigned countNamedBarriers(const llvm::Function &kernel) {
  return kernel.getFnAttributeAsParsedInteger(kNamedBarriersAttr);
}

/// Returns the number of bytes of that state, which lies before the shared tail.
inline uint64_t namedBarrierBytes(const llvm::Function &kernel) {
  unsigned barriers = countNamedBarriers(kernel);
  return barriers ? abi::NamedBarriers::bytes(barriers > abi::kNamedBarriers) : 0;
}

} // namespace vx

#endif // VX_PASSES_REGIONS_NAMEDBARRIERS_H
