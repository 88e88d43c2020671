// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/PartialOutput.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/TempFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace vx::driver {

PartialOutput::PartialOutput(StringRef name) : name(name), file(name) {
  if (name == "-")
    return;
  SmallString<128> path;
  std::error_code ec;
  bool exists = sys::fs::exists(name);
  if (!exists || sys::fs::is_regular_file(name))
    ec = sys::fs::createUniqueFile(name + ".%%%%%%%%.tmp", path);
  else
    ec = std::make_error_code(std::errc::not_supported);
  if (ec && exists)
    ec = sys::fs::createTemporaryFile(sys::path::stem(name), "o", path);
  if (ec)
    return; // NAME itself is written to, or cannot be, which its writer says
  file = path.str().str();
  sys::RemoveFileOnSignal(file);
  TempFolder::noteFile(file);
}

PartialOutput::~PartialOutput() {
  if (file == name)
    return;
  sys::fs::remove(file);
  sys::DontRemoveFileOnSignal(file);
}

bool PartialOutput::commit() {
  if (file == name)
    return true;
  std::error_code ec;
  if (sys::path::parent_path(file) == sys::path::parent_path(name))
    ec = sys::fs::rename(file, name);
  else
    ec = sys::fs::copy_file(file, name);
  if (!ec)
    return true;
  printError("cannot write '" + name + "': " + ec.message());
  return false;
}

} // namespace vx::driver
