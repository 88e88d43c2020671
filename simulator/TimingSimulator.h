// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Simulator of timing mode: the cores and the memory system, one clock. Cycles in which nothing
// can happen are left out. What happens does not depend on the host: every run of a program is the
// same.

#ifndef VX_SIMULATOR_TIMING_SYS_TIMINGSIMULATOR_H
#define VX_SIMULATOR_TIMING_SYS_TIMINGSIMULATOR_H

#include "simulator/FunctionalSimulator.h"
#include "simulator/timing/core/TimingCore.h"
#include "simulator/timing/mem/MemorySystem.h"
#include "simulator/timing/sys/Progress.h"

namespace vx::sim {

class TimingSimulator : public FunctionalSimulator {
public:
  explicit TimingSimulator(const SimConfig &config);

  RunResult run() override;
  void resetStats() override;

private:
  struct CoreClock {
    std::unique_ptr<TimingCore> core;
    const MemoryLink *link;
    Cycle next = 0; ///< its next tick
    bool running = true;
    Cycle ended = 0;
  };

  void simulate();
  void tickCores();
  bool tickCore(CoreClock &clock);
  void wakeAll();
  bool mayGoOn();
  void trapFirst(TrapCause cause, std::string detail);
  bool anyRunning() const;
  Cycle nextCycle() const;
  void collectTimes();

  std::unique_ptr<MemorySystem> memory;
  TimingControl timingControl;
  std::vector<CoreClock> clocks;
  Progress progress;
  Cycle now = 0;
  Cycle memoryNext = 0;
  uint64_t nextCheck = 0; ///< cycle of the next look at limits, stop requests, progress
  uint64_t instructionsBefore = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_TIMINGSIMULATOR_H
