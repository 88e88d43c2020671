// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics as values. A CUDA source is compiled twice, so what both halves say about shared code
// must be printed once; and the host half runs in another process, so its diagnostics travel as
// bytes. A note belongs to the diagnostic before it.

#ifndef VX_FRONTEND_DIAGNOSTIC_LOG_H
#define VX_FRONTEND_DIAGNOSTIC_LOG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>
#include <vector>

namespace llvm {
class DiagnosticInfo;
class Twine;
class raw_ostream;
} // namespace llvm

namespace vx {

enum class Severity : unsigned { Note, Warning, Error, Fatal };

class DiagnosticLog {
public:
  explicit DiagnosticLog(bool colors = false) : colors(colors) {}

  /// Adds a rendered diagnostic; KEY (place and message) tells equal ones. Notes are appended to
  /// the diagnostic before them.
  void add(Severity severity, llvm::StringRef key, llvm::StringRef text);

  /// Adds a diagnostic that has no place in a source file.
  void addPlain(Severity severity, const llvm::Twine &message);

  /// Adds what a pass reported through an LLVMContext, in clang's form. Warnings about system
  /// headers are left out, as clang does.
  void add(const llvm::DiagnosticInfo &info);

  /// Takes NAME, as diagnostics have it, for a system header.
  void addSystemHeader(llvm::StringRef name) { systemHeaders.insert(name); }

  /// Takes over what OTHER holds and this log does not have yet.
  void merge(const DiagnosticLog &other);

  /// Prints everything not printed yet.
  void flush(llvm::raw_ostream &os);

  /// Prints the "2 errors generated." line, if there is something to count.
  void printSummary(llvm::raw_ostream &os) const;

  std::string serialize() const;
  /// Reads what serialize() wrote; false if BYTES are not complete.
  bool deserialize(llvm::StringRef bytes);

  bool hasErrors() const { return errors != 0; }
  /// Returns true if the first error is that something cannot be read or written.
  bool startsFatal() const { return fatal; }
  bool useColors() const { return colors; }
  /// Makes diagnostics of passes lose their source lines from now on.
  void omitSource() { withSource = false; }

private:
  struct Entry {
    Severity severity;
    std::string key;
    std::string text;
  };

  void append(Entry entry);

  std::vector<Entry> entries;
  std::set<std::string> keys;
  llvm::StringSet<> systemHeaders;
  size_t flushed = 0;
  unsigned warnings = 0;
  unsigned errors = 0;
  bool fatal = false;
  bool colors;
  bool withSource = true;
};

} // namespace vx

#endif // VX_FRONTEND_DIAGNOSTIC_LOG_H
