// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/FunctionalSimulator.h"
#include "simulator/debug/Debugger.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Warp instructions of a run before it is first checked for progress, and the most between two
/// checks.
constexpr uint64_t kFirstProbe = 1 << 20, kProbeInterval = 1 << 26;

} // namespace

FunctionalSimulator::FunctionalSimulator(const SimConfig &config) : DeviceSimulator(config) {}

FunctionalSimulator::~FunctionalSimulator() = default;

Result<void> FunctionalSimulator::initialize() {
  if (Result<void> done = DeviceSimulator::initialize(); !done)
    return done;
  auto wantsToStop = [this] { return stopRequested.load(std::memory_order_relaxed); };
  Result<std::unique_ptr<Debugger>> gdb = Debugger::create(device, wantsToStop);
  if (!gdb)
    return gdb.error();
  debugger = std::move(*gdb);
  return {};
}

void FunctionalSimulator::describeRuns(const RunInfo &info) {
  DeviceSimulator::describeRuns(info);
  if (debugger)
    debugger->describeRun(info);
}

RunResult FunctionalSimulator::run() {
  startRun();
  executed = 0;
  nextProbe = kFirstProbe;
  if (observer)
    observer->runStarted();
  if (debugger)
    debugger->runStarted();
  while (runRound()) {
  }
  if (debugger)
    debugger->runEnded();
  uint64_t before = totals.cycles;
  collectStats();
  if (observer)
    observer->runEnded(totals.cycles - before);
  return finishRun();
}

/// Runs every ready warp for a quantum. Returns false when the run is over.
bool FunctionalSimulator::runRound() {
  bool anyRan = false, anyLive = false;
  uint64_t executedBefore = executed;
  for (Core &core : device.cores)
    for (size_t slot = 0; slot < core.warps.size(); ++slot) { // vx_tile may add slots
      Warp &warp = core.warps[slot];
      anyLive |= warp.state != WarpState::Idle;
      if (warp.state != WarpState::Ready)
        continue;
      anyRan = true;
      if (!runQuantum(core, warp))
        return false;
    }
  if (executed >= nextProbe && isSpinning())
    return false;
  if (debugger && executed == executedBefore && debugger->holdsBack())
    return true;
  if (anyLive && !anyRan)
    reportDeadlock();
  return anyRan;
}

/// Returns false if the guest was stopped, or has ended the run.
bool FunctionalSimulator::runQuantum(Core &core, Warp &warp) {
  uint64_t budget = quantumBudget(core);
  if (budget == 0) {
    emulator.trap(core, warp, TrapCause::CycleLimit,
                  "after " + std::to_string(executed) + " warp instructions");
    return false;
  }
  if (stopRequested.load(std::memory_order_relaxed)) {
    emulator.trap(core, warp, TrapCause::Interrupted, {});
    return false;
  }
  Turn turn{budget, false};
  if (warp.afterBarrier) // the paths of a warp take turns of their own
    turn = warp.paths ? Turn{1, false} : Turn{std::min(budget, warp.afterBarrier), true};
  uint64_t done = debugger ? runDebugged(core, warp, turn) : runTurn(core, warp, turn);
  warp.afterBarrier -= std::min(done, warp.afterBarrier);
  executed += done;
  return device.trap.cause == TrapCause::None && !device.exitCode;
}

uint64_t FunctionalSimulator::runTurn(Core &core, Warp &warp, const Turn &turn) {
  if (observer)
    return runWatched(core, warp, turn);
  return turn.endsAtStore ? emulator.runToStore(core, warp, turn.budget)
                          : emulator.run(core, warp, turn.budget);
}

/// Returns true if TURN is over for WARP after DONE instructions.
bool FunctionalSimulator::hasEnded(const Turn &turn, const Warp &warp, uint64_t done) {
  return done == turn.budget || emulator.stopped() ||
         (turn.endsAtStore && emulator.mayStore(warp.pc));
}

/// Does what Emulator::run() does, one instruction at a time, and shows each to the observer.
uint64_t FunctionalSimulator::runWatched(Core &core, Warp &warp, const Turn &turn) {
  InsnTrace trace;
  uint64_t done = 0;
  do {
    stepWatched(core, warp, trace);
    ++done;
  } while (!hasEnded(turn, warp, done));
  return done;
}

/// Runs a turn with a debugger, which may hold the warp back.
uint64_t FunctionalSimulator::runDebugged(Core &core, Warp &warp, const Turn &turn) {
  InsnTrace trace;
  uint64_t done = 0;
  do {
    if (!debugger->isAttached()) {
      debugger->idle();
      if (!debugger->isAttached())
        return done + runTurn(core, warp, {turn.budget - done, turn.endsAtStore});
    }
    if (!debugger->before(core, warp))
      return done;
    if (observer)
      stepWatched(core, warp, trace);
    else
      emulator.step(core, warp, trace);
    ++done;
    debugger->after(core, warp, trace);
  } while (!hasEnded(turn, warp, done));
  return done;
}

/// Executes one instruction and shows it to the observer. There are no stages: it passes all of
/// them in one cycle.
void FunctionalSimulator::stepWatched(Core &core, Warp &warp, InsnTrace &trace) {
  InsnLife life;
  life.scheduled = core.stats.cycles - cyclesAtStart[core.id];
  life.id = life.scheduled;
  emulator.step(core, warp, trace);
  life.fetched = life.decoded = life.issued = life.dispatched = life.scheduled;
  life.executed = life.completed = life.committed = life.scheduled;
  life.core = trace.core;
  life.slot = trace.slot;
  life.warp = trace.warp;
  life.op = trace.op;
  life.unit = isa::info(trace.op).unit();
  life.word = trace.word;
  life.pc = trace.pc;
  life.mask = trace.mask;
  life.size = trace.size;
  observer->scheduled(life);
  observer->committed(life);
}

uint64_t FunctionalSimulator::quantumBudget(const Core &core) const {
  uint64_t budget = device.config.quantum;
  if (uint64_t limit = device.config.maxInstructions)
    budget = std::min(budget, limit - std::min(limit, executed));
  if (uint64_t limit = device.config.maxCycles)
    budget = std::min(budget, limit - std::min(limit, core.stats.cycles - cyclesAtStart[core.id]));
  return budget;
}

/// Returns true if nothing will ever change. It is called less and less often in a long run.
bool FunctionalSimulator::isSpinning() {
  nextProbe = executed + std::min(executed, kProbeInterval);
  return !debugger && reportSpin();
}

} // namespace vx::sim
