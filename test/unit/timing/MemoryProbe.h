// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory system whose cores are the test: it sends fetches, loads and stores in chosen cycles
// and notes the cycle in which a core would see each answered.

#ifndef VX_TEST_UNIT_TIMING_MEMORYPROBE_H
#define VX_TEST_UNIT_TIMING_MEMORYPROBE_H

#include "simulator/timing/mem/MemorySystem.h"
#include <map>
#include <string>

namespace vx::sim {

class MemoryProbe {
public:
  static constexpr uint64_t kLocal = 0x1FFFF0000; ///< local memory starts here

  /// SETTINGS as for --set; timing mode, 4 warps of 8 lanes unless they say otherwise.
  explicit MemoryProbe(const std::string &settings = "");

  /// The LSU sends a load (store) of one access per address in cycle AT, which is now or later.
  void load(uint32_t tag, std::vector<uint64_t> addresses, Cycle at, uint32_t core = 0);
  void store(std::vector<uint64_t> addresses, Cycle at, uint32_t core = 0);
  /// The core fetches in cycle AT.
  void fetch(uint32_t tag, uint64_t address, Cycle at, uint32_t core = 0);

  /// Runs up to cycle END, without it; every cycle, or only those that nextEvent() announces.
  void run(Cycle end, bool skip = false);
  /// The next run begins.
  void restart() {
    memory->restart(now);
    now = 0;
  }
  /// Loads a line of each address, so that its lines are in the D$, and waits until all is quiet.
  void warm(const std::vector<uint64_t> &addresses);

  /// The cycle in which load TAG had all its slots answered (fetch TAG came back), or kNever.
  Cycle loaded(uint32_t tag) const;
  Cycle fetched(uint32_t tag) const;

  MemoryStats stats() const { return memory->stats(); }

  SimConfig config;
  std::unique_ptr<MemorySystem> memory;
  Cycle now = 0;

private:
  void takeAnswers();

  struct Load {
    uint32_t slotsLeft = 0;
    Cycle done = kNever;
  };
  std::map<uint32_t, Load> loads;
  std::map<uint32_t, Cycle> fetches;
};

/// Checks that CONDITION, which may use the probe's state, holds after cycle N and not after N-1.
#define EXPECT_FROM_CYCLE(probe, condition, n)                                                     \
  do {                                                                                             \
    (probe).run(n);                                                                                \
    EXPECT_FALSE(condition) << "already before cycle " << (n);                                     \
    (probe).run((n) + 1);                                                                          \
    EXPECT_TRUE(condition) << "not in cycle " << (n);                                              \
  } while (false)

} // namespace vx::sim

#endif // VX_TEST_UNIT_TIMING_MEMORYPROBE_H
