// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the tool's own files: the layout of a CUDA toolkit, below one root.

#ifndef VX_TOOLS_VXCC_INSTALLATION_H
#define VX_TOOLS_VXCC_INSTALLATION_H

#include "frontend/Frontend.h"
#include <optional>
#include <string>
#include <vector>

namespace vx::driver {

struct Installation {
  std::string root;      ///< holds bin, include, lib and nvvm
  FrontendPaths paths;   ///< LLVM's folders, and the CUDA headers
  std::string resources; ///< lib/vxcc: device start-up, services and math code
  std::string libraries; ///< lib: what programs are linked with
  /// What the host linker must be told as well: the sanitizers that the libraries were built with.
  std::vector<std::string> linkOptions;
};

/// Finds the files next to the executable (the folder above bin/, with all symbolic links
/// resolved), or below $VXCC_HOME; reports what is missing.
std::optional<Installation> findInstallation(const char *argv0);

} // namespace vx::driver

#endif // VX_TOOLS_VXCC_INSTALLATION_H
