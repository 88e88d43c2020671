// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Simulator of sampled mode (docs/architect/sampling.md): the timing model simulates the first
// instructions of a run, windows of the rest, and where warps come to other code; between these,
// instructions are executed functionally. Cycles and what the timing model counts are estimated
// from the windows.

#ifndef VX_SIMULATOR_SAMPLEDSIMULATOR_H
#define VX_SIMULATOR_SAMPLEDSIMULATOR_H

#include "simulator/TimingSimulator.h"
#include "simulator/sampled/FastForward.h"
#include "simulator/sampled/SampleCounters.h"
#include "simulator/sampled/SampleEstimate.h"
#include "simulator/sampled/SamplePlan.h"

namespace vx::sim {

class SampledSimulator final : public TimingSimulator {
public:
  explicit SampledSimulator(const SimConfig &config);

  void resetStats() override;

private:
  enum class Phase { Whole, EndOfWhole, Transition, Warmup, Window };

  void simulate() override;
  void finishCores() override;
  bool nextPhase();
  bool fastForward(uint64_t target);
  bool execute(uint64_t target);
  bool beginTransition();
  void endTransition();
  bool drainLoads();
  bool beginGap();
  void endGap(Cycle cycles);
  void endWindow();
  void extend();
  DeviceCounts counts() const;

  SamplePlan plan;
  SampleEstimate estimate;
  SampleCounters counters;
  FastForward forward;

  // The state of the run, counted in warp instructions of the device.
  Phase phase = Phase::Whole;
  bool isEstimate = false;   ///< not all of it has been simulated
  uint64_t phaseEnd = 0;     ///< when the next phase begins
  unsigned restarts = 0;     ///< of the plan, because the number of warps has changed
  uint64_t accounted = 0;    ///< end of the last period that is part of the estimate
  uint64_t exact = 0;        ///< of transitions, not yet subtracted from a period
  uint64_t lastNewCode = 0;  ///< when warps came to other code
  bool isUsual = true;       ///< warps advance here as between windows
  uint64_t notSimulated = 0; ///< executed functionally
  uint64_t windowStart = 0;  ///< of the window or transition
  uint64_t lastLength = 1;   ///< of the last window, before there is one of the whole part
  Cycle windowStartCycle = 0;
  MemoryStats memoryExtra; ///< what estimates add to what memory has counted, in all runs
};

} // namespace vx::sim

#endif // VX_SIMULATOR_SAMPLEDSIMULATOR_H
