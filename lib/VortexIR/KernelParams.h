// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the parameters of a kernel in its argument block.

#ifndef VX_LIB_VORTEXIR_KERNELPARAMS_H
#define VX_LIB_VORTEXIR_KERNELPARAMS_H

#include "intrinsics/abi/KernelTable.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
}

namespace vx {

/// Returns CUDA's parameter layout: each at its natural alignment, in order; byval ones by value.
llvm::SmallVector<abi::KernelParam, 8> layoutParams(const llvm::Function &kernel);

} // namespace vx

#endif // VX_LIB_VORTEXIR_KERNELPARAMS_H
