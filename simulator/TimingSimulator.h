// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Simulator of timing mode: the cores and the memory system, one clock. Cycles in which nothing
// can happen are left out. What happens does not depend on the host, nor on how many of its threads
// take part (ParallelCores.h): every run of a program is the same.

#ifndef VX_SIMULATOR_TIMINGSIMULATOR_H
#define VX_SIMULATOR_TIMINGSIMULATOR_H

#include "simulator/DeviceSimulator.h"
#include "simulator/timing/mem/MemorySystem.h"
#include "simulator/timing/sys/HostThrottle.h"
#include "simulator/timing/sys/ParallelCores.h"
#include "simulator/timing/sys/Progress.h"
#include <deque>

namespace vx::sim {

class TimingSimulator : public DeviceSimulator {
public:
  explicit TimingSimulator(const SimConfig &config);

  Result<void> initialize() override;
  RunResult run() override;
  void resetStats() override;
  void describeRuns(const RunInfo &info) override;

  /// For tests: COUNT threads share the next runs from their first cycle on, also if COUNT is 1.
  /// Before the first run, and only if run.host_threads is not 1.
  void shareOut(unsigned count) { throttle.fix(count); }

protected:
  /// Runs until no core is running or something stops the guest; then `now` is the number of
  /// cycles.
  virtual void simulate();
  /// The run has ended: completes the statistics of its cores.
  virtual void finishCores();
  /// Simulates at least one cycle. Returns false when the run is over.
  bool step();
  /// Checks limits, requests to stop and progress. Returns false when the run is over.
  bool mayContinue();
  /// Warp instructions of the run.
  uint64_t done() const;
  /// Cycles of the run, those included that were skipped.
  Cycle elapsed() const { return now + skipped; }

  std::unique_ptr<MemorySystem> memory;
  TimingControl timingControl;
  std::vector<CoreClock> clocks;
  Cycle now = 0;
  Cycle skipped = 0;      ///< that were not simulated but estimated
  uint64_t nextCheck = 0; ///< cycle of the next mayContinue()

private:
  bool mayShareOut() const;
  bool stepAlone(Cycle limit);
  [[gnu::always_inline]] inline bool cycle(Cycle limit);
  bool stepTogether();
  bool tickCore(CoreClock &clock, Cycle limit);
  void stopAfter(const CoreClock &stopped);
  void wakeAll(const CoreClock &source);
  void trapFirst(TrapCause cause, std::string detail);
  bool anyRunning() const;

  std::deque<Emulator> emulators;          ///< of each core, when several threads may take part
  std::deque<StaticInstCache> staticInsts; ///< of each core then, else one for all
  HostThrottle throttle;
  const bool severalCores;
  std::unique_ptr<ParallelCores> parallelCores; ///< made when it is wanted first
  Progress progress;
  LaunchBlocks blocks; ///< of the run
  Cycle memoryNext = 0;
  bool endedByItself = false; ///< the run before
  bool woken = false;         ///< in this cycle, one core may have released others
  uint64_t nextProbe = 0;     ///< cycle of the next look whether the run makes progress
  uint64_t instructionsBefore = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMINGSIMULATOR_H
