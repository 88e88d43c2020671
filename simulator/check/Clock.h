// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Happens-before, by vector clocks. A thread counts epochs; what it does is stamped with its epoch,
// and where it hands on what it knows it begins a new one. A clock says of threads how much of what
// they have done is known: all that was before an epoch. Threads of a block that have met at a
// barrier have one epoch, so a clock has one entry for all of them, and one for each group or
// thread of which more is known.

#ifndef VX_SIMULATOR_CHECK_CLOCK_H
#define VX_SIMULATOR_CHECK_CLOCK_H

#include <cstdint>
#include <memory>
#include <vector>

namespace vx::sim {

/// A thread of the grid: its block's number and its own in the block.
inline constexpr unsigned kThreadBits = 10; // at most 1024 threads
constexpr uint64_t threadId(uint64_t block, uint64_t thread) {
  return block << kThreadBits | thread;
}
constexpr uint64_t blockOfId(uint64_t id) {
  return id >> kThreadBits;
}
constexpr uint64_t threadOfId(uint64_t id) {
  return id & ((uint64_t(1) << kThreadBits) - 1);
}

class Clock;
/// Null knows nothing. Clocks are not changed once they are shared.
using ClockRef = std::shared_ptr<const Clock>;

class Clock {
public:
  /// All that threads of the grid, of a block, of the aligned group of SIZE threads around THREAD,
  /// or that thread ID has done before EPOCH.
  void knowGrid(uint32_t epoch) { grid = epoch > grid ? epoch : grid; }
  void knowBlock(uint64_t block, uint32_t epoch) { know(block << 11 | kWhole, epoch); }
  void knowGroup(uint64_t block, uint64_t thread, uint64_t size, uint32_t epoch);
  void knowThread(uint64_t id, uint32_t epoch) {
    know(blockOfId(id) << 11 | threadOfId(id), epoch);
  }

  /// Returns true if what thread ID has done in EPOCH is known.
  bool knows(uint64_t id, uint32_t epoch) const;

  /// Returns a clock that knows what A or B knows.
  static ClockRef join(const ClockRef &a, const ClockRef &b);

private:
  static constexpr uint64_t kWhole = 1024, kGroups = 1025; ///< after the numbers of threads
  struct Entry {
    uint64_t key; ///< block << 11 | thread, kWhole, or kGroups + the group's number
    uint32_t epoch;
  };

  static uint64_t groupKey(uint64_t block, uint64_t thread, unsigned log2Size) {
    return block << 11 | (kGroups + (log2Size - 6) * 16 + (thread >> log2Size));
  }
  void know(uint64_t key, uint32_t epoch);
  uint32_t find(uint64_t key) const;

  uint32_t grid = 0;
  bool hasGroups = false;
  std::vector<Entry> entries; ///< by key
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_CLOCK_H
