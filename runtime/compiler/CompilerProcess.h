// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running vxcc as a process of its own, for libraries that programs load: they need neither LLVM
// nor the compiler to link.

#ifndef VX_RUNTIME_COMPILER_COMPILERPROCESS_H
#define VX_RUNTIME_COMPILER_COMPILERPROCESS_H

#include <filesystem>
#include <string>
#include <vector>

namespace vx {

/// A folder for temporary files, which is removed with everything in it.
class TempFolder {
public:
  /// Makes a folder below the one for temporary files, with a name that starts with PREFIX.
  explicit TempFolder(const std::string &prefix);
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  ~TempFolder();

  std::filesystem::path path; ///< empty if it could not be made
};

/// Returns the vxcc in the folder `bin` next to that of the library which ADDRESS is in; else just
/// `vxcc`, for the PATH.
std::string findInstalledCompiler(const void *address);

/// Returns the content of the file PATH; empty if it cannot be read.
std::string readFile(const std::filesystem::path &path);

/// Runs COMMAND, its output in the file LOG, and waits. Returns its exit code, 128 plus its number
/// after a signal, -1 if it could not be started.
int runCommand(const std::vector<std::string> &command, const std::filesystem::path &log);

} // namespace vx

#endif // VX_RUNTIME_COMPILER_COMPILERPROCESS_H
