// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C while a simulator runs: it is asked to stop, so that reports can be completed before the
// program ends as the signal would have ended it.

#ifndef VX_SIMULATOR_VORTEX_STOPONINTERRUPT_H
#define VX_SIMULATOR_VORTEX_STOPONINTERRUPT_H

namespace vx::sim {

class Simulator;

/// While one exists, Ctrl-C asks SIMULATOR to stop; a second one ends the program at once. Programs
/// that handle SIGINT themselves are left alone. If there are several, the newest counts.
class StopOnInterrupt {
public:
  explicit StopOnInterrupt(Simulator &simulator);
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt &) = delete;
  bool wasInterrupted() const;

private:
  bool isInstalled;
};

/// Ends the program as Ctrl-C ends programs.
void endByInterrupt();

} // namespace vx::sim

#endif // VX_SIMULATOR_VORTEX_STOPONINTERRUPT_H
