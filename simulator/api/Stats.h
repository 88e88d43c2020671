// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run counts. Fields are the rows of intrinsics/isa/PerfCounters.def.
//
// In functional mode there is no timing: a core executes one warp instruction per cycle, so
// `cycles` of a core equals its warp instructions, and that of the device is the busiest core's.

#ifndef VX_SIMULATOR_API_STATS_H
#define VX_SIMULATOR_API_STATS_H

#include <cstdint>
#include <string>
#include <vector>

namespace vx::sim {

struct CoreStats {
#define VX_COUNTER(unit, field, key, csr, help) uint64_t field = 0;
#include "intrinsics/isa/PerfCounters.def"
};

struct MemoryStats {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) uint64_t field = 0;
#include "intrinsics/isa/PerfCounters.def"
};

struct Stats {
  uint64_t cycles = 0;             ///< of the device: sum over runs of the longest core
  uint64_t warpInstructions = 0;   ///< all cores
  uint64_t threadInstructions = 0; ///< all cores
  std::vector<CoreStats> cores;
  MemoryStats memory; ///< timing mode

  /// Aligned `name value` lines, the device first, then each core.
  std::string toText() const;
  /// One object: cycles, warp_instructions, thread_instructions, cores[].
  std::string toJson() const;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_STATS_H
