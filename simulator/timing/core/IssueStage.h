// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the instruction buffers to dispatch: scoreboard, choice of a warp, collection of operands.
//
//   buffers ── scoreboard, round-robin ──► collector (one per 4 warps) ──► [arbiter] ──► dispatch
//
// A register is busy from the issue of the instruction that writes it until that is committed; an
// instruction waits while one that it reads or writes is. A collector takes one instruction per
// cycle and releases it `core.operand_latency` cycles later, plus one for each pair of sources in
// one bank; so an instruction without conflicts may overtake. Warps share collectors by their
// number.

#ifndef VX_SIMULATOR_TIMING_CORE_ISSUESTAGE_H
#define VX_SIMULATOR_TIMING_CORE_ISSUESTAGE_H

#include "simulator/timing/core/Flight.h"
#include "simulator/timing/core/Frontend.h"
#include "simulator/timing/core/SlotSet.h"

namespace vx::sim {

class IssueStage {
public:
  IssueStage(const SimConfig &config, FlightPool &flights, InsnBuffers &buffers, uint32_t slots);

  void reset();

  /// Moves what the collectors have finished towards dispatch.
  void collect(Cycle now);
  /// Issues one instruction per issue slot. Returns how many.
  unsigned issue(Cycle now);
  /// The instruction that issue slot I dispatches in this cycle, or kNoFlight; removes it.
  FlightId dispatch(uint32_t i, Cycle now);

  /// SLOT has a new first instruction.
  void updateHead(uint32_t slot);
  /// A committed instruction frees its register. ALLHEADS: slots may share warps (vx_tile).
  void release(const Flight &flight, bool allHeads);

  /// The first cycle after NOW in which something can move.
  Cycle nextEvent(Cycle now) const;

  /// Whether there is a decoded instruction that waits for a register; then why, and whose.
  bool isBlocked(StallCause &cause, uint64_t &pc) const;
  uint64_t bankConflicts() const { return conflictCount; }
  void setBankConflicts(uint64_t count) { conflictCount = count; }

private:
  struct Slot { ///< one of the instructions per cycle
    SlotSet readyHeads;
    RoundRobin arbiter, collectorArbiter;
    Cycle busyUntil = 0;                       ///< a merged group takes several beats
    std::vector<Channel<FlightId>> collectors; ///< unless there is only one
    Channel<FlightId> out;
  };

  RegisterSet busyOf(uint32_t slot, uint32_t beats) const {
    RegisterSet set = busy[slot];
    for (uint32_t i = 1; i < beats; ++i)
      set |= busy[slot + i];
    return set;
  }
  void startCollecting(Slot &slot, FlightId id, Cycle now);

  const SimConfig &config;
  FlightPool &flights;
  InsnBuffers &buffers;
  const uint32_t width;
  std::vector<Slot> slots;
  std::vector<RegisterSet> busy;   ///< of each warp slot
  std::vector<RegisterSet> loaded; ///< those of them that loads write
  SlotSet heads;                   ///< warp slots with a decoded instruction
  uint64_t conflictCount = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_ISSUESTAGE_H
