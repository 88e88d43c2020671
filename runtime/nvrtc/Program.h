// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program that an nvrtcProgram stands for.

#ifndef VX_RUNTIME_NVRTC_PROGRAM_H
#define VX_RUNTIME_NVRTC_PROGRAM_H

#include "nvrtc.h"
#include "runtime/nvrtc/DeviceImages.h"
#include "runtime/nvrtc/Options.h"
#include <string>
#include <utility>
#include <vector>

struct _nvrtcProgram {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers; ///< name, text
  std::vector<std::string> expressions, loweredNames;
  bool tried = false; ///< to compile
  bool compiled = false;
  std::string log;
  std::string text;                   ///< NVVM IR
  vx::Bytes image, linkable, bitcode; ///< fat binaries; bitcode of the IR
};

namespace vx::nvrtc {

/// Compiles PROGRAM with OPTIONS; fills in its log and, if there were no errors, its results.
nvrtcResult compileProgram(_nvrtcProgram &program, const Options &options);

} // namespace vx::nvrtc

#endif // VX_RUNTIME_NVRTC_PROGRAM_H
