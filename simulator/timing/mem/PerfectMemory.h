// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory system in which everything hits (memory.perfect): what a program would take without
// misses, conflicts and bandwidth limits. The core's unit tests run on it.

#ifndef VX_SIMULATOR_TIMING_MEM_PERFECTMEMORY_H
#define VX_SIMULATOR_TIMING_MEM_PERFECTMEMORY_H

#include "simulator/timing/mem/MemorySystem.h"

namespace vx::sim {

class PerfectMemory : public MemorySystem {
public:
  explicit PerfectMemory(const SimConfig &config) : MemorySystem(config.numCores) {}

  void reset() override;
  void restart(Cycle) override { reset(); }
  Cycle tick(Cycle now) override;

  /// Cycles from a request's arrival to its answer: those of hits.
  static constexpr Cycle kFetchCycles = 3, kAccessCycles = 9;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_PERFECTMEMORY_H
