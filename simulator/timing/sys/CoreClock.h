// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core of a running device and its place in time.

#ifndef VX_SIMULATOR_TIMING_SYS_CORECLOCK_H
#define VX_SIMULATOR_TIMING_SYS_CORECLOCK_H

#include "simulator/timing/core/TimingCore.h"

namespace vx::sim {

struct CoreClock {
  std::unique_ptr<TimingCore> core;
  Core *state;
  Emulator *emulator; ///< what executes its instructions
  MemoryLink *link;
  Cycle next = 0; ///< its next tick, apart from answers
  bool running = true;
  Cycle ended = 0;

  /// Ticks the core. Returns false if the guest has misused a control instruction and is stopped.
  bool tick(Cycle now) {
    core->tick(now);
    if (!core->controlError())
      return true;
    reportMisuse(core->errorSlot(), core->controlError());
    return false;
  }
  /// The control instruction that the warp in SLOT has executed is wrong, as TEXT says.
  void reportMisuse(uint32_t slot, const char *text) {
    Warp &warp = state->warps[slot];
    warp.pc -= 4; // back to the instruction
    emulator->trap(*state, warp, TrapCause::BadBarrier, text);
  }
  /// To be called after a tick in cycle NOW that has not stopped the guest.
  void advance(Cycle now) { advance(now, core->nextEvent(now)); }
  /// Is advance() for one thread. The next look at all cores is in cycle LIMIT.
  void advanceAlone(Cycle now, Cycle limit) {
    if (now + 1 < limit && core->issueAhead(now))
      ++now;
    advance(now, core->nextNeeded(now));
  }
  /// It is to be in cycle NOW, before its tick, as if it had been ticked for all before.
  void commitUntil(Cycle now) {
    if (!running || !core->isLate(next))
      return;
    core->commitUntil(now);
    advance(now - 1);
  }
  /// Returns when it has something to do: its next tick, or to take an answer. kNever once it has
  /// ended.
  Cycle due() const { return link->coreDue; }
  /// It is to be ticked in cycle WHEN.
  void wake(Cycle when) {
    next = std::min(next, when);
    link->coreDue = std::min(link->coreDue, when);
  }

private:
  void advance(Cycle now, Cycle nextTick) {
    next = nextTick;
    link->updateCoreDue(next, !core->isDecodeBlocked());
    if (next > now + 1) {
      running = core->isRunning();
      ended = now + 1;
      if (!running)
        link->coreDue = kNever;
    }
  }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_CORECLOCK_H
