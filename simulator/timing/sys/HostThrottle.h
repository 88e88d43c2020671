// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides when cores are simulated on several threads of the host (run.host_threads). The results
// are the same either way, so the clock of the host may decide: of a long run both ways are tried
// now and then, and threads are used while they make it clearly faster. So they are not where the
// host is busy with other work, nor for runs too short to gain from them.

#ifndef VX_SIMULATOR_TIMING_SYS_HOSTTHROTTLE_H
#define VX_SIMULATOR_TIMING_SYS_HOSTTHROTTLE_H

#include "simulator/timing/Channel.h"
#include <chrono>

namespace vx::sim {

class HostThrottle {
public:
  /// WANTED threads for CORES cores; 0: as many as are good for the host.
  HostThrottle(unsigned wanted, unsigned cores);

  /// Returns the most threads that are used; 1: never several.
  unsigned threads() const { return most; }
  /// Makes the next runs use COUNT threads from their first cycle on, without choice.
  void fix(unsigned count) {
    choosing = false;
    fixed = true;
    most = count;
  }
  /// A run begins in cycle 0.
  void start();
  /// Returns true if the cycles from NOW on are simulated on several threads.
  bool together(Cycle now) {
    if (now >= until) [[unlikely]]
      next(now);
    return several;
  }
  /// Returns the cycle up to which together() does not change.
  Cycle nextLook() const { return until; }

private:
  enum Phase { Quiet, TryAlone, TryTogether, Alone, Together };
  using Clock = std::chrono::steady_clock;

  void next(Cycle now);
  void enter(Phase which, Cycle now);
  void lookAgain(Cycle now);

  bool choosing, fixed = false;
  unsigned most;
  Phase phase = Quiet;
  bool several = false;
  Cycle since = 0, until = kNever; ///< of the phase, of a part of it
  Clock::time_point began;
  double aloneTime = 0; ///< of a cycle on one thread
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_SYS_HOSTTHROTTLE_H
