// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/StallAccount.h"

namespace vx::sim {

/// Counts CYCLES cycles from FIRST on, in which nothing was issued because of the present state.
void StallAccount::countIdle(Cycle first, Cycle cycles) {
  if (!observer && !issueStage.hasHeads() && frontend.isFetching()) { // as whyIdle() finds it
    addIdle(StallCause::Fetch, frontend.isDecodeBlocked(), units.isLsuBlocked(), cycles);
    return;
  }
  uint64_t pc = 0;
  StallCause cause = whyIdle(pc);
  addIdle(cause, frontend.isDecodeBlocked(), units.isLsuBlocked(), cycles);
  if (observer)
    observer->stalled(core.id, cause, pc, first, cycles);
}

void StallAccount::addIdle(StallCause cause, bool decodeBlocked, bool lsuBlocked, Cycle cycles) {
  CoreStats &stats = core.stats;
  if (decodeBlocked)
    stats.ibufferStalls += cycles;
  if (lsuBlocked)
    stats.lsuStalls += cycles;
  static constexpr uint64_t CoreStats::*counters[kStallCauses] = {
      &CoreStats::stallFetch,      &CoreStats::stallControl, &CoreStats::stallBarrier,
      &CoreStats::stallScoreboard, &CoreStats::stallMemory,  &CoreStats::stallOperands};
  stats.*counters[unsigned(cause)] += cycles;
}

void StallAccount::checkpoint(Checkpoint &saved) const {
  uint64_t pc;
  saved.accounted = end;
  saved.idle = whyIdle(pc);
  saved.decodeBlocked = frontend.isDecodeBlocked();
  saved.lsuBlocked = units.isLsuBlocked();
}

void StallAccount::restore(const Checkpoint &saved, Cycle limit) {
  if (limit > saved.accounted)
    addIdle(saved.idle, saved.decodeBlocked, saved.lsuBlocked, limit - saved.accounted);
  end = limit;
}

StallCause StallAccount::whyIdle(uint64_t &pc) const {
  StallCause cause;
  if (issueStage.isBlocked(cause, pc))
    return cause;
  return whyEmpty(pc);
}

/// Returns why no warp has a decoded instruction. The pc matters to an observer only.
StallCause StallAccount::whyEmpty(uint64_t &pc) const {
  if (!observer && frontend.isFetching())
    return StallCause::Fetch;
  bool control = false, barrier = false;
  for (const Warp &warp : core.warps) {
    bool waits = warp.state == WarpState::AtBarrier || warp.state == WarpState::AtTile ||
                 warp.state == WarpState::AtSpawn || warp.state == WarpState::InPipeline;
    if (!waits && warp.state != WarpState::Ready)
      continue;
    if (!control && !barrier)
      pc = warp.pc;
    control |= !waits;
    barrier |= waits;
  }
  if (frontend.isFetching())
    return StallCause::Fetch;
  return barrier && !control ? StallCause::Barrier : StallCause::Control;
}

} // namespace vx::sim
