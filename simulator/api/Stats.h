// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counters of a run. Fields are the rows of intrinsics/isa/PerfCounters.def.
//
// In functional mode there is no timing: a core executes one warp instruction per cycle, and reads
// of the clock take a few more, so `cycles` of a core are about its warp instructions, and those of
// the device are the busiest core's.

#ifndef VX_SIMULATOR_API_STATS_H
#define VX_SIMULATOR_API_STATS_H

#include <cstdint>
#include <string>
#include <vector>

namespace vx::sim {

struct CoreStats {
#define VX_COUNTER(unit, field, key, csr, help) uint64_t field = 0;
#include "intrinsics/isa/PerfCounters.def"

  CoreStats &operator+=(const CoreStats &other);
  CoreStats &operator-=(const CoreStats &earlier);
};

struct MemoryStats {
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) uint64_t field = 0;
#include "intrinsics/isa/PerfCounters.def"

  MemoryStats &operator+=(const MemoryStats &other);
  MemoryStats &operator-=(const MemoryStats &earlier);
};

/// The way in which an estimate of cycles has been worked out (run.mode = sampled).
struct SampleStats {
  uint64_t runs = 0;     ///< that were not simulated wholly
  uint64_t windows = 0;  ///< that were measured
  uint64_t detailed = 0; ///< warp instructions that were simulated in detail
  double variance = 0;   ///< of the cycles

  /// Half the width of the 95 % confidence interval of the cycles, from Student's distribution; 0:
  /// the cycles are not an estimate.
  double confidence() const;

  SampleStats &operator+=(const SampleStats &other);
  SampleStats &operator-=(const SampleStats &earlier);
};

struct Stats {
  uint64_t cycles = 0;             ///< of the device: sum over runs of the longest core
  uint64_t warpInstructions = 0;   ///< all cores
  uint64_t threadInstructions = 0; ///< all cores
  bool timing = false;             ///< the cycles are the machine's; timing counters are valid
  bool sampled = false;            ///< and both are estimates, as `sample` says
  SampleStats sample;
  std::vector<CoreStats> cores;
  MemoryStats memory; ///< timing mode

  /// Returns what the runs after EARLIER, a state of the same device, have counted.
  Stats since(const Stats &earlier) const;
  Stats &operator+=(const Stats &other);

  /// Warp instructions per cycle of the device.
  double ipc() const;
  /// Thread instructions per cycle of the device.
  double threadIpc() const;
  /// Active lanes of an instruction, as a part of all lanes of its warp or group: 1 without
  /// divergence.
  double laneOccupancy() const;
  /// All cores together.
  CoreStats allCores() const;

  /// Aligned `name value` lines, the device first, then each core; without counters that are 0.
  std::string toText() const;
  /// One object: cycles, warp_instructions, thread_instructions, cores[].
  std::string toJson() const;
  /// Two lines: names, and one value each for the device and the sum of its cores.
  std::string toCsv() const;
};

/// The cost of the launches of a kernel in one of its variants.
struct KernelStats {
  std::string name, lowering;
  uint64_t launches = 0;
  Stats stats;
};

/// The cost of the kernels that were launched in ranges of one name (NVTX).
struct RangeStats {
  std::string name;
  uint64_t launches = 0, cycles = 0;
};

/// Returns a report on a whole program, as text, json or csv: the kernels and the total, and except
/// in csv the ranges; DEVICE says whose it is, if it is not empty. Empty when FORMAT is none of
/// these.
std::string formatReport(const std::string &format, const std::vector<KernelStats> &kernels,
                         const std::vector<RangeStats> &ranges, const Stats &total,
                         const std::string &device = "");

/// Returns true if there are reports of that format.
bool isReportFormat(const std::string &format);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_STATS_H
