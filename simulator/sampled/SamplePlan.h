// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the detailed windows of a sampled run, in warp instructions of the device:
//
//   whole | fast-forward | warm-up | window | fast-forward … | warm-up | window | …
//         |------------- period ------------|-------------- period -----------|
//
// Each period has one window, at a random place, so that no rhythm of the program can be in step
// with the windows (stratified random sampling). Periods begin short, so that there are windows
// enough in runs that are not long, and grow: to the length that `sample.period` or the size of a
// window gives, and to twice that when the estimate is better than it has to be.

#ifndef VX_SIMULATOR_SAMPLED_SAMPLEPLAN_H
#define VX_SIMULATOR_SAMPLED_SAMPLEPLAN_H

#include "simulator/api/SimConfig.h"

namespace vx::sim {

/// Lengths in warp instructions, the device's cores together.
struct SampleShape {
  uint64_t whole;       ///< from the start: simulated in detail
  uint64_t window;      ///< measured
  uint64_t warmup;      ///< before it: simulated in detail and not measured
  uint64_t warming;     ///< before that: executed so that caches know of it
  uint64_t search;      ///< and after that at most, to a place like the one before
  uint64_t firstPeriod; ///< from window to window at first
  uint64_t period;      ///< and at most, as long as the estimate is not better than it has to be
  bool adapts;          ///< else all periods are `period`

  /// Returns what the knobs sample.* say, and for those that are 0 what follows from the machine.
  static SampleShape of(const SimConfig &config);
};

class SamplePlan {
public:
  SamplePlan(const SampleShape &shape, uint64_t seed) : shape(shape), seed(seed) { start(); }

  /// A run begins.
  void start();
  /// Returns true if the next period may be longer, so that next() wants to know the confidence.
  bool mayGrow() const;
  /// Goes on to the next period. CONFIDENCE: half the width of the confidence interval so far, as a
  /// part of the estimate.
  void next(double confidence);
  /// A new period begins at AT, with its window at once.
  void restart(uint64_t at);

  /// Returns the begin of the period, from the start of the run.
  uint64_t begin() const { return first; }
  uint64_t end() const { return first + length; }
  /// Returns where its window begins, and the warm-up before it.
  uint64_t windowBegin() const { return windowAt; }
  uint64_t warmupBegin() const { return windowAt - shape.warmup; }
  uint64_t windowEnd() const { return windowAt + shape.window; }

  const SampleShape shape;

private:
  void place();

  const uint64_t seed;
  uint64_t first = 0, length = 0, windowAt = 0;
  uint64_t random = 0;
  unsigned ofThisLength = 0; ///< periods
};

} // namespace vx::sim

#endif // VX_SIMULATOR_SAMPLED_SAMPLEPLAN_H
