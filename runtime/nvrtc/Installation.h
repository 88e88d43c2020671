// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's files lie next to it, in the build tree and in every installation.

#ifndef VX_RUNTIME_NVRTC_INSTALLATION_H
#define VX_RUNTIME_NVRTC_INSTALLATION_H

#include "frontend/Frontend.h"
#include <string>

namespace vx::nvrtc {

struct Installation {
  FrontendPaths paths;
  std::string resources; ///< device start-up and math code
  std::string problem;   ///< what is missing; empty: nothing
};

/// Looks below $VXCC_HOME, or next to this library, once.
const Installation &installation();

} // namespace vx::nvrtc

#endif // VX_RUNTIME_NVRTC_INSTALLATION_H
