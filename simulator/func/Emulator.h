// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes instructions of a warp. It neither chooses warps nor knows time: functional mode runs
// many instructions of a warp per call, a timing model takes single steps and reads the trace.
//
// Several cores may be executed at a time, each by an Emulator of its own and with stepDeferring(),
// which defers what others can see until it is that instruction's turn.

#ifndef VX_SIMULATOR_FUNC_EMULATOR_H
#define VX_SIMULATOR_FUNC_EMULATOR_H

#include "simulator/func/Decoder.h"
#include "simulator/func/Exec.h"

namespace vx::sim {

/// Is shown what instructions access.
class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  /// The bytes of the shortest line of a cache, except on odd machines.
  static constexpr uint64_t kFetchBlock = 16;

  /// CORE executes instructions from PC on that lie in one block of kFetchBlock bytes.
  virtual void fetched(uint32_t core, uint64_t pc) = 0;
  /// The lanes of LANES access ADDRESSES, which is by lane.
  virtual void accessed(uint32_t core, Access access, uint64_t lanes,
                        const uint64_t *addresses) = 0;
};

class Emulator {
public:
  explicit Emulator(Device &device) : decoder(device), device(device), exec(device, decoder) {}

  /// Puts all cores into the state after a reset: one warp with one lane at PC.
  void reset(uint64_t pc, uint64_t argument);

  /// Runs up to BUDGET instructions of a ready warp; fewer when it comes to a barrier, waits, ends
  /// or traps, or to new code (Decoder::stopAtNewCode). Returns how many. Counts them in the core's
  /// statistics.
  uint64_t run(Core &core, Warp &warp, uint64_t budget);

  /// Runs a warp that keeps no paths like run(), and no further than to the first store that is not
  /// the first instruction.
  uint64_t runToStore(Core &core, Warp &warp, uint64_t budget);
  /// Returns true if the instruction at PC may write to memory.
  bool mayStore(uint64_t pc);

  /// Runs like run(), and shows WHO all fetches and accesses.
  uint64_t runShown(Core &core, Warp &warp, uint64_t budget, AccessObserver &who);

  /// Runs one instruction and describes it.
  void step(Core &core, Warp &warp, InsnTrace &trace);
  /// Runs one instruction; the trace says only which it is and what it accesses.
  void execute(Core &core, Warp &warp, InsnTrace &trace);

  /// The progress that stepDeferring() has made with an instruction's effect on memory. What is
  /// left has to be done before the warp's next step.
  enum class MemoryEffect : uint8_t {
    Done,
    Replay,   ///< a load that has been executed; to be repeated if a Deferred one precedes it
    Deferred, ///< nothing has been accessed yet, the instruction has only been described
  };
  /// Runs one instruction like step() while other cores are executed: defers effects on memory that
  /// they could see. INORDER is true if later accesses of the core have to wait for a deferred one
  /// of its own; the call may set it.
  MemoryEffect stepDeferring(Core &core, Warp &warp, InsnTrace &trace, bool &inOrder);
  /// Completes the instruction of WARP at PC that stepDeferring() has deferred.
  void performDeferred(Core &core, Warp &warp, uint64_t pc);
  /// Sets where traps and exit codes go from now on; at first that is the device.
  void reportTo(TrapReport &trap, std::optional<int> &exitCode) { exec.reportTo(trap, exitCode); }

  /// Returns true if the last instruction made its warp stop running: it waits, ended or trapped.
  bool stopped() const { return exec.stopped(); }

  /// Reports a fault of a warp that is not running: it waits, or its time is up.
  void trap(Core &core, Warp &warp, TrapCause cause, std::string detail);

  Decoder decoder;

private:
  uint32_t nextPath(Warp &warp, const Insn &insn, uint64_t pc);
  const Insn &executeNext(CoreStats &stats);
  uint64_t executeStraight(Insn *insn, uint64_t count);
  uint64_t runPaths(Core &core, Warp &warp, uint64_t budget);
  void finish(Core &core, Warp &warp);
  void describe(const Core &core, const Warp &warp, InsnTrace &trace) const;
  unsigned describeAccess(const Insn &insn, InsnTrace &trace);
  static void showTexels(const Core &core, InsnTrace &trace, AccessObserver &who);

  Device &device;
  Exec exec;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_EMULATOR_H
