// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/TimingSimulator.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Cycles between two looks at what may end a run from outside.
constexpr Cycle kCheckInterval = 1 << 14;

} // namespace

TimingSimulator::TimingSimulator(const SimConfig &config)
    : FunctionalSimulator(config), memory(MemorySystem::create(device.config)),
      timingControl(device.cores), progress(config.progress) {
  device.control = &timingControl;
  device.memoryStats = &memory->stats();
  for (Core &core : device.cores)
    clocks.push_back({std::make_unique<TimingCore>(device.config, core, emulator, timingControl,
                                                   memory->link(core.id)),
                      &memory->link(core.id), 0, true, 0});
}

RunResult TimingSimulator::run() {
  startRun();
  timingControl.reset();
  memory->reset();
  now = memoryNext = 0;
  instructionsBefore = 0;
  for (CoreClock &clock : clocks) {
    clock.core->reset(observer);
    clock.next = 0;
    clock.running = true;
  }
  for (const Core &core : device.cores)
    instructionsBefore += core.stats.warpInstructions;
  nextCheck = 0;
  if (observer)
    observer->runStarted();
  progress.start();
  simulate();
  progress.finish();
  collectTimes();
  if (observer)
    observer->runEnded(now);
  return finishRun();
}

/// Runs until no core is running or something stops the guest; then `now` is the number of cycles.
void TimingSimulator::simulate() {
  for (;;) {
    if (now >= nextCheck && !mayGoOn())
      return;
    if (memoryNext <= now) {
      memory->tick(now);
      memoryNext = memory->nextEvent(now);
      for (CoreClock &clock : clocks) // what it has answered
        clock.next = std::min(clock.next, clock.link->nextResponse());
    }
    tickCores();
    if (device.trap.cause != TrapCause::None || device.exitCode || !anyRunning()) {
      ++now;
      return;
    }
    for (const CoreClock &clock : clocks) // what they have asked for
      memoryNext = std::min(memoryNext, clock.link->nextRequest());
    Cycle next = nextCycle();
    if (next == kNever) {
      ++now;
      reportDeadlock();
      return;
    }
    now = next;
  }
}

void TimingSimulator::tickCores() {
  for (CoreClock &clock : clocks)
    if (clock.next <= now && clock.running && !tickCore(clock))
      return;
}

/// False: the guest was stopped.
bool TimingSimulator::tickCore(CoreClock &clock) {
  TimingCore &core = *clock.core;
  core.tick(now);
  if (core.controlError()) {
    Core &state = device.cores[size_t(&clock - clocks.data())];
    Warp &warp = state.warps[core.errorSlot()];
    warp.pc -= 4; // back to the instruction
    emulator.trap(state, warp, TrapCause::BadBarrier, core.controlError());
  }
  if (device.trap.cause != TrapCause::None || device.exitCode)
    return false;
  clock.next = core.nextEvent(now);
  if (timingControl.takeGlobal())
    wakeAll();
  if (clock.next == kNever || clock.next > now + 1) {
    clock.running = core.isRunning();
    clock.ended = now + 1;
  }
  return true;
}

/// A global barrier may have been completed: cores behind this one see it in the same cycle.
void TimingSimulator::wakeAll() {
  for (CoreClock &clock : clocks) {
    clock.core->refresh();
    clock.next = std::min(clock.next, now + 1);
  }
}

/// Limits, requests to stop, progress. False: the run is over.
bool TimingSimulator::mayGoOn() {
  if (stopRequested.load(std::memory_order_relaxed)) {
    trapFirst(TrapCause::Interrupted, "after " + std::to_string(now) + " cycles");
    return false;
  }
  uint64_t instructions = 0;
  for (const Core &core : device.cores)
    instructions += core.stats.warpInstructions;
  instructions -= instructionsBefore;
  progress.show(now, instructions);
  const SimConfig &config = device.config;
  if (config.maxCycles && now >= config.maxCycles) {
    trapFirst(TrapCause::CycleLimit, "after " + std::to_string(now) + " cycles");
    return false;
  }
  if (config.maxInstructions && instructions >= config.maxInstructions) {
    trapFirst(TrapCause::CycleLimit,
              "after " + std::to_string(instructions) + " warp instructions");
    return false;
  }
  nextCheck = now + kCheckInterval;
  if (config.maxCycles)
    nextCheck = std::min<Cycle>(nextCheck, config.maxCycles);
  if (config.maxInstructions)
    nextCheck = std::min<Cycle>(nextCheck, now + config.maxInstructions - instructions);
  return true;
}

void TimingSimulator::trapFirst(TrapCause cause, std::string detail) {
  for (Core &core : device.cores)
    for (Warp &warp : core.warps)
      if (warp.state != WarpState::Idle && warp.state != WarpState::Merged) {
        emulator.trap(core, warp, cause, std::move(detail));
        return;
      }
  emulator.trap(device.cores[0], device.cores[0].warps[0], cause, std::move(detail));
}

bool TimingSimulator::anyRunning() const {
  return std::any_of(clocks.begin(), clocks.end(), [](const CoreClock &c) { return c.running; });
}

Cycle TimingSimulator::nextCycle() const {
  Cycle next = memoryNext;
  for (const CoreClock &clock : clocks)
    if (clock.running)
      next = std::min(next, clock.next);
  return next == kNever ? kNever : std::max(next, now + 1);
}

void TimingSimulator::collectTimes() {
  for (CoreClock &clock : clocks)
    clock.core->finish(clock.running ? now : clock.ended);
  collectStats();
  totals.memory = memory->stats();
}

void TimingSimulator::resetStats() {
  FunctionalSimulator::resetStats();
  memory->resetStats();
}

} // namespace vx::sim
