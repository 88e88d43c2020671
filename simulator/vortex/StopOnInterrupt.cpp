// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/vortex/StopOnInterrupt.h"
#include "simulator/api/Simulator.h"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace vx::sim {

static std::atomic<Simulator *> running = nullptr;
static std::atomic<bool> seen = false;

/// The next Ctrl-C finds the system's handler (SA_RESETHAND).
static void onInterrupt(int) {
  seen = true;
  if (Simulator *simulator = running)
    simulator->requestStop();
}

StopOnInterrupt::StopOnInterrupt(Simulator &simulator) : isInstalled(false) {
  struct sigaction present{};
  if (sigaction(SIGINT, nullptr, &present) != 0 || present.sa_handler != SIG_DFL)
    return;
  seen = false;
  running = &simulator;
  struct sigaction stop{};
  stop.sa_handler = onInterrupt;
  stop.sa_flags = SA_RESETHAND | SA_RESTART;
  isInstalled = sigaction(SIGINT, &stop, nullptr) == 0;
}

StopOnInterrupt::~StopOnInterrupt() {
  if (!isInstalled)
    return;
  struct sigaction present{};
  if (sigaction(SIGINT, nullptr, &present) == 0 && present.sa_handler == onInterrupt)
    std::signal(SIGINT, SIG_DFL);
  running = nullptr;
}

bool StopOnInterrupt::wasInterrupted() const {
  return isInstalled && seen;
}

void endByInterrupt() {
  std::fflush(nullptr);
  std::signal(SIGINT, SIG_DFL);
  kill(getpid(), SIGINT);
}

} // namespace vx::sim
