// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fdevice-time-trace: LLVM's time profiler over front end, passes and code generation.

#ifndef VX_LIB_DRIVER_TIMETRACE_H
#define VX_LIB_DRIVER_TIMETRACE_H

#include <string>

namespace vx::driver {

/// Records from construction to destruction unless FILE is empty.
class TimeTrace {
public:
  explicit TimeTrace(const std::string &file);
  ~TimeTrace();
  TimeTrace(const TimeTrace &) = delete;
  TimeTrace &operator=(const TimeTrace &) = delete;

  /// Writes what was recorded, in the format of chrome://tracing; OUTPUT.json if the file is "-".
  /// Says on stderr and returns false if that fails. Without a file: nothing to do.
  bool write(const std::string &output) const;

private:
  std::string file;
};

} // namespace vx::driver

#endif // VX_LIB_DRIVER_TIMETRACE_H
