// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One core: the wiring of its stages and their order within a cycle.
//
//   Frontend ──► IssueStage ──► Units ──► commit
//
// Within a cycle the units come first, then commit, issue, decode and fetch: a stage sees in the
// same cycle what the stage after it has freed, and in the next cycle what the stage before it has
// done. An instruction may be issued a cycle ahead (SpeculativeIssue), which saves a tick.

#ifndef VX_SIMULATOR_TIMING_CORE_TIMINGCORE_H
#define VX_SIMULATOR_TIMING_CORE_TIMINGCORE_H

#include "simulator/timing/core/Frontend.h"
#include "simulator/timing/core/IssueStage.h"
#include "simulator/timing/core/SpeculativeIssue.h"
#include "simulator/timing/core/StallAccount.h"
#include "simulator/timing/core/Units.h"
#include "simulator/timing/sys/TimingControl.h"

namespace vx::sim {

class TimingCore {
public:
  TimingCore(const SimConfig &config, Core &core, Emulator &emulator, TimingControl &control,
             MemoryLink &link, StaticInstCache &staticInsts);

  /// Enters the state after a reset; warps are as the emulator has set them. OBSERVER may be null.
  void reset(Observer *observer);

  /// Advances by one cycle. Cycles in which nothing can happen may be left out: the core knows the
  /// first one that may not (nextEvent).
  void tick(Cycle now);
  /// After tick(NOW): if an instruction is issued in the next cycle, and nothing else happens in
  /// the core, does that now and returns true. Nothing outside the core sees it. Should another
  /// core wake this one for that cycle, it is ticked all the same.
  bool issueAhead(Cycle now);
  /// Returns true if that has been done for cycle CYCLE.
  bool isAhead(Cycle cycle) const { return ahead.isFor(cycle); }
  /// The run ends after CYCLES cycles, with no tick from cycle CYCLE on: nothing has been issued or
  /// committed in it.
  void stop(Cycle cycle, Cycle cycles);
  /// Returns the first cycle after NOW in which something can happen, apart from answers of memory;
  /// kNever when only another core can make it.
  Cycle nextEvent(Cycle now) const { return nextEvent(now, units.nextEvent()); }
  /// Returns the next event of a core that need not be ticked for commits as long as nothing waits
  /// for them: another instruction is on its way to it, and its tick makes up for them.
  Cycle nextNeeded(Cycle now) const {
    bool mayWait = frontend.isFetching() && issueStage.isUnblocked();
    return nextEvent(now, mayWait ? units.nextButCommits() : units.nextEvent());
  }
  /// Returns true if commits may wait for its next tick, in cycle NEXT.
  bool isLate(Cycle next) const { return units.nextEvent() < next; }
  /// Makes up for commits before cycle CYCLE.
  void commitUntil(Cycle cycle) {
    units.commitUntil(cycle - 1, [this](const Packet &packet) { commit(packet); });
  }

  bool isDecodeBlocked() const { return frontend.isDecodeBlocked(); }
  /// Returns true if warps live or instructions are under way.
  bool isRunning() const { return !insts.empty() || hasLiveWarps(); }
  /// Returns true if a load is on its way to memory or back.
  bool isLoading() const { return units.isLoading(); }
  /// Another core may have released warps of this one.
  void refresh() { frontend.refresh(); }
  /// Accounts for the cycles up to the end of the run.
  void finish(Cycle cycles);

  /// Between two ticks, others have executed instructions of the core, which took CYCLES cycles.
  void skip(Cycle cycles) {
    cyclesBefore += cycles;
    frontend.resync();
  }
  /// Returns the bank conflicts of operands since the reset, which finish() will count.
  uint64_t bankConflicts() const { return issueStage.bankConflicts() - conflictsBefore; }
  /// See Frontend::scheduledOf().
  const std::vector<uint64_t> &scheduledOf() const { return frontend.scheduledOf(); }

  /// Makes instructions be executed by Emulator::stepDeferring() from now on, which adds what it
  /// defers to WHERE; null: as usual.
  void deferMemory(DeferredMemory *where) { frontend.deferMemory(where); }

  /// The counters before a tick.
  struct Checkpoint {
    CoreStats stats;
    uint64_t conflicts;
    StallAccount::Checkpoint stalls;
  };
  void checkpoint(Checkpoint &saved) const;
  /// Restores the counters as if the run had ended after CYCLES cycles, and the tick after SAVED
  /// had not happened.
  void restore(const Checkpoint &saved, Cycle cycles);

  /// Returns an error text when a control instruction was misused, else null. Then errorSlot() is
  /// the slot of its warp.
  const char *controlError() const { return error; }
  uint32_t errorSlot() const { return faultySlot; }

private:
  // The stages, in their order within a cycle.
  void execute(Cycle now);
  void unblock(DynInstId id);
  void commit(const Packet &packet);
  unsigned issue(Cycle now);
  void decode(Cycle now);
  void fetch(Cycle now);

  Cycle nextEvent(Cycle now, Cycle ofUnits) const;
  bool hasLiveWarps() const;

  Core &core;
  TimingControl &control;
  DynInstPool insts;
  Frontend frontend;
  IssueStage issueStage;
  Units units;
  StallAccount stalls;
  SpeculativeIssue ahead; ///< of the last issueAhead()
  Observer *observer = nullptr;

  Cycle current = 0;         ///< the cycle of the tick in progress
  uint64_t cyclesBefore = 0; ///< of earlier runs
  uint64_t conflictsBefore = 0;
  bool stopped = false; ///< as stop() says
  const char *error = nullptr;
  uint32_t faultySlot = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_TIMINGCORE_H
