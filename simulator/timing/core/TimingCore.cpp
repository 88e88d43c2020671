// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/TimingCore.h"
#include <algorithm>

namespace vx::sim {

TimingCore::TimingCore(const SimConfig &config, Core &core, Emulator &emulator,
                       TimingControl &control, MemoryLink &link, StaticInstCache &staticInsts)
    : core(core), control(control), frontend(config, core, emulator, insts, link, staticInsts),
      issueStage(config, insts, frontend.buffers, core.maxSlots()),
      units(config, insts, link, core.stats), stalls(core, frontend, issueStage, units) {}

void TimingCore::reset(Observer *who) {
  observer = who;
  insts.reset(observer != nullptr);
  frontend.reset();
  issueStage.reset();
  units.reset(observer != nullptr);
  stalls.reset(observer);
  current = 0;
  ahead.reset();
  stopped = false;
  cyclesBefore = core.stats.cycles;
  conflictsBefore = issueStage.bankConflicts();
  error = nullptr;
}

void TimingCore::tick(Cycle now) {
  stalls.countUntil(now); // the cycles without a tick
  const bool isIssuedAhead = stalls.accounted() > now;
  stalls.setAccounted(now + 1);
  current = now;
  execute(now);
  if (!issue(now) && !isIssuedAhead)
    stalls.countOne(now);
  decode(now);
  fetch(now);
  core.stats.cycles = cyclesBefore + now + 1;
}

/// Collects operands; the units take what is due, and what they have finished is committed. Then
/// dispatches to them the instructions that have their operands.
void TimingCore::execute(Cycle now) {
  issueStage.collect(now);
  units.tick(
      now, [this](DynInstId id) { unblock(id); }, [this](const Packet &packet) { commit(packet); });
  for (uint32_t i = 0; i < units.issueSlots(); ++i)
    if (DynInstId id = issueStage.dispatch(i, now); id != kNoDynInst)
      units.dispatch(id, i, now);
}

/// A unit has taken an instruction that kept its warp from being fetched for.
void TimingCore::unblock(DynInstId id) {
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

/// Commits a part of an instruction; after the last one, the instruction has left the machine.
void TimingCore::commit(const Packet &packet) {
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

/// Issues instructions in cycle NOW. Returns how many.
unsigned TimingCore::issue(Cycle now) {
  unsigned issued =
      issueStage.issue(now, [this](DynInstId id, Cycle due) { units.dispatch(id, 0, due); });
  core.stats.issued += issued;
  return issued;
}

void TimingCore::decode(Cycle now) {
  if (uint32_t slot = frontend.decode(now); slot != SlotSet::kNone)
    issueStage.newHead(slot);
}

/// Chooses a warp, executes its next instruction functionally, and sends the instruction to the I$.
void TimingCore::fetch(Cycle now) {
  if (!frontend.maySchedule())
    return;
  // The emulator counts a cycle for what it executes: a read of the clock gives the cycles before
  // this one, as in SimX.
  core.stats.cycles = cyclesBefore + now - 1;
  DynInstId scheduled = frontend.schedule(now);
  if (observer)
    observer->scheduled(insts[scheduled].life);
}

bool TimingCore::issueAhead(Cycle now) {
  const Cycle next = now + 1;
  if (!issueStage.onlyIssues(next) || !units.isQuiet(next) || !frontend.isQuiet(next) || observer)
    return false;
  ahead.begin(next, issueStage, core.stats);
  issue(next);
  ahead.end(issueStage.lastIssued());
  stalls.setAccounted(next + 1);
  core.stats.cycles = cyclesBefore + next + 1;
  return true;
}

void TimingCore::stop(Cycle cycle, Cycle cycles) {
  commitUntil(cycle);
  stopped = true;
  if (!isAhead(cycle))
    return;
  ahead.squash(issueStage, core.stats);
  stalls.setAccounted(cycle);
  if (cycle != cycles)
    stalls.countSquashed(cycle, ahead.whyIdle(issueStage));
}

void TimingCore::checkpoint(Checkpoint &saved) const {
  saved.stats = core.stats;
  saved.conflicts = issueStage.bankConflicts();
  stalls.checkpoint(saved.stalls);
}

void TimingCore::restore(const Checkpoint &saved, Cycle cycles) {
  core.stats = saved.stats;
  issueStage.setBankConflicts(saved.conflicts);
  stalls.restore(saved.stalls, cycles);
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
  stalls.countUntil(cycles);
  core.stats.cycles = cyclesBefore + cycles;
  core.stats.operandConflicts += bankConflicts();
}

bool TimingCore::hasLiveWarps() const {
  return std::any_of(core.warps.begin(), core.warps.end(), [](const Warp &warp) {
    return warp.state != WarpState::Idle && warp.state != WarpState::Merged;
  });
}

} // namespace vx::sim
