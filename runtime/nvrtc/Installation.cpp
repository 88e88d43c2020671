// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvrtc/Installation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <dlfcn.h>

using namespace llvm;

namespace vx::nvrtc {

/// Returns the first folder below one of ROOTS, with one of TAILS appended, that has FILE; empty:
/// none.
static std::string findFolder(ArrayRef<std::string> roots, ArrayRef<StringRef> tails,
                              StringRef file) {
  for (const std::string &root : roots)
    for (StringRef tail : tails) {
      SmallString<256> folder = StringRef(root);
      sys::path::append(folder, tail);
      SmallString<256> path = folder;
      sys::path::append(path, file);
      if (sys::fs::exists(path))
        return folder.str().str();
    }
  return "";
}

static Installation find() {
  Installation result;
  result.paths = findLlvmPaths();
  std::vector<std::string> roots;
  if (auto home = sys::Process::GetEnv("VXCC_HOME")) {
    roots.push_back(*home);
  } else {
    Dl_info info;
    SmallString<256> self;
    if (dladdr(reinterpret_cast<void *>(&find), &info) &&
        !sys::fs::real_path(info.dli_fname, self)) {
      // lib/libnvrtc.so, or lib/x86_64-linux-gnu/libnvrtc.so.
      StringRef folder = sys::path::parent_path(self);
      for (unsigned i = 0; i < 3 && !folder.empty(); ++i, folder = sys::path::parent_path(folder))
        roots.push_back(folder.str());
    }
  }
  result.paths.headers = findFolder(roots, {"include", "include/vxcc"}, "vx/cuda/wrapper.h");
  result.resources = findFolder(roots, {"lib/vxcc", "vxcc"}, "link.ld");
  if (result.paths.headers.empty())
    result.problem = "the CUDA headers are missing";
  else if (result.resources.empty())
    result.problem = "the folder lib/vxcc is missing";
  else if (!sys::fs::is_directory(result.paths.clangResource))
    result.problem = "clang's headers are missing: '" + result.paths.clangResource + "'";
  if (!result.problem.empty())
    result.problem = "incomplete installation of vxcc beside libnvrtc.so: " + result.problem +
                     "; VXCC_HOME names another one";
  return result;
}

const Installation &installation() {
  static const Installation found = find();
  return found;
}

} // namespace vx::nvrtc
