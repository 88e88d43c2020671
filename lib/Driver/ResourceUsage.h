// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels use of a device, from the kernel table of an image, as -Xptxas -v and -res-usage
// print it: scripts look for "Used N registers". ptxas has spills in lines of their own; here they
// are in the stack frame, which is that of the deepest calls.

#ifndef VX_LIB_DRIVER_RESOURCEUSAGE_H
#define VX_LIB_DRIVER_RESOURCEUSAGE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace vx::driver {

/// Returns the text for the kernels of the ELF file IMAGE, which is for DEVICE; empty without any.
std::string describeUsage(llvm::StringRef image, llvm::StringRef device);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_RESOURCEUSAGE_H
