// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vxcc/Installation.h"
#include "tools/vxcc/Messages.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace vx::driver {

std::optional<Installation> findInstallation(const char *argv0) {
  SmallString<256> home;
  if (auto fromEnvironment = sys::Process::GetEnv("VXCC_HOME")) {
    home = *fromEnvironment;
  } else {
    auto *symbol = reinterpret_cast<void *>(&findInstallation);
    SmallString<256> self;
    if (!sys::fs::real_path(sys::fs::getMainExecutable(argv0, symbol), self))
      home = sys::path::parent_path(sys::path::parent_path(self));
  }
  Installation result;
  result.paths = findLlvmPaths();
  SmallString<256> headers = home, libraries = home;
  sys::path::append(headers, "include");
  sys::path::append(libraries, "lib");
  result.root = home.str().str();
  result.paths.headers = headers.str().str();
  result.libraries = libraries.str().str();
  result.linkOptions = {VX_LINK_OPTIONS};
  sys::path::append(libraries, "vxcc");
  result.resources = libraries.str().str();
  for (const std::string &directory :
       {result.paths.headers, result.resources, result.paths.clangResource})
    if (!sys::fs::is_directory(directory)) {
      printError("incomplete installation: '" + directory + "' is missing");
      return std::nullopt;
    }
  return result;
}

} // namespace vx::driver
