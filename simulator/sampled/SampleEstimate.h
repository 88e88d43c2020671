// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cycles of a run, estimated from its windows.
//
// The run is parts that were simulated wholly and periods with one window each. The instructions of
// a period take the cycles per instruction of its window. How far these differ from window to
// window says how good the sum is: its variance is estimated from the differences of neighbours,
// the estimator for samples of one unit per stratum (W. G. Cochran, Sampling Techniques, 3rd
// edition, sections 5A.12 and 8.11), which a slow change over the run does not inflate.

#ifndef VX_SIMULATOR_SAMPLED_SAMPLEESTIMATE_H
#define VX_SIMULATOR_SAMPLED_SAMPLEESTIMATE_H

#include "simulator/api/Stats.h"

namespace vx::sim {

class SampleEstimate {
public:
  /// A run begins.
  void start();
  /// The first INSTRUCTIONS took CYCLES.
  void setWhole(uint64_t instructions, uint64_t cycles);
  /// Adds CYCLES that do not belong to any period.
  void addExact(uint64_t cycles) { wholeCycles += double(cycles); }
  /// A period of LENGTH instructions, of which WINDOW in its window took CYCLES.
  void add(uint64_t length, uint64_t window, uint64_t cycles);
  /// The last period has LENGTH instructions more than was added, or less.
  void extend(double length);

  /// Returns the cycles of all that has been added.
  double cycles() const;
  /// Returns the statistics of the estimate, without what was simulated in detail.
  SampleStats stats() const;
  /// Half the width of the 95 % confidence interval of what has been added, as a part of cycles().
  double confidence() const;
  /// Cycles per instruction of the last window; before the first, of the whole part.
  double lastRate() const;

private:
  struct Period {
    double length, rate;
    double skipped; ///< the part of it that was not measured
  };
  std::vector<Period> periods;
  double wholeCycles = 0, wholeRate = 1;
  double unmeasuredWhole = 0; ///< of wholeCycles, what extend() has added
};

} // namespace vx::sim

#endif // VX_SIMULATOR_SAMPLED_SAMPLEESTIMATE_H
