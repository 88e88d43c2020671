// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/TimingSimulator.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include <algorithm>
#include <utility>

namespace vx::sim {

namespace {

/// Cycles between two looks at what may end a run from outside.
constexpr Cycle kCheckInterval = 1 << 14;
/// Cycles before it is looked at whether a run makes progress, and between looks at most.
constexpr Cycle kFirstProbe = 1 << 18, kProbeInterval = 1 << 22;

} // namespace

TimingSimulator::TimingSimulator(const SimConfig &config)
    : DeviceSimulator(config), memory(MemorySystem::create(device.config)),
      timingControl(device.cores),
      throttle(config.hostThreads,
               memory->independence() > 1 && config.mode == SimMode::Timing ? config.numCores : 1),
      severalCores(config.numCores > 1), progress(config.progress) {
  device.control = &timingControl;
  device.memoryStats = [this] { return memory->stats(); };
  for (Core &core : device.cores) {
    bool isApart = throttle.threads() > 1;
    Emulator &own = isApart ? emulators.emplace_back(device) : emulator;
    if (isApart || staticInsts.empty())
      staticInsts.emplace_back(device.config);
    clocks.push_back({std::make_unique<TimingCore>(device.config, core, own, timingControl,
                                                   memory->link(core.id), staticInsts.back()),
                      &core, &own, &memory->link(core.id)});
  }
}

Result<void> TimingSimulator::initialize() {
  if (!device.config.gdb.empty())
    return Failure{"debug.gdb (VX_GDB) needs run.mode=functional: gdb is not for the cycle-level "
                   "model, whose warps cannot be held back"};
  return DeviceSimulator::initialize();
}

RunResult TimingSimulator::run() {
  startRun();
  timingControl.reset();
  if (std::exchange(endedByItself, false))
    memory->restart(now);
  else
    memory->reset();
  now = memoryNext = skipped = 0;
  instructionsBefore = 0;
  for (CoreClock &clock : clocks) {
    clock.core->reset(observer);
    clock.next = clock.link->coreDue = 0;
    clock.running = true;
  }
  for (const Core &core : device.cores)
    instructionsBefore += core.stats.warpInstructions;
  nextCheck = 0;
  nextProbe = kFirstProbe;
  if (observer)
    observer->runStarted();
  throttle.start();
  if (parallelCores)
    parallelCores->reset();
  progress.start();
  simulate();
  progress.finish();
  totals.memory = memory->stats();
  finishCores();
  collectStats();
  if (observer)
    observer->runEnded(elapsed());
  RunResult result = finishRun();
  endedByItself = result.trap.cause == TrapCause::None && !result.exitCode;
  return result;
}

void TimingSimulator::simulate() {
  bool shareOut = mayShareOut();
  for (;;) {
    if (now >= nextCheck && !mayContinue())
      return;
    bool together = shareOut && throttle.together(now);
    if (together && !parallelCores)
      parallelCores = std::make_unique<ParallelCores>(device, *memory, timingControl, clocks,
                                                      throttle.threads());
    if (together && parallelCores->mayRun()) {
      if (!stepTogether())
        return;
    } else if (!stepAlone(together ? now + 1 : std::min(nextCheck, throttle.nextLook()))) {
      return;
    }
  }
}

/// Returns true if several threads of the host may take part in this run: not if anything has to
/// know of all cores what happens in a cycle, in its order.
bool TimingSimulator::mayShareOut() const {
  constexpr uint32_t memoryCounters = 2; // of the class that the guest can read
  return !emulators.empty() && device.config.divergence == DivergencePolicy::Stack && !observer &&
         !device.checker && !device.memory.hasWritableCode() && device.mpmClass != memoryCounters;
}

/// Simulates cycle NOW on one thread; then NOW is the next one with something to do. A core is
/// ahead of NOW (issueAhead) only in cycles before LIMIT. Returns false when the run is over.
bool TimingSimulator::cycle(Cycle limit) {
  const Cycle at = now;
  if (memoryNext <= at)
    memoryNext = memory->tick(at);
  Cycle next = kNever, asked = kNever;
  CoreClock *clock = clocks.data(), *const end = clock + clocks.size();
  do {
    Cycle due = clock->due();
    if (due <= at && clock->running) {
      if (!tickCore(*clock, limit)) {
        stopAfter(*clock);
        ++now;
        return false;
      }
      asked = std::min(asked, clock->link->memoryDue());
      due = clock->due();
    }
    next = std::min(next, due);
  } while (++clock != end);
  memoryNext = std::min(memoryNext, asked);
  if (next == kNever && !anyRunning()) {
    ++now;
    return false;
  }
  if (woken) [[unlikely]] { // perhaps cores before the one that did it
    woken = false;
    next = now;
  }
  next = std::min(next, memoryNext);
  if (next == kNever) {
    ++now;
    reportDeadlock();
    return false;
  }
  now = std::max(next, now + 1);
  return true;
}

/// Simulates the cycles before LIMIT, but at least one, on one thread. Returns false when the run
/// is over.
bool TimingSimulator::stepAlone(Cycle limit) {
  do
    if (!cycle(limit))
      return false;
  while (now < limit);
  // NOW becomes the next cycle with something to do, commits included: debuggers and other threads
  // continue from it.
  for (CoreClock &clock : clocks) {
    clock.commitUntil(limit);
    now = std::min(now, std::max(limit, clock.due()));
  }
  return true;
}

bool TimingSimulator::step() {
  return stepAlone(now + 1);
}

/// Simulates some cycles on several threads. Returns false when the run is over.
bool TimingSimulator::stepTogether() {
  bool continues = parallelCores->run(now, nextCheck);
  memoryNext = now;
  if (!continues && device.trap.cause == TrapCause::None && !device.exitCode && anyRunning())
    reportDeadlock();
  return continues;
}

/// Returns false if the guest was stopped.
bool TimingSimulator::tickCore(CoreClock &clock, Cycle limit) {
  if (!clock.tick(now) || device.trap.cause != TrapCause::None || device.exitCode)
    return false;
  if (severalCores)
    clock.advanceAlone(now, limit);
  else // a cycle that is left out would save too little
    clock.advance(now);
  if (timingControl.takeGlobal(clock.state->id))
    wakeAll(clock);
  return true;
}

/// STOPPED has stopped the guest in cycle NOW: the cores after it are not ticked in that cycle any
/// more.
void TimingSimulator::stopAfter(const CoreClock &stopped) {
  for (CoreClock &clock : clocks)
    clock.core->stop(&clock > &stopped ? now : now + 1, now + 1);
}

/// SOURCE may have completed a global barrier: cores after it that have something to do in this
/// cycle see that in the same one.
void TimingSimulator::wakeAll(const CoreClock &source) {
  for (CoreClock &clock : clocks) {
    clock.core->refresh();
    if (clock.running)
      clock.wake(&clock > &source && clock.core->isAhead(now) ? now : now + 1);
  }
  woken = true;
  if (timingControl.anyGlobal())
    timingControl.forgetGlobal();
}

uint64_t TimingSimulator::done() const {
  uint64_t instructions = 0;
  for (const Core &core : device.cores)
    instructions += core.stats.warpInstructions;
  return instructions - instructionsBefore;
}

bool TimingSimulator::mayContinue() {
  if (stopRequested.load(std::memory_order_relaxed)) {
    trapFirst(TrapCause::Interrupted, "after " + std::to_string(elapsed()) + " cycles");
    return false;
  }
  uint64_t instructions = done();
  if (progress.isDue())
    progress.show(elapsed(), instructions, blocks.done(device.cores, device.stride), blocks.count);
  const SimConfig &config = device.config;
  if (config.maxCycles && elapsed() >= config.maxCycles) {
    trapFirst(TrapCause::CycleLimit, "after " + std::to_string(elapsed()) + " cycles");
    return false;
  }
  if (config.maxInstructions && instructions >= config.maxInstructions) {
    trapFirst(TrapCause::CycleLimit,
              "after " + std::to_string(instructions) + " warp instructions");
    return false;
  }
  if (now >= nextProbe) {
    nextProbe = now + std::clamp(now, kFirstProbe, kProbeInterval);
    if (reportSpin())
      return false;
  }
  nextCheck = now + kCheckInterval;
  if (config.maxCycles)
    nextCheck = std::min<Cycle>(nextCheck, now + config.maxCycles - elapsed());
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

void TimingSimulator::finishCores() {
  for (CoreClock &clock : clocks)
    clock.core->finish(clock.running ? now : clock.ended);
}

void TimingSimulator::describeRuns(const RunInfo &info) {
  DeviceSimulator::describeRuns(info);
  blocks = {};
  if (const abi::LaunchDescriptor *launch = info.launch)
    blocks = {launch->firstBlock, launch->numBlocks - launch->firstBlock,
              std::max<uint64_t>(1, uint64_t(launch->blocksPerCore) * device.config.numCores)};
}

void TimingSimulator::resetStats() {
  DeviceSimulator::resetStats();
  memory->resetStats();
}

} // namespace vx::sim
