// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers and translators as processes of their own, for code that is linked with LLVM.
// (CompilerProcess.h is for the libraries that are not.)

#ifndef VX_FRONTEND_TOOLPROCESS_H
#define VX_FRONTEND_TOOLPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace vx {

/// A temporary file that is removed with the object.
class TempFile {
public:
  /// Creates an empty file whose name ends with SUFFIX.
  explicit TempFile(llvm::StringRef suffix);
  TempFile(const TempFile &) = delete;
  TempFile &operator=(const TempFile &) = delete;
  ~TempFile();

  /// Makes CONTENT what is in it; false if that cannot be.
  bool write(llvm::StringRef content) const;
  /// Returns the file's content.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> read() const;

  std::string path; ///< empty if it could not be made
};

/// The resources that a process may use; 0: no limit.
struct ToolLimits {
  unsigned seconds = 0, megabytes = 0;
};

struct ToolRun {
  int code = -1; ///< the exit code; below 0 after a signal and if it was not started
  bool isStarted = false, isTimedOut = false;
  std::string problem; ///< the system's message if it did not end by itself
  std::string output;  ///< of both kinds
};

/// Runs PROGRAM with ARGS, without input, and waits for its end.
ToolRun runTool(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> args,
                ToolLimits limits = {});

} // namespace vx

#endif // VX_FRONTEND_TOOLPROCESS_H
