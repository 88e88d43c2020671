// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the instructions that a trace shows: a window by cycle, core and hardware warp.

#ifndef VX_SIMULATOR_TRACE_TRACEWINDOW_H
#define VX_SIMULATOR_TRACE_TRACEWINDOW_H

#include "simulator/api/SimConfig.h"
#include "simulator/config/Ranges.h"

namespace vx::sim {

class TraceWindow {
public:
  TraceWindow() = default; ///< everything
  /// The trace.* knobs of CONFIG, which have been checked when they were set.
  explicit TraceWindow(const SimConfig &config)
      : cycles(rangesOf(config.traceCycles)), cores(rangesOf(config.traceCores)),
        warps(rangesOf(config.traceWarps)) {}

  /// Returns true if an instruction that was scheduled in CYCLE is shown. Cycles count from run to
  /// run.
  bool contains(uint64_t cycle, uint32_t core, uint32_t warp) const {
    return cycles.contains(cycle) && cores.contains(core) && warps.contains(warp);
  }
  bool containsCycle(uint64_t cycle) const { return cycles.contains(cycle); }
  bool containsCore(uint32_t core) const { return cores.contains(core); }

private:
  static Ranges rangesOf(const std::string &text) {
    Result<Ranges> ranges = Ranges::parse(text);
    return ranges ? *ranges : Ranges();
  }

  Ranges cycles, cores, warps;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TRACE_TRACEWINDOW_H
