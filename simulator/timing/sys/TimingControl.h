// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WarpControl of timing mode. Barriers, spawns and regroupings take effect when their instruction
// reaches the unit, some cycles after it was executed functionally; then the rules are those of
// functional mode.

#ifndef VX_SIMULATOR_TIMING_SYS_TIMINGCONTROL_H
#define VX_SIMULATOR_TIMING_SYS_TIMINGCONTROL_H

#include "simulator/func/FunctionalControl.h"
#include <utility>

namespace vx::sim {

class TimingControl : public FunctionalControl {
public:
  explicit TimingControl(std::vector<Core> &cores);

  void reset();

  const char *barrier(Core &core, Warp &warp, uint32_t id, bool global, uint32_t count) override;
  const char *spawn(Core &core, Warp &warp, uint32_t count, uint64_t pc) override;
  void end(Core &core, Warp &warp) override;
  void tile(Core &core, Warp &warp) override;

  /// The unit has taken the last control instruction of SLOT. Afterwards any warp of the core may
  /// be ready, and of other cores when takeGlobal() says so. Returns an error text or null.
  const char *complete(Core &core, uint32_t slot);

  /// Does so at once for all control instructions of CORE that no unit has taken yet. At an error,
  /// FAULTYSLOT becomes the slot.
  const char *completeAll(Core &core, uint32_t &faultySlot);

  /// Returns true if CORE has since the last call done what may release warps of other cores.
  bool takeGlobal(uint32_t core) { return std::exchange(globalChange[core], false); }

  /// Returns true if a core has asked for a global barrier since the last reset() or
  /// forgetGlobal().
  bool anyGlobal() const;
  /// Forgets that, unless a warp waits at one or is going to.
  void forgetGlobal();

private:
  /// The effect that a warp in the pipeline is going to have.
  struct Request {
    enum Kind : uint8_t { None, Barrier, Spawn, Tile } kind = None;
    bool global = false;
    uint32_t id = 0, count = 0;
    uint64_t pc = 0;
  };

  Request &requestOf(const Core &core, uint32_t slot) { return requests[core.id][slot]; }

  const std::vector<Core> &cores;
  std::vector<std::vector<Request>> requests; ///< by core and slot
  // For each core, as it may be executed at the same time as others.
  std::vector<uint8_t> globalChange, globalAsked;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_TIMINGCONTROL_H
