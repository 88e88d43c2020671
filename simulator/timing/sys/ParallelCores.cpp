// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/ParallelCores.h"
#include <algorithm>

namespace vx::sim {

ParallelCores::ParallelCores(Device &device, MemorySystem &memory, TimingControl &control,
                             std::vector<CoreClock> &clocks, unsigned threadCount)
    : device(device), memory(memory), control(control), members(clocks.size()),
      threads(threadCount), length(memory.independence()) {
  for (size_t i = 0; i != clocks.size(); ++i) {
    members[i].clock = &clocks[i];
    members[i].checkpoints.resize(length);
    members[i].memoryCheckpoints.resize(length);
  }
}

void ParallelCores::reset() {
  for (Member &member : members) {
    member.stopped = kNever;
    member.lastTick = 0;
    member.trap = {};
    member.exitCode.reset();
  }
}

bool ParallelCores::run(Cycle &now, Cycle limit) {
  begin = now;
  end = std::min(begin + length, limit);
  lastEvent = begin;
  memory.setParallel(true);
  memory.tickShared(begin);
  threads.run(
      [](void *cores, unsigned number) {
        ParallelCores &self = *static_cast<ParallelCores *>(cores);
        for (size_t i = number; i < self.members.size(); i += self.threads.count())
          self.runMember(i);
      },
      this);

  Stop stop = firstStop();
  finishAccesses(stop);
  bool anyRunning = false;
  for (Member &member : members) {
    anyRunning |= member.clock->running;
    lastEvent = std::max(lastEvent, member.lastTick);
  }
  // The run is over with the last tick of a core.
  bool isOver = stop.cycle != kNever || !anyRunning;
  Cycle last = stop.cycle != kNever ? stop.cycle : anyRunning ? end - 1 : lastEvent;
  memory.setParallel(false);
  finishMemory(last + 1);
  if (stop.cycle != kNever)
    squash(stop);
  if (!isOver) {
    now = nextCycle();
    if (now != kNever)
      return true;
    last = lastEvent;
  }
  now = last + 1;
  return false;
}

/// Does step 2 for a core. Once it has ended, its own memory waits for the others: the run may be
/// over.
void ParallelCores::runMember(size_t index) {
  Member &member = members[index];
  CoreClock &clock = *member.clock;
  member.deferred.insns.clear();
  member.deferred.inOrder = false;
  member.finished = member.checkpointCount = member.memoryCheckpointCount = 0;
  member.ticked = begin;
  if (!clock.running)
    return;
  clock.core->deferMemory(&member.deferred);
  clock.emulator->reportTo(member.trap, member.exitCode);
  for (Cycle now = begin; clock.running; ++now) {
    now = std::max(now, std::min(memory.nextOwn(uint32_t(index)), clock.due()));
    if (now >= end)
      break;
    member.lastTick = now;
    member.ticked = now + 1;
    if (memory.nextOwn(uint32_t(index)) <= now)
      tickOwn(member, index, now);
    if (clock.due() <= now && !tickCore(member, now))
      break;
  }
  clock.core->deferMemory(nullptr);
  clock.emulator->reportTo(device.trap, device.exitCode);
}

void ParallelCores::tickOwn(Member &member, size_t index, Cycle now) {
  MemoryCheckpoint &checkpoint = member.memoryCheckpoints[member.memoryCheckpointCount++];
  checkpoint = {now, *memory.ownStats(uint32_t(index))};
  memory.tickOwn(uint32_t(index), now);
}

/// Returns false if the guest is stopped.
bool ParallelCores::tickCore(Member &member, Cycle now) {
  CoreClock &clock = *member.clock;
  CoreCheckpoint &checkpoint = member.checkpoints[member.checkpointCount++];
  checkpoint.cycle = now;
  checkpoint.running = clock.running;
  checkpoint.ended = clock.ended;
  clock.core->checkpoint(checkpoint.counted);
  if (!clock.tick(now) || member.trap.cause != TrapCause::None || member.exitCode) {
    member.stopped = now;
    return false;
  }
  clock.advance(now);
  if (control.takeGlobal(clock.state->id)) // on one thread, others are looked at a cycle later
    member.lastTick = std::max(member.lastTick, now + 1);
  return true;
}

ParallelCores::Stop ParallelCores::firstStop() const {
  Stop first;
  for (size_t i = 0; i != members.size(); ++i)
    if (members[i].stopped < first.cycle)
      first = {members[i].stopped, i};
  return first;
}

/// Does step 3, up to STOP, which becomes an earlier one if there is one.
void ParallelCores::finishAccesses(Stop &stop) {
  bool changed = false;
  for (Cycle now = begin; now < end && now <= stop.cycle; ++now)
    for (size_t i = 0; i != members.size() && stop.covers(now, i); ++i)
      if (!finishAccess(members[i], now, changed)) {
        stop = {now, i};
        return; // the report is in the device
      }
  if (stop.cycle == kNever)
    return;
  device.trap = members[stop.core].trap;
  device.exitCode = members[stop.core].exitCode;
}

/// Completes MEMBER's instruction of cycle NOW. CHANGED: memory is not any more what the loads have
/// seen. Returns false if the instruction stops the guest.
bool ParallelCores::finishAccess(Member &member, Cycle now, bool &changed) {
  if (member.finished == member.deferred.insns.size() ||
      member.deferred.insns[member.finished].cycle != now)
    return true;
  const DeferredInsn &insn = member.deferred.insns[member.finished++];
  if (insn.effect == Emulator::MemoryEffect::Replay && !changed)
    return true;
  changed |= insn.effect == Emulator::MemoryEffect::Deferred;
  Core &core = *member.clock->state;
  member.clock->emulator->performDeferred(core, core.warps[insn.slot], insn.pc);
  return device.trap.cause == TrapCause::None;
}

/// Does the rest of memory's ticks before cycle LIMIT: those of cores that have ended, and step 4.
void ParallelCores::finishMemory(Cycle limit) {
  for (size_t i = 0; i != members.size(); ++i) {
    if (members[i].clock->running)
      continue;
    for (Cycle at = members[i].ticked; (at = std::max(at, memory.nextOwn(uint32_t(i)))) < limit;
         ++at) {
      memory.tickOwn(uint32_t(i), at);
      lastEvent = std::max(lastEvent, at);
    }
  }
  for (Cycle at = begin + 1; (at = std::max(at, memory.nextShared())) < limit; ++at) {
    memory.tickShared(at);
    lastEvent = std::max(lastEvent, at);
  }
}

/// Removes from the counters what cores would not have done after STOP.
void ParallelCores::squash(const Stop &stop) {
  for (size_t i = 0; i != members.size(); ++i) {
    Member &member = members[i];
    for (size_t k = 0; k != member.memoryCheckpointCount; ++k)
      if (member.memoryCheckpoints[k].cycle > stop.cycle) {
        *memory.ownStats(uint32_t(i)) = member.memoryCheckpoints[k].stats;
        break;
      }
    for (size_t k = 0; k != member.checkpointCount; ++k)
      if (const CoreCheckpoint &checkpoint = member.checkpoints[k];
          !stop.covers(checkpoint.cycle, i)) {
        member.clock->core->restore(checkpoint.counted,
                                    checkpoint.running ? stop.cycle + 1 : checkpoint.ended);
        member.clock->running = checkpoint.running;
        member.clock->ended = checkpoint.ended;
        break;
      }
  }
}

Cycle ParallelCores::nextCycle() const {
  Cycle next = memory.nextShared();
  for (size_t i = 0; i != members.size(); ++i) {
    CoreClock &clock = *members[i].clock;
    next = std::min(next, memory.nextOwn(uint32_t(i)));
    if (clock.running)
      next = std::min(next, clock.due());
  }
  return next == kNever ? kNever : std::max(next, end);
}

} // namespace vx::sim
