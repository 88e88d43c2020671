// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intermediate files that vanish with the object. They lie in the TempFolder, which sees to it
// where the tool is stopped.

#ifndef VX_LIB_DRIVER_TEMPFILES_H
#define VX_LIB_DRIVER_TEMPFILES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace vx::driver {

class TempFiles {
public:
  TempFiles() = default;
  TempFiles(const TempFiles &) = delete;
  TempFiles &operator=(const TempFiles &) = delete;
  ~TempFiles();

  /// Creates an empty file STEM-xxxxxx.SUFFIX and returns its path; empty on failure.
  std::string create(llvm::StringRef stem, llvm::StringRef suffix);

  /// Returns the path of a file NAME in a folder of its own; empty on failure. The caller makes the
  /// file.
  std::string createNamed(llvm::StringRef name);

private:
  std::vector<std::string> files;
  std::vector<std::string> folders;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_TEMPFILES_H
