// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts, for each kernel and instruction address, what the cores did there. Cycles are counted per
// core. A cycle in which a core issued belongs to what was issued (shared, when several were), any
// other to the instruction that could not be, by cause.

#ifndef VX_SIMULATOR_PROFILE_PROFILER_H
#define VX_SIMULATOR_PROFILE_PROFILER_H

#include "simulator/trace/Watcher.h"
#include <array>
#include <map>

namespace vx::sim {

/// Counts of what happened at an address, or at several together.
struct ProfileCounts {
  uint64_t issued = 0;                         ///< warp instructions
  uint64_t lanes = 0;                          ///< active, over all instructions
  uint64_t laneSlots = 0;                      ///< active or not
  uint64_t accesses = 0;                       ///< instructions of the load/store unit
  uint64_t accessCycles = 0;                   ///< from the unit to commit, over all of them
  std::array<uint64_t, kStallCauses> stalls{}; ///< core cycles

  uint64_t stalled() const {
    uint64_t sum = 0;
    for (uint64_t cycles : stalls)
      sum += cycles;
    return sum;
  }
  ProfileCounts &operator+=(const ProfileCounts &other);
};

struct InsnProfile {
  uint32_t word = 0;
  ProfileCounts counts;
};

/// All runs of a kernel.
struct KernelProfile {
  std::string name; ///< empty: not known
  CodeMap *code = nullptr;
  uint64_t runs = 0;
  uint64_t cycles = 0;                   ///< of the device
  uint64_t coreCycles = 0;               ///< over all cores, until each was done
  std::map<uint64_t, InsnProfile> insns; ///< by address; 0: stalls of no known instruction

  ProfileCounts total() const;
};

class Profiler final : public Watcher {
public:
  /// The report goes to PREFIX.txt, .html and .profile.json; "-": as text to standard output.
  explicit Profiler(std::string prefix) : prefix(std::move(prefix)) {}

  void describeRuns(const std::string &kernel, CodeMap &code) override;
  void runStarted() override;
  void committed(const InsnLife &life) override;
  void stalled(uint32_t core, StallCause cause, uint64_t pc, Cycle first, Cycle cycles) override;
  void runEnded(Cycle cycles) override;
  Result<void> finish() override;

  /// In the order of their first run.
  const std::vector<KernelProfile> &kernels() const { return profiles; }

private:
  void extend(uint32_t core, Cycle end);

  std::string prefix;
  std::vector<KernelProfile> profiles;
  size_t current = 0;
  std::vector<Cycle> ends; ///< of each core in this run
};

} // namespace vx::sim

#endif // VX_SIMULATOR_PROFILE_PROFILER_H
