// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the compiler's own files: the layout of a CUDA toolkit, below one root.

#ifndef VX_LIB_DEVICECOMPILER_INSTALLATION_H
#define VX_LIB_DEVICECOMPILER_INSTALLATION_H

#include "frontend/Frontend.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace vx {

struct Installation {
  std::string root;      ///< holds bin, include, lib and nvvm
  FrontendPaths paths;   ///< LLVM's folders, and the CUDA headers
  std::string resources; ///< lib/vxcc: device start-up, services and math code
  std::string libraries; ///< lib: what programs are linked with
  std::string problem;   ///< the text of an error if something is missing
};

/// Returns the installation in $VXCC_HOME, or the one that the file SELF is a part of: an
/// executable in bin, or a library in lib or a folder of it, after all symbolic links.
Installation findInstallation(llvm::StringRef self);

} // namespace vx

#endif // VX_LIB_DEVICECOMPILER_INSTALLATION_H
