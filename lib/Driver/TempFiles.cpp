// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/TempFiles.h"
#include "lib/Driver/Messages.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace vx::driver {

TempFiles::~TempFiles() {
  for (const std::string &file : files)
    sys::fs::remove(file);
  for (const std::string &folder : folders)
    sys::fs::remove(folder);
}

std::string TempFiles::create(StringRef stem, StringRef suffix) {
  SmallString<128> path;
  if (std::error_code ec = sys::fs::createTemporaryFile(stem, suffix, path)) {
    printError("cannot create a temporary file: " + ec.message());
    return "";
  }
  files.push_back(path.str().str());
  return files.back();
}

std::string TempFiles::createNamed(StringRef name) {
  SmallString<128> path;
  if (std::error_code ec = sys::fs::createUniqueDirectory("vxcc", path)) {
    printError("cannot create a temporary directory: " + ec.message());
    return "";
  }
  folders.push_back(path.str().str());
  sys::path::append(path, name);
  files.push_back(path.str().str());
  return files.back();
}

} // namespace vx::driver
