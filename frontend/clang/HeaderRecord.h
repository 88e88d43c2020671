// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of what a precompiled header depends on, as text that follows it: the files that were
// read, the names of headers that were asked for, and all identifiers.

#ifndef VX_FRONTEND_CLANG_HEADERRECORD_H
#define VX_FRONTEND_CLANG_HEADERRECORD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace vx {

/// Takes note of the headers that a compilation asks for; to be attached before it reads any.
class HeaderRecorder {
public:
  explicit HeaderRecorder(clang::CompilerInstance &instance);

  /// Returns the record of what INSTANCE has read, whose source file must still be open.
  std::string finish(clang::CompilerInstance &instance) const;

private:
  llvm::StringSet<> asked, found;
};

/// A record that was kept.
class HeaderRecord {
public:
  explicit HeaderRecord(llvm::StringRef text) : text(text) {}

  /// Returns true if all files are as they were.
  bool isCurrent() const;

  /// Returns the files that __has_include found.
  std::vector<llvm::StringRef> filesLookedFor() const;

  /// Returns true if the headers name IDENTIFIER anywhere where it could be a macro.
  bool names(llvm::StringRef identifier) const;

  /// Returns true if FOLDER holds one of the headers that were asked for.
  bool mayAskFor(llvm::StringRef folder) const;

  /// Returns true if PATH could be one of those headers.
  bool isNameOf(llvm::StringRef path) const;

private:
  llvm::StringRef text;
};

} // namespace vx

#endif // VX_FRONTEND_CLANG_HEADERRECORD_H
