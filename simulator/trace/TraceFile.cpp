// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/trace/TraceFile.h"
#include <cerrno>
#include <cstring>

namespace vx::sim {

Result<void> TraceFile::open(const std::string &path, std::string_view closing) {
  name = path;
  footer = closing;
  file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (!file)
    return Failure{"cannot write '" + path + "': " + std::strerror(errno)};
  isSeekable = file != stdout && fseeko(file, 0, SEEK_SET) == 0;
  return {};
}

void TraceFile::put(std::string_view text) {
  failed |= std::fwrite(text.data(), 1, text.size(), file) != text.size();
}

void TraceFile::flush() {
  if (!file)
    return;
  if (isSeekable)
    failed |= fseeko(file, off_t(written), SEEK_SET) != 0;
  put(buffer);
  written += buffer.size();
  buffer.clear();
  if (isSeekable)
    put(footer);
  failed |= std::fflush(file) != 0;
}

Result<void> TraceFile::close() {
  if (!file)
    return {};
  flush();
  if (!isSeekable)
    put(footer);
  bool closed = file == stdout ? std::fflush(file) == 0 : std::fclose(file) == 0;
  file = nullptr;
  if (failed || !closed)
    return Failure{"cannot write all of '" + name + "'"};
  return {};
}

} // namespace vx::sim
