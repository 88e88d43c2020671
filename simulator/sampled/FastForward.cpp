// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/sampled/FastForward.h"
#include <algorithm>
#include <cmath>

namespace vx::sim {

namespace {

/// Instructions of a warp of average pace before the next warp executes: many where caches are
/// not told of accesses, few where they are and the order matters.
constexpr double kQuantum = 128, kWarmQuantum = 1;
/// Differences from the mean pace: of warps that are about equally fast, and of those that keep
/// their distance, as warps do that wait for each other's cache lines.
constexpr double kAlike = 0.15, kTogether = 0.0015;
/// The number of instructions that such a warp may be ahead, as after the start of a run.
constexpr double kLead = 256;

} // namespace

FastForward::FastForward(Device &device, Emulator &emulator, MemorySystem &memory)
    : device(device), emulator(emulator), memory(memory) {
  for (const Core &core : device.cores)
    paces.emplace_back(core.maxSlots());
}

void FastForward::start() {
  for (std::vector<Pace> &core : paces)
    std::fill(core.begin(), core.end(), Pace{});
}

void FastForward::learn(uint32_t core, const std::vector<uint64_t> &counts) {
  double sum = 0, running = 0;
  for (size_t slot = 0; slot < counts.size(); ++slot) {
    sum += double(counts[slot] - paces[core][slot].seen);
    running += counts[slot] != paces[core][slot].seen;
  }
  const double mean = sum / std::max(1.0, running);
  for (size_t slot = 0; slot < counts.size(); ++slot) {
    Pace &pace = paces[core][slot];
    double executed = double(counts[slot] - pace.seen);
    pace.rate = pace.rate / 2 + executed;
    pace.seen = counts[slot];
    if (std::abs(executed - mean) < kAlike * mean) {
      pace.ahead += executed - mean;
      pace.among += mean;
    }
  }
}

void FastForward::skip(uint32_t core, const std::vector<uint64_t> &counts) {
  for (size_t slot = 0; slot < counts.size(); ++slot)
    paces[core][slot].seen = counts[slot];
}

/// Instructions of SLOT in a round in which a warp of average pace, MEAN, executes QUANTUM.
double FastForward::share(uint32_t core, size_t slot, double mean, double quantum) const {
  constexpr double slowest = 1.0 / 32; // of the mean
  if (mean <= 0)
    return quantum;
  const Pace &pace = paces[core][slot];
  double relative = pace.rate / mean;
  if (std::abs(relative - 1) >= kAlike)
    return quantum * std::max(slowest, relative);
  bool drifts = std::abs(pace.ahead) > std::max(kLead, kTogether * pace.among);
  return drifts ? quantum * (1 + pace.ahead / pace.among) : quantum;
}

FastForward::Outcome FastForward::run(uint64_t instructions, bool warms) {
  for (int64_t left = int64_t(instructions); left > 0;) {
    Ready ready = findReady();
    if (ready.count && (ready.live * 8 <= liveBefore * 7 || ready.live * 7 >= liveBefore * 8))
      if (ready.live != liveBefore)
        return Outcome::Changed;
    double quantum =
        std::clamp(double(left) / std::max(1u, ready.count), 1.0, warms ? kWarmQuantum : kQuantum);
    emulator.decoder.stopAtNewCode(true);
    Outcome outcome = runRound(ready, quantum, warms, left);
    bool isNew = emulator.decoder.hasFoundNewCode();
    emulator.decoder.stopAtNewCode(false);
    if (outcome != Outcome::Reached)
      return outcome;
    if (isNew)
      return Outcome::NewCode;
  }
  return Outcome::Reached;
}

/// Warps that have met since the last round began continue from here on, with what this round gives
/// them: none is ahead of the others because it came last.
void FastForward::beginRound() {
  for (const Core &core : device.cores)
    for (const Warp &warp : core.warps) {
      Pace &pace = paces[core.id][warp.slot];
      pace.waits = warp.state != WarpState::Ready;
      if (pace.waits)
        pace.credit = 0;
    }
}

/// Executes BUDGET instructions of WARP, fewer if it waits or has met others at a barrier. At new
/// code it does not stop before that: what is to be simulated in detail begins with warps that have
/// kept their distances.
uint64_t FastForward::runWarp(Core &core, Warp &warp, uint64_t budget, bool warms) {
  auto run = [&](uint64_t count) {
    return warms ? emulator.runShown(core, warp, count, *this) : emulator.run(core, warp, count);
  };
  const uint64_t barriers = core.stats.barriers;
  uint64_t executed = 0;
  do
    executed += run(budget - executed);
  while (executed < budget && emulator.decoder.hasFoundNewCode() &&
         warp.state == WarpState::Ready && core.stats.barriers == barriers &&
         device.trap.cause == TrapCause::None && !device.exitCode);
  return executed;
}

/// Each warp that runs executes its share of QUANTUM; LEFT is counted down.
FastForward::Outcome FastForward::runRound(const Ready &ready, double quantum, bool warms,
                                           int64_t &left) {
  if (!ready.count)
    return ready.live ? Outcome::Waiting : Outcome::Ended;
  beginRound();
  for (Core &core : device.cores)
    for (size_t slot = 0; slot < core.warps.size(); ++slot) { // vx_tile may add slots
      Warp &warp = core.warps[slot];
      Pace &pace = paces[core.id][slot];
      if (warp.state != WarpState::Ready || pace.waits)
        continue;
      pace.credit += share(core.id, slot, ready.meanRate, quantum);
      uint64_t budget = uint64_t(pace.credit);
      if (!budget)
        continue;
      uint64_t executed = runWarp(core, warp, budget, warms);
      pace.waits = executed < budget;
      pace.credit = pace.waits ? 0 : pace.credit - double(executed);
      left -= int64_t(executed);
      if (device.trap.cause != TrapCause::None || device.exitCode)
        return Outcome::Stopped;
    }
  return Outcome::Reached;
}

void FastForward::rememberPlace() {
  liveBefore = findReady().live;
  for (const Core &core : device.cores)
    for (const Warp &warp : core.warps)
      paces[core.id][warp.slot].place = warp.state == WarpState::Ready ? warp.pc : 0;
}

bool FastForward::isAtPlace() const {
  for (const Core &core : device.cores)
    for (const Warp &warp : core.warps)
      if (paces[core.id][warp.slot].place != (warp.state == WarpState::Ready ? warp.pc : 0))
        return false;
  return true;
}

FastForward::Outcome FastForward::runToPlace(uint64_t instructions) {
  for (int64_t left = int64_t(instructions); left > 0 && !isAtPlace();) {
    Ready ready = findReady();
    if (!ready.count)
      break; // the timing model finds out why
    if (runRound(ready, kWarmQuantum, true, left) == Outcome::Stopped)
      return Outcome::Stopped;
  }
  return Outcome::Reached;
}

FastForward::Ready FastForward::findReady() const {
  Ready ready;
  for (const Core &core : device.cores)
    for (const Warp &warp : core.warps) {
      ready.live += warp.state != WarpState::Idle;
      if (warp.state != WarpState::Ready)
        continue;
      ready.meanRate += paces[core.id][warp.slot].rate;
      ++ready.count;
    }
  ready.meanRate /= std::max(1u, ready.count);
  return ready;
}

} // namespace vx::sim
