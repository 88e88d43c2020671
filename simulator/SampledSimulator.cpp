// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/SampledSimulator.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace vx::sim {

namespace {

/// Instructions that are executed between two looks at what may end a run from outside.
constexpr uint64_t kSlice = 1 << 20;
/// Changes of the number of warps in a run that are followed: a program may have very many.
constexpr unsigned kMostRestarts = 64;
/// Lengths of a warm-up that are simulated where warps come to other code, and how many times as
/// long they have to have been in what they leave: phases that are much shorter are not worth it.
constexpr uint64_t kTransition = 3, kPhase = 32;

} // namespace

SampledSimulator::SampledSimulator(const SimConfig &config)
    : TimingSimulator(config), plan(SampleShape::of(config), config.sampleSeed),
      forward(device, emulator, *memory) {}

DeviceCounts SampledSimulator::counts() const {
  DeviceCounts result;
  for (const CoreClock &clock : clocks) {
    result.cores.push_back(clock.state->stats);
    result.cores.back().operandConflicts += clock.core->bankConflicts();
  }
  result.memory = memory->stats();
  return result;
}

void SampledSimulator::simulate() {
  plan.start();
  estimate.start();
  forward.start();
  counters.start(counts());
  phase = Phase::Whole;
  // The code of its last instructions, as many as a window has, is known when what follows is
  // executed.
  phaseEnd = plan.shape.whole - std::min(plan.shape.whole, plan.shape.warmup + plan.shape.window);
  isEstimate = false;
  isUsual = true;
  accounted = notSimulated = exact = lastNewCode = 0;
  restarts = 0;
  lastLength = 1;
  for (;;) {
    if (now >= nextCheck && !mayContinue())
      return;
    if (!step())
      return;
    if (done() >= phaseEnd && !nextPhase())
      return;
  }
}

/// Returns false if the guest was stopped.
bool SampledSimulator::nextPhase() {
  switch (phase) {
  case Phase::Whole:
    forward.learnCode();
    phase = Phase::EndOfWhole;
    phaseEnd = plan.shape.whole;
    return true;
  case Phase::EndOfWhole:
    accounted = lastLength = std::max<uint64_t>(1, done());
    estimate.setWhole(lastLength, now);
    counters.endWhole(counts());
    isEstimate = true;
    break;
  case Phase::Transition:
    endTransition();
    break;
  case Phase::Warmup:
    windowStart = done();
    windowStartCycle = now;
    counters.beginWindow(counts());
    phase = Phase::Window;
    phaseEnd = windowStart + plan.shape.window;
    return true;
  case Phase::Window:
    endWindow();
    plan.next(plan.mayGrow() ? estimate.confidence() : 1);
    break;
  }
  phase = Phase::Warmup;
  phaseEnd = plan.windowBegin();
  if (done() < plan.warmupBegin() && !fastForward(plan.warmupBegin()))
    return false;
  forward.learnCode();
  return true;
}

/// Warps have come to new code: how they keep pace with each other from here on is decided now.
/// Returns false if that is not worth simulating because they were in the code before it only for a
/// short time.
bool SampledSimulator::beginTransition() {
  const uint64_t length = kTransition * plan.shape.warmup;
  const uint64_t before = done() - std::exchange(lastNewCode, done());
  if (before < kPhase * length)
    return false;
  windowStart = done();
  windowStartCycle = now;
  counters.beginWindow(counts());
  phase = Phase::Transition;
  phaseEnd = done() + length;
  return true;
}

void SampledSimulator::endTransition() {
  estimate.addExact(now - windowStartCycle);
  counters.endExact(counts());
  exact += done() - windowStart;
  isUsual = false;
}

/// The instructions up to here belong to the last period.
void SampledSimulator::extend() {
  double length = double(done()) - double(accounted) - double(std::exchange(exact, 0));
  estimate.extend(length);
  counters.extend(length / double(lastLength));
  accounted = done();
}

void SampledSimulator::endWindow() {
  lastLength = done() - windowStart;
  uint64_t length = plan.end() - std::min(accounted, plan.end());
  const uint64_t ofPeriod = std::min(exact, length);
  length -= ofPeriod;
  exact -= ofPeriod;
  isUsual = true;
  estimate.add(length, lastLength, now - windowStartCycle);
  counters.endWindow(counts(), double(length) / double(lastLength));
  accounted = plan.end();
}

/// Executes the device's instructions up to TARGET. Returns false if the guest was stopped.
bool SampledSimulator::fastForward(uint64_t target) {
  if (!drainLoads())
    return false;
  const uint64_t start = done();
  const Cycle skippedBefore = skipped;
  std::vector<uint64_t> clocksBefore;
  for (const Core &core : device.cores)
    clocksBefore.push_back(core.stats.cycles);
  device.control = &control;
  bool continues = beginGap() && execute(target);
  device.control = &timingControl;
  notSimulated += done() - start;
  // Programs have seen their core's clock advance by a cycle per instruction: it must not go back.
  for (const Core &core : device.cores)
    skipped = std::max(skipped, skippedBefore + core.stats.cycles - clocksBefore[core.id]);
  endGap(skipped - skippedBefore);
  return continues;
}

/// Advances to a cycle in which no load is under way, if there is one soon: an instruction that
/// would have waited for the same line would find it in the cache after the gap, and its warp would
/// get ahead of those that it keeps pace with. Returns false when the run is over.
bool SampledSimulator::drainLoads() {
  constexpr Cycle longest = 1024;
  auto isLoading = [](const CoreClock &clock) { return clock.core->isLoading(); };
  for (Cycle end = now + longest;
       now < end && std::any_of(clocks.begin(), clocks.end(), isLoading);)
    if (!step())
      return false;
  return true;
}

/// Lets the units take now what they would have taken in the next cycles. Returns false if the
/// guest was stopped.
bool SampledSimulator::beginGap() {
  for (CoreClock &clock : clocks) {
    uint32_t slot = 0;
    if (const char *error = timingControl.completeAll(*clock.state, slot)) {
      clock.reportMisuse(slot, error);
      return false;
    }
    if (isUsual)
      forward.learn(clock.state->id, clock.core->scheduledOf());
    else
      forward.skip(clock.state->id, clock.core->scheduledOf());
  }
  forward.rememberPlace();
  return true;
}

bool SampledSimulator::execute(uint64_t target) {
  const double rate = estimate.lastRate();
  const Cycle skippedBefore = skipped;
  const uint64_t start = done();
  for (uint64_t at = start; at < target; at = done()) {
    uint64_t left = target - at;
    bool warms = left <= plan.shape.warming;
    uint64_t slice = std::min(kSlice, warms ? left : left - plan.shape.warming);
    if (uint64_t limit = device.config.maxInstructions)
      slice = std::min(slice, std::max(limit, at + 1) - at);
    FastForward::Outcome outcome = forward.run(slice, warms);
    skipped = skippedBefore + Cycle(rate * double(done() - start));
    if (outcome == FastForward::Outcome::Waiting)
      reportDeadlock();
    if (outcome == FastForward::Outcome::Ended)
      return true;
    if (outcome == FastForward::Outcome::NewCode) {
      if (beginTransition())
        return true;
      continue;
    }
    if (outcome == FastForward::Outcome::Changed && restarts++ < kMostRestarts) {
      extend();
      plan.restart(done());
      phaseEnd = plan.windowBegin();
      return true;
    }
    if (outcome == FastForward::Outcome::Changed) {
      forward.acceptChange();
      continue;
    }
    if (outcome != FastForward::Outcome::Reached || !mayContinue())
      return false;
  }
  return forward.runToPlace(plan.shape.search) != FastForward::Outcome::Stopped;
}

/// Lets the timing model continue CYCLES cycles later.
void SampledSimulator::endGap(Cycle cycles) {
  for (CoreClock &clock : clocks)
    if (clock.running) {
      clock.core->skip(cycles);
      clock.wake(now);
    }
}

void SampledSimulator::finishCores() {
  TimingSimulator::finishCores();
  if (isEstimate) {
    extend();
    double cycles = estimate.cycles();
    double correction = cycles / double(std::max<Cycle>(1, elapsed()));
    DeviceCounts before = counts();
    DeviceCounts all = counters.finish(before);
    for (Core &core : device.cores) {
      uint64_t start = cyclesAtStart[core.id];
      uint64_t own = core.stats.cycles - start;
      core.stats = all.cores[core.id];
      core.stats.cycles = start + uint64_t(std::llround(double(own) * correction));
    }
    all.memory -= before.memory; // may be less than nothing: sums wrap
    memoryExtra += all.memory;
    SampleStats how = estimate.stats();
    how.detailed = done() - notSimulated;
    totals.sample += how;
  }
  totals.memory += memoryExtra;
}

void SampledSimulator::resetStats() {
  TimingSimulator::resetStats();
  memoryExtra = {};
}

} // namespace vx::sim
