// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counters of a sampled run that only the timing model counts: what they count in a window
// stands for its period. Those that instructions count when they are executed are exact.

#ifndef VX_SIMULATOR_SAMPLED_SAMPLECOUNTERS_H
#define VX_SIMULATOR_SAMPLED_SAMPLECOUNTERS_H

#include "simulator/api/Stats.h"

namespace vx::sim {

/// The counters of a device.
struct DeviceCounts {
  std::vector<CoreStats> cores;
  MemoryStats memory;
};

class SampleCounters {
public:
  /// A run begins with COUNTS.
  void start(DeviceCounts counts);
  /// A window, or a part between windows that stands for itself, begins with COUNTS.
  void beginWindow(DeviceCounts counts) { begin = std::move(counts); }
  /// The part ends with COUNTS.
  void endExact(const DeviceCounts &counts);
  /// The window ends with COUNTS, and stands for TIMES as many instructions as it has.
  void endWindow(const DeviceCounts &counts, double times);
  /// The last window stands for TIMES as many instructions more.
  void extend(double times);
  /// Ends the part before the first window, which stands for itself.
  void endWhole(const DeviceCounts &counts);
  /// Returns the counts with which the run ends; COUNTS are those without an estimate.
  DeviceCounts finish(DeviceCounts counts) const;

private:
  using Sums = std::vector<double>; ///< of cores' counters, core after core, then of the memory's

  static Sums since(const DeviceCounts &counts, const DeviceCounts &earlier);

  DeviceCounts atStart, begin;
  Sums sums, last;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_SAMPLED_SAMPLECOUNTERS_H
