// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of one compilation.

#ifndef VX_RUNTIME_NVRTC_OPTIONS_H
#define VX_RUNTIME_NVRTC_OPTIONS_H

#include "lib/VortexIR/DeviceOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace vx::nvrtc {

struct Options {
  std::vector<std::string> clangArgs;
  bool wantsImage = false;  ///< -arch=sm_NUMBER
  bool relocatable = false; ///< linked with others later: there is no image yet
  bool linkTime = false;    ///< -dlto
  bool debug = false;       ///< -G
  std::optional<bool> optimizeDebug;
  bool contractFp = true;
  bool fastMath = false;
  bool defaultDevice = false; ///< functions and variables are the device's
  bool sourceInclude =
      true; ///< quoted headers are looked for in the folder of the source's name, too
  bool brief = false;
  std::string timeFile;
  DeviceOptions device;
  abi::Lowering lowering = abi::Lowering::Auto;

  unsigned optLevel() const { return debug && !optimizeDebug.value_or(false) ? 0 : 3; }
};

/// Returns the numbers of the architectures of this release, in ascending order.
llvm::ArrayRef<int> architectures();

/// Reads GIVEN; none (and a line in MESSAGE) after a mistake.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> given, std::string &message);

} // namespace vx::nvrtc

#endif // VX_RUNTIME_NVRTC_OPTIONS_H
