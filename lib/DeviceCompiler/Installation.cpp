// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/DeviceCompiler/Installation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <vector>

using namespace llvm;

namespace vx {

static std::string below(StringRef folder, StringRef path) {
  SmallString<256> joined = folder;
  sys::path::append(joined, path);
  return joined.str().str();
}

/// Returns the folders that may be the root.
static std::vector<std::string> candidates(StringRef self) {
  if (auto home = sys::Process::GetEnv("VXCC_HOME"))
    return {*home};
  SmallString<256> file;
  if (sys::fs::real_path(self, file))
    return {};
  std::vector<std::string> folders;
  StringRef folder = sys::path::parent_path(file);
  for (unsigned i = 0; i < 2 && !folder.empty();
       ++i) { // bin/vxcc, lib/x86_64-linux-gnu/libnvrtc.so
    folder = sys::path::parent_path(folder);
    folders.push_back(folder.str());
  }
  return folders;
}

/// Returns the folder with the CUDA headers of an installation in ROOT, or nothing.
static std::string findHeaders(StringRef root) {
  for (StringRef folder : {"include", "include/vxcc"})
    if (std::string headers = below(root, folder);
        sys::fs::exists(below(headers, "vx/cuda/wrapper.h")))
      return headers;
  return "";
}

Installation findInstallation(StringRef self) {
  Installation result;
  result.paths = findLlvmPaths();
  for (const std::string &root : candidates(self)) {
    result.root = root;
    result.libraries = below(root, "lib");
    result.resources = below(result.libraries, "vxcc");
    result.paths.headers = findHeaders(root);
    if (!result.paths.headers.empty())
      break;
  }
  if (result.paths.headers.empty())
    result.problem = "the CUDA headers are missing";
  else if (!sys::fs::exists(below(result.resources, "link.ld")))
    result.problem = "the folder '" + result.resources + "' is missing";
  else if (!sys::fs::is_directory(result.paths.clangResource))
    result.problem = "clang's headers are missing: '" + result.paths.clangResource + "'";
  if (!result.problem.empty())
    result.problem =
        "incomplete installation of vxcc: " + result.problem + "; VXCC_HOME names another one";
  return result;
}

} // namespace vx
