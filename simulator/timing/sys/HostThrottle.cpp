// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/HostThrottle.h"
#include "simulator/timing/sys/WorkerPool.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Cycles of each phase, and after how many of them the clock is looked at.
constexpr Cycle kCycles[] = {1 << 17, 1 << 13, 1 << 13, 1 << 20, 1 << 20};
constexpr Cycle kLook[] = {1 << 17, 1 << 13, 1 << 6, 1 << 20, 1 << 10};
/// The speed-up that justifies threads: they take processors from others.
constexpr double kGain = 1.15;

} // namespace

HostThrottle::HostThrottle(unsigned wanted, unsigned cores)
    : choosing(wanted == 0), most(std::min(wanted ? wanted : hostProcessors(), cores)) {}

void HostThrottle::start() {
  several = fixed || (most > 1 && !choosing);
  until = kNever;
  if (choosing && most > 1)
    enter(Quiet, 0);
}

void HostThrottle::enter(Phase which, Cycle now) {
  phase = which;
  several = which == TryTogether || which == Together;
  since = now;
  began = Clock::now();
  lookAgain(now);
}

void HostThrottle::lookAgain(Cycle now) {
  until = now + kLook[phase];
}

void HostThrottle::next(Cycle now) {
  double time = std::chrono::duration<double>(Clock::now() - began).count();
  Cycle cycles = now - since;
  switch (phase) {
  case Quiet:
  case Alone:
    return enter(TryAlone, now);
  case TryAlone:
    aloneTime = time / double(cycles);
    return enter(TryTogether, now);
  case TryTogether:
    if (time > aloneTime * double(kCycles[TryTogether]))
      return enter(Alone, now);
    if (cycles < kCycles[TryTogether])
      return lookAgain(now);
    return enter(time * kGain < aloneTime * double(cycles) ? Together : Alone, now);
  case Together:
    if (cycles >= kCycles[Together])
      return enter(TryAlone, now);
    // The time of a cycle differs from one part of a program to the next: be sure.
    if (time > 2 * aloneTime * double(cycles))
      return enter(Alone, now);
    return lookAgain(now);
  }
}

} // namespace vx::sim
