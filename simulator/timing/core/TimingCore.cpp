// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/TimingCore.h"
#include <algorithm>

namespace vx::sim {

TimingCore::TimingCore(const SimConfig &config, Core &core, Emulator &emulator,
                       TimingControl &control, MemoryLink &link, StaticInstCache &staticInsts)
    : core(core), control(control), frontend(config, core, emulator, insts, link, staticInsts),
      issueStage(config, insts, frontend.buffers, core.maxSlots()),
      units(config, insts, link, core.stats) {}

void TimingCore::reset(Observer *who) {
  observer = who;
  insts.reset(observer != nullptr);
  frontend.reset();
  issueStage.reset();
  units.reset(observer != nullptr);
  current = accounted = 0;
  ahead = {};
  stopped = false;
  cyclesBefore = core.stats.cycles;
  conflictsBefore = issueStage.bankConflicts();
  error = nullptr;
}

void TimingCore::tick(Cycle now) {
  if (now > accounted)
    countIdle(accounted, now - accounted); // the cycles that were left out
  const bool isNew = now >= accounted;     // nothing has been issued ahead
  accounted = now + 1;
  current = now;
  issueStage.collect(now);
  units.tick(
      now, [this](DynInstId id) { take(id); }, [this](const Packet &packet) { retire(packet); });
  for (uint32_t i = 0; i < units.issueSlots(); ++i)
    if (DynInstId id = issueStage.dispatch(i, now); id != kNoDynInst)
      units.dispatch(id, i, now);
  unsigned issued =
      issueStage.issue(now, [this](DynInstId id, Cycle due) { units.dispatch(id, 0, due); });
  core.stats.issued += issued;
  if (!issued && isNew)
    countIdle(now, 1);
  if (uint32_t slot = frontend.decode(now); slot != SlotSet::kNone)
    issueStage.newHead(slot);
  // The emulator counts a cycle for what it executes: a read of the clock gives the cycles before
  // this one, as in SimX.
  if (frontend.maySchedule()) {
    core.stats.cycles = cyclesBefore + now - 1;
    DynInstId scheduled = frontend.schedule(now);
    if (observer)
      observer->scheduled(insts[scheduled].life);
  }
  core.stats.cycles = cyclesBefore + now + 1;
}

bool TimingCore::issueAhead(Cycle now) {
  const Cycle next = now + 1;
  if (!issueStage.onlyIssues(next) || !units.isQuiet(next) || !frontend.isQuiet(next) || observer)
    return false;
  CoreStats &stats = core.stats;
  ahead = {next,
           0,
           issueStage.bankConflicts(),
           {stats.aluBusy, stats.lsuBusy, stats.fpuBusy, stats.sfuBusy}};
  stats.issued +=
      issueStage.issue(next, [this](DynInstId id, Cycle due) { units.dispatch(id, 0, due); });
  ahead.slot = issueStage.lastIssued();
  accounted = next + 1;
  stats.cycles = cyclesBefore + next + 1;
  return true;
}

void TimingCore::stop(Cycle cycle, Cycle cycles) {
  commitUntil(cycle);
  stopped = true;
  if (isAhead(cycle))
    squash(cycle, cycles);
}

/// What issueAhead() has done for cycle CYCLE.
void TimingCore::squash(Cycle cycle, Cycle cycles) {
  CoreStats &stats = core.stats;
  --stats.issued;
  issueStage.setBankConflicts(ahead.conflicts);
  stats.aluBusy = ahead.busy[Units::Alu];
  stats.lsuBusy = ahead.busy[Units::Lsu];
  stats.fpuBusy = ahead.busy[Units::Fpu];
  stats.sfuBusy = ahead.busy[Units::Sfu];
  accounted = cycle;
  if (cycle == cycles)
    return;
  // The cycle was idle, for the reason of the first instruction that was decoded.
  accounted = cycle + 1;
  StallCause cause = StallCause::Operands;
  if (issueStage.firstHead() < ahead.slot) {
    uint64_t pc = 0;
    issueStage.isBlocked(cause, pc);
  }
  addIdle(cause, frontend.isDecodeBlocked(), units.isLsuBlocked(), 1);
}

/// A unit has taken an instruction that kept its warp from being fetched for.
void TimingCore::take(DynInstId id) {
  const DynInst &inst = insts[id];
  uint32_t slot = inst.life.slot;
  if (inst.staticInst.kind == StaticInst::Control) {
    if (const char *text = control.complete(core, slot)) {
      error = text;
      faultySlot = slot;
    }
    frontend.resume(slot);
    frontend.refresh();
    return;
  }
  frontend.resume(slot);
}

void TimingCore::retire(const Packet &packet) {
  DynInst &inst = insts[packet.inst];
  if (--inst.packetsLeft)
    return;
  issueStage.release(inst, core.regrouped);
  core.stats.branches += inst.staticInst.isBranch;
  if (observer) {
    inst.life.committed = current;
    observer->committed(inst.life);
  }
  insts.release(packet.inst);
}

Cycle TimingCore::nextEvent(Cycle now, Cycle ofUnits) const {
  Cycle next = frontend.nextEvent(now);
  if (next > now + 1)
    next = std::min(next, issueStage.nextEvent(now));
  return std::max(std::min(next, ofUnits), now + 1);
}

void TimingCore::finish(Cycle cycles) {
  if (!stopped)
    commitUntil(cycles);
  if (cycles > accounted)
    countIdle(accounted, cycles - accounted);
  core.stats.cycles = cyclesBefore + cycles;
  core.stats.operandConflicts += bankConflicts();
}

bool TimingCore::hasLiveWarps() const {
  return std::any_of(core.warps.begin(), core.warps.end(), [](const Warp &warp) {
    return warp.state != WarpState::Idle && warp.state != WarpState::Merged;
  });
}

/// CYCLES cycles from FIRST on issued nothing, all for the same reason: the present state.
void TimingCore::countIdle(Cycle first, Cycle cycles) {
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

void TimingCore::addIdle(StallCause cause, bool decodeBlocked, bool lsuBlocked, Cycle cycles) {
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

void TimingCore::checkpoint(Checkpoint &saved) const {
  uint64_t pc;
  saved.stats = core.stats;
  saved.conflicts = issueStage.bankConflicts();
  saved.accounted = accounted;
  saved.idle = whyIdle(pc);
  saved.decodeBlocked = frontend.isDecodeBlocked();
  saved.lsuBlocked = units.isLsuBlocked();
}

void TimingCore::restore(const Checkpoint &saved, Cycle cycles) {
  core.stats = saved.stats;
  issueStage.setBankConflicts(saved.conflicts);
  if (cycles > saved.accounted)
    addIdle(saved.idle, saved.decodeBlocked, saved.lsuBlocked, cycles - saved.accounted);
  accounted = cycles;
}

StallCause TimingCore::whyIdle(uint64_t &pc) const {
  StallCause cause;
  if (issueStage.isBlocked(cause, pc))
    return cause;
  return whyEmpty(pc);
}

/// Why no warp has a decoded instruction. Only an observer wants to know the pc.
StallCause TimingCore::whyEmpty(uint64_t &pc) const {
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
