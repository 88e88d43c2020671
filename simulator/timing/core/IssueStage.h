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

#include "simulator/timing/core/DynInst.h"
#include "simulator/timing/core/Frontend.h"
#include "simulator/timing/core/SlotSet.h"
#include <algorithm>

namespace vx::sim {

class IssueStage {
public:
  IssueStage(const SimConfig &config, DynInstPool &insts, InsnBuffers &buffers, uint32_t slots);

  void reset();

  /// Moves what the collectors have finished towards dispatch.
  void collect(Cycle now) {
    if (collectorsShare)
      collectInTurn(now);
  }
  /// Issues one instruction per issue slot. Returns how many. Calls dispatch(inst, cycle) for
  /// those of which it is known by now when that will be.
  template <typename F> unsigned issue(Cycle now, F dispatch) {
    unsigned issued = 0;
    Slot *slot = slots.data();
    do
      if (now >= slot->busyUntil && !slot->readyHeads.empty()) {
        DynInstId id = issueFrom(*slot, now);
        Cycle due = operandsReady(insts[id], now);
        if (isFirst(*slot, due, now))
          dispatch(id, due);
        else
          queue(*slot, id, due);
        ++issued;
      }
    while (++slot != slots.data() + width);
    return issued;
  }
  /// Returns true if there is one issue slot, and all that it does in cycle NOW is to issue.
  bool onlyIssues(Cycle now) const {
    const Slot &slot = slots[0];
    return isSimple && !slot.readyHeads.empty() && now >= slot.busyUntil && !slot.out.ready(now);
  }
  /// The instruction that issue slot I dispatches in this cycle, or kNoDynInst; removes it.
  DynInstId dispatch(uint32_t i, Cycle now) {
    Channel<DynInstId> &out = slots[i].out;
    if (!out.ready(now))
      return kNoDynInst;
    DynInstId id = out.front();
    out.pop();
    return id;
  }

  /// SLOT has a new first instruction, or none.
  void updateHead(uint32_t slot);
  /// SLOT has got an instruction: perhaps a new first one.
  void newHead(uint32_t slot) {
    if (!heads.contains(slot))
      updateHead(slot);
  }
  /// A committed instruction frees its register. ALLHEADS: slots may share warps (vx_tile).
  void release(const DynInst &inst, bool allHeads);

  /// Returns the first cycle after NOW in which something can move.
  Cycle nextEvent(Cycle now) const {
    if (isSimple)
      return nextEventOf(slots[0], now);
    Cycle next = kNever;
    for (const Slot &slot : slots) {
      next = std::min(next, nextEventOf(slot, now));
      for (const Channel<DynInstId> &collector : slot.collectors)
        next = std::min(next, collector.nextDue());
    }
    return next;
  }

  /// Returns true if none of the decoded instructions waits for a register, as far as is known.
  bool isUnblocked() const { return isSimple && heads.isSurelyIn(slots[0].readyHeads); }
  /// Returns the warp slot of the last instruction that has been issued.
  uint32_t lastIssued() const { return arbiter.lastServed(); }
  /// Returns true if there is a decoded instruction.
  bool hasHeads() const { return !heads.empty(); }
  /// Returns the first warp slot that has one, or SlotSet::kNone.
  uint32_t firstHead() const { return heads.first(); }
  /// Returns true if there is a decoded instruction that waits for a register; then why, and whose.
  bool isBlocked(StallCause &cause, uint64_t &pc) const;
  uint64_t bankConflicts() const { return conflictCount; }
  void setBankConflicts(uint64_t count) { conflictCount = count; }

private:
  void collectInTurn(Cycle now);

  struct Slot { ///< one of the instructions per cycle
    SlotSet readyHeads;
    RoundRobin collectorArbiter;
    Cycle busyUntil = 0;                        ///< a merged group takes several beats
    std::vector<Channel<DynInstId>> collectors; ///< unless there is only one
    Channel<DynInstId> out;
  };

  /// The state of a warp slot that decides about issue.
  struct WarpSlot {
    RegisterSet busy = 0;
    RegisterSet loaded = 0; ///< those of them that loads write
    // The first instruction, if it has one:
    RegisterSet used = 0; ///< sources and target
    uint32_t beats = 1;
    uint64_t pc = 0;
  };

  /// Returns the next event of SLOT after its collectors.
  static Cycle nextEventOf(const Slot &slot, Cycle now) {
    Cycle issue = slot.readyHeads.empty() ? kNever : std::max(now + 1, slot.busyUntil);
    return std::min(issue, slot.out.nextDue());
  }
  RegisterSet busyOf(const WarpSlot *slot) const {
    RegisterSet set = slot->busy;
    for (uint32_t i = 1; i < slot->beats; ++i)
      set |= slot[i].busy;
    return set;
  }
  DynInstId issueFrom(Slot &slot, Cycle now);
  Cycle operandsReady(const DynInst &inst, Cycle now);
  void queue(Slot &slot, DynInstId id, Cycle due);
  /// Returns true if an instruction that is issued NOW and dispatched in cycle DUE comes before
  /// those in SLOT, and none that is issued later can overtake it. Dispatchers that several slots
  /// share have to know what those slots have.
  bool isFirst(const Slot &slot, Cycle due, Cycle now) const {
    return isSimple && due == now + 1 + config.operandLatency && slot.out.nextDue() > due;
  }
  /// Updates if the first instruction of a warp slot, which has one, may be issued.
  void updateReady(uint32_t slot) {
    const WarpSlot *own = &warps[slot];
    SlotSet &ready = slotOf(slot).readyHeads;
    if (busyOf(own) & own->used)
      ready.erase(slot);
    else
      ready.insert(slot);
  }
  Slot &slotOf(uint32_t warpSlot) { return slots[width == 1 ? 0 : warpSlot % width]; }

  const SimConfig &config;
  DynInstPool &insts;
  InsnBuffers &buffers;
  const uint32_t width;
  const bool collectorsShare; ///< several collectors take turns
  const bool isSimple;        ///< one slot, one collector
  std::vector<Slot> slots;
  /// The arbiter of all slots. As in SimX, they do not count their turns for themselves: a slot
  /// continues after the warp that the slot before it has chosen, each in the order of its own
  /// warps.
  RoundRobin arbiter;
  std::vector<WarpSlot> warps;
  SlotSet heads; ///< warp slots with a decoded instruction
  uint64_t conflictCount = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_ISSUESTAGE_H
