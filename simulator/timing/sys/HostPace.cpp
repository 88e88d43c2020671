// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/HostPace.h"
#include "simulator/timing/sys/HostThreads.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Cycles of each phase.
constexpr Cycle kCycles[] = {1 << 17, 1 << 11, 1 << 13, 1 << 13, 1 << 20};
/// How many times as fast threads have to be: they take processors from others.
constexpr double kGain = 1.15;

} // namespace

HostPace::HostPace(unsigned wanted, unsigned cores)
    : choosing(wanted == 0), most(std::min(wanted ? wanted : hostProcessors(), cores)) {}

void HostPace::start() {
  several = fixed || (most > 1 && !choosing);
  until = kNever;
  if (choosing && most > 1)
    enter(Quiet, 0);
}

void HostPace::enter(Phase which, Cycle now) {
  phase = which;
  since = now;
  until = now + kCycles[which];
  began = Clock::now();
}

void HostPace::next(Cycle now) {
  double time = std::chrono::duration<double>(Clock::now() - began).count() / double(now - since);
  switch (phase) {
  case Quiet:
  case Hold:
    several = true;
    return enter(Warm, now);
  case Warm:
    return enter(TryTogether, now);
  case TryTogether:
    togetherTime = time;
    several = false;
    return enter(TryAlone, now);
  case TryAlone:
    several = togetherTime * kGain < time;
    return enter(Hold, now);
  }
}

} // namespace vx::sim
