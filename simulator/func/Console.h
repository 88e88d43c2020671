// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The console port: one slot per lane number, each collects a line and passes it on when complete.

#ifndef VX_SIMULATOR_FUNC_CONSOLE_H
#define VX_SIMULATOR_FUNC_CONSOLE_H

#include "intrinsics/abi/AddressMap.h"
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace vx::sim {

class Console {
public:
  static bool contains(uint64_t address) { return address - VX_CONSOLE_ADDR < VX_CONSOLE_SIZE; }

  void put(uint64_t address, char c) {
    std::string &line = lines[address - VX_CONSOLE_ADDR];
    line += c;
    // A guest that never ends its line must not fill the host's memory.
    if (c == '\n' || line.size() >= kMaxLine)
      flush(line);
  }
  /// Passes on what has no newline yet; called at the end of a run.
  void flushAll() {
    for (std::string &line : lines)
      flush(line);
  }
  void setSink(std::function<void(std::string_view)> newSink) { sink = std::move(newSink); }

private:
  static constexpr size_t kMaxLine = 4096;

  void flush(std::string &line) {
    if (line.empty())
      return;
    if (sink)
      sink(line);
    else
      std::fwrite(line.data(), 1, line.size(), stdout);
    line.clear();
  }

  std::array<std::string, VX_CONSOLE_SIZE> lines;
  std::function<void(std::string_view)> sink;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_CONSOLE_H
