// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the cycles in which a core issues nothing, by cause. A core is not ticked in cycles in
// which nothing can happen: they are counted before its next tick, by the state that they have
// found and that the tick finds.

#ifndef VX_SIMULATOR_TIMING_CORE_STALLACCOUNT_H
#define VX_SIMULATOR_TIMING_CORE_STALLACCOUNT_H

#include "simulator/timing/core/Frontend.h"
#include "simulator/timing/core/IssueStage.h"
#include "simulator/timing/core/Units.h"

namespace vx::sim {

class StallAccount {
public:
  StallAccount(Core &core, const Frontend &frontend, const IssueStage &issueStage,
               const Units &units)
      : core(core), frontend(frontend), issueStage(issueStage), units(units) {}

  void reset(Observer *who) {
    observer = who;
    end = 0;
  }

  /// Counts the idle cycles before cycle LIMIT that have not been counted yet.
  void countUntil(Cycle limit) {
    if (limit > end)
      countIdle(end, limit - end);
  }
  /// Counts one idle cycle, NOW.
  void countOne(Cycle now) { countIdle(now, 1); }
  /// Counts cycle NOW as idle because of CAUSE: what was issued in it has been squashed.
  void countSquashed(Cycle now, StallCause cause) {
    end = now + 1;
    addIdle(cause, frontend.isDecodeBlocked(), units.isLsuBlocked(), 1);
  }

  /// Returns the first cycle that has not been counted.
  Cycle accounted() const { return end; }
  /// Cycles before LIMIT are done with: they have been counted, or were not idle.
  void setAccounted(Cycle limit) { end = limit; }

  /// A state of the account, and why cycles without a tick would be idle.
  struct Checkpoint {
    Cycle accounted;
    StallCause idle;
    bool decodeBlocked, lsuBlocked;
  };
  void checkpoint(Checkpoint &saved) const;
  /// Counts the cycles before LIMIT as if nothing had happened since SAVED, whose counters the
  /// caller has restored.
  void restore(const Checkpoint &saved, Cycle limit);

private:
  void countIdle(Cycle first, Cycle cycles);
  void addIdle(StallCause cause, bool decodeBlocked, bool lsuBlocked, Cycle cycles);
  StallCause whyIdle(uint64_t &pc) const;
  StallCause whyEmpty(uint64_t &pc) const;

  Core &core;
  const Frontend &frontend;
  const IssueStage &issueStage;
  const Units &units;
  Observer *observer = nullptr;
  Cycle end = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_STALLACCOUNT_H
