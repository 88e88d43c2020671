// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line on stderr that shows how far a long run has come: cycles, instructions, rate.

#ifndef VX_SIMULATOR_TIMING_SYS_PROGRESS_H
#define VX_SIMULATOR_TIMING_SYS_PROGRESS_H

#include <chrono>
#include <cstdint>

namespace vx::sim {

class Progress {
public:
  explicit Progress(bool enabled) : enabled(enabled) {}

  void start();
  /// Shows the line when the last one is old enough.
  void show(uint64_t cycles, uint64_t instructions);
  /// Removes the line.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  const bool enabled;
  bool shown = false;
  Clock::time_point begin, last;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_PROGRESS_H
