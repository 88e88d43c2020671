// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds devices on which nothing can happen any more: every warp that runs repeats a loop, and the
// memory that it looks at stays as it is.
//
// This is a proof, not a guess from how long something takes. Each warp that runs is executed ahead
// on a copy of its registers, until an instruction would change memory, end a lane, arrive at a
// barrier or ask the outside, or until the state of the warp is one that it has been in before. If
// the latter holds for all, no memory ever changes, so all of them continue for ever. What would be
// another result sooner or later counts as progress: a value of the clock on which a branch depends
// that goes the same way each time, memory that the program on the host can write, too.
//
// Then the lanes that wait for these are executed ahead, from where they wait: the first store to
// an address that a spinning lane reads is what that one waits for.

#ifndef VX_SIMULATOR_FUNC_SPINPROBE_H
#define VX_SIMULATOR_FUNC_SPINPROBE_H

#include "simulator/func/Emulator.h"
#include <optional>

namespace vx::sim {

/// The reason why a device makes no progress.
struct SpinFinding {
  uint32_t core = 0, slot = 0; ///< a warp that spins, as position in Core::warps
  uint64_t pc = 0;             ///< of an access to memory in its loop
  uint64_t mask = 0;           ///< the lanes that spin there
  uint64_t storePc = 0;        ///< the store that they wait for; 0: not found
  std::string detail;
};

class SpinProbe {
public:
  explicit SpinProbe(Device &device);

  /// Returns a finding if the device, in which no instruction is half done, makes no progress.
  /// Changes nothing of its state. As long as it does make progress, an answer takes no longer than
  /// some thousand instructions of one warp.
  std::optional<SpinFinding> find();

private:
  struct Access {
    uint64_t address;
    uint32_t bytes;
  };
  /// A warp that repeats itself.
  struct Spin {
    uint32_t core, slot;
    uint64_t pc, mask;           ///< of one of its reads, if it has any
    std::vector<Access> reads;   ///< in one repetition
    std::vector<uint64_t> preds; ///< places of vx_pred in it
    std::vector<uint64_t> exits; ///< where its conditional branches do not go
  };
  /// Bytes as they were.
  struct Saved {
    Access place;
    uint64_t bytes;
  };
  enum class Step { Goes, Changes, Ends };
  struct State;

  std::optional<SpinFinding> tryWarps();
  bool repeats(Core &core, Warp &warp, Spin &spin);
  void noteInsn(const Warp &warp, uint64_t pc, uint64_t mask, Spin &spin) const;
  bool isWholeRepetition(const Warp &warp, uint64_t ran) const;
  Step step(Core &core, Warp &warp);
  bool sameRegisters(const Core &core, const Warp &warp, const State &before) const;
  bool describe(Core &core, const Warp &warp);
  bool collect(Core &core, const Warp &warp);
  bool save(Core &core, std::vector<Saved> &into);
  bool hasChanged(Core &core, const std::vector<Saved> &before);
  void restore(Core &core, const std::vector<Saved> &before);
  uint8_t *bytesAt(Core &core, const Access &place);
  bool followTime(const Core &core, const Warp &warp);
  bool branchesOnTime(const Warp &warp) const;
  void noteTimeBranch(uint64_t pc, bool taken);
  uint64_t findStore(const std::vector<Spin> &spins, Core &core, Warp &warp, uint64_t spinning);
  void explain(const std::vector<Spin> &spins, SpinFinding &finding);
  uint64_t storeAfterLoop(const std::vector<Spin> &spins, const Spin &spin, uint64_t &spinning);
  uint64_t storeOfWaiting(const std::vector<Spin> &spins, std::string &why);
  uint64_t storeOfSpinning(const std::vector<Spin> &spins, const Spin &spin);

  Device &device;
  Emulator emulator;
  Memory::RecentPages recentPages;
  TrapReport trap;
  std::optional<int> exitCode;
  InsnTrace trace;
  uint32_t firstCore = 0, firstSlot = 0; ///< the warp that had made progress at the last look

  // The next instruction.
  const isa::InsnInfo *row = nullptr;
  uint32_t word = 0;
  std::vector<Access> accesses;
  bool isWrite = false;

  // The lanes of each register that depend on the clock, and branches on these: where they went.
  std::array<uint64_t, 32> timeLanes{};
  uint64_t clockReads = 0;
  struct TimeBranch {
    uint64_t pc;
    bool taken, notTaken;
  };
  std::vector<TimeBranch> timeBranches;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_SPINPROBE_H
