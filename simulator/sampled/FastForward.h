// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes the cores functionally between two detailed windows of a sampled run. Time stands still
// for the timing model meanwhile: what is in its pipelines and queues stays there, and continues
// when the next window is warmed up. Only the caches may be told what is accessed.
//
// Warps advance in the proportion in which they did in the last windows, so that those which a
// scheduler prefers are ahead of others here as well, and end when they would. Warps that are about
// equally fast keep their distances, or drift as they have done in all windows so far: what they
// access at a time decides how fast all of them are. Those that meet at a barrier leave it
// together.

#ifndef VX_SIMULATOR_SAMPLED_FASTFORWARD_H
#define VX_SIMULATOR_SAMPLED_FASTFORWARD_H

#include "simulator/func/Emulator.h"
#include "simulator/timing/mem/MemorySystem.h"

namespace vx::sim {

class FastForward final : private AccessObserver {
public:
  enum class Outcome {
    Reached,
    Changed, ///< clearly more or fewer warps live than at the last rememberPlace()
    NewCode, ///< a warp has come to instructions that none has executed since learnCode()
    Ended,   ///< no warp is left
    Waiting, ///< all warps that are left wait for each other
    Stopped, ///< the guest was stopped, or has ended the run
  };

  FastForward(Device &device, Emulator &emulator, MemorySystem &memory);

  /// A run begins: all warps are equal.
  void start();
  /// COUNTS: instructions that the timing model has scheduled of each slot of CORE since the start.
  void learn(uint32_t core, const std::vector<uint64_t> &counts);
  /// Takes note of COUNTS without learning from them: what was scheduled since the last time is not
  /// how warps usually advance.
  void skip(uint32_t core, const std::vector<uint64_t> &counts);
  /// Makes what is executed from now on known code.
  void learnCode() { emulator.decoder.flush(); }
  /// The timing model is about to be left where warps are now.
  void rememberPlace();
  /// The number of warps that live now is as good as the one then.
  void acceptChange() { liveBefore = findReady().live; }
  /// Executes up to INSTRUCTIONS more, until all warps are at the instructions at which they were
  /// when that was called: then what is in the pipelines fits to what follows, and warps that wait
  /// for each other's cache lines, say, still do. Caches are told of them.
  Outcome runToPlace(uint64_t instructions);
  /// Executes INSTRUCTIONS warp instructions of all cores, some more to treat all warps alike.
  /// WARMS: caches are told of them.
  Outcome run(uint64_t instructions, bool warms);

private:
  struct Pace {
    uint64_t seen = 0;  ///< instructions, at the last learn()
    double rate = 0;    ///< since then, and half of what it was before
    double ahead = 0;   ///< of the mean of the core's warps, while about as fast as they
    double among = 0;   ///< instructions of such a warp meanwhile
    double credit = 0;  ///< instructions that it may execute
    bool waits = false; ///< or has met others in this round: it continues with the next one
    uint64_t place = 0; ///< its pc, when rememberPlace() was called
  };

  /// The warps that run.
  struct Ready {
    unsigned count = 0;
    double meanRate = 0;
    unsigned live = 0; ///< also those that do not
  };

  Ready findReady() const;
  Outcome runRound(const Ready &ready, double quantum, bool warms, int64_t &left);
  void beginRound();
  uint64_t runWarp(Core &core, Warp &warp, uint64_t budget, bool warms);
  bool isAtPlace() const;
  double share(uint32_t core, size_t slot, double mean, double quantum) const;
  void fetched(uint32_t core, uint64_t pc) override { memory.warmFetch(core, pc); }
  void accessed(uint32_t core, Access access, uint64_t lanes, const uint64_t *addresses) override {
    memory.warmAccess(core, access == Access::Load ? WarmAccess::Read : WarmAccess::Write, lanes,
                      addresses);
  }

  Device &device;
  Emulator &emulator;
  MemorySystem &memory;
  std::vector<std::vector<Pace>> paces; ///< by core and slot
  unsigned liveBefore = 0;              ///< warps, at the last rememberPlace()
};

} // namespace vx::sim

#endif // VX_SIMULATOR_SAMPLED_FASTFORWARD_H
