// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result that has its name only when it is whole, so that a build tool never takes what a killed
// compiler left for a result.

#ifndef VX_LIB_DRIVER_PARTIALOUTPUT_H
#define VX_LIB_DRIVER_PARTIALOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace vx::driver {

class PartialOutput {
public:
  /// Reserves a file next to NAME. If NAME is not a regular file (/dev/null), or its folder cannot
  /// be written to, it is a temporary file elsewhere. "-", the standard output, stands for itself.
  explicit PartialOutput(llvm::StringRef name);
  PartialOutput(const PartialOutput &) = delete;
  PartialOutput &operator=(const PartialOutput &) = delete;
  /// Removes the file if it was not committed.
  ~PartialOutput();

  /// Returns the file to write to.
  const std::string &path() const { return file; }

  /// Gives the file its name. Returns false after reporting an error.
  bool commit();

private:
  std::string name;
  std::string file;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_PARTIALOUTPUT_H
