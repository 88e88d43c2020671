// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that grows during a run and is complete at any time: what has been written is followed by
// the footer that closes it, and the next piece overwrites that. On what cannot be rewritten, such
// as a pipe, the footer comes at the end only.

#ifndef VX_SIMULATOR_TRACE_TRACEFILE_H
#define VX_SIMULATOR_TRACE_TRACEFILE_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace vx::sim {

class TraceFile {
public:
  TraceFile() = default;
  ~TraceFile() { (void)close(); }
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  /// Creates PATH ("-": standard output).
  Result<void> open(const std::string &path, std::string_view footer = {});
  /// TEXT in front of the footer must be a complete file.
  void append(std::string_view text) {
    buffer += text;
    if (buffer.size() >= kChunk)
      flush();
  }
  /// Writes what is in the buffer, and the footer.
  void flush();
  /// Closes the file; a Failure when anything of it could not be written.
  Result<void> close();

private:
  static constexpr size_t kChunk = size_t(1) << 16;

  void put(std::string_view text);

  std::string name, footer, buffer;
  std::FILE *file = nullptr;
  uint64_t written = 0; ///< bytes without the footer
  bool isSeekable = false, failed = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TRACE_TRACEFILE_H
