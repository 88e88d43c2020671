// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's architectures, which command lines for nvcc name. They are without effect here.

#ifndef VX_LIB_DRIVER_ARCHITECTURES_H
#define VX_LIB_DRIVER_ARCHITECTURES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace vx::driver {

/// Returns true for sm_80, compute_80, lto_80 and their kin, with the suffixes that an architecture
/// has, and for native, all and all-major.
bool isArchitecture(llvm::StringRef name);

/// Prints one line for each architecture that the CUDA release of the headers compiles for.
void listArchitectures(llvm::StringRef prefix, llvm::raw_ostream &os);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_ARCHITECTURES_H
