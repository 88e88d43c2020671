// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that -v and --dryrun print before the steps: where this toolkit lies, in the lines that
// build tools (CMake among them) read from nvcc's output.

#ifndef VX_LIB_DRIVER_ENVIRONMENT_H
#define VX_LIB_DRIVER_ENVIRONMENT_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace vx {
struct Installation;
} // namespace vx

namespace vx::driver {

/// Prints `#$ NAME=value` for each thing that is known of INSTALLATION.
void printEnvironment(const Installation &installation);

/// Prints the command of the C++ compiler that links OBJECTS with this toolkit's libraries, as a
/// build tool may repeat it. Its word for the library directory is that of printEnvironment().
void printHostLink(const Installation &installation, llvm::ArrayRef<std::string> objects,
                   llvm::ArrayRef<std::string> libraries, const std::string &output);

/// Prints a configuration for clangd that makes it understand vxcc's command lines.
void printClangdConfiguration(const Installation &installation);

} // namespace vx::driver

#endif // VX_LIB_DRIVER_ENVIRONMENT_H
