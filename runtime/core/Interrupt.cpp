// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Interrupt.h"
#include "runtime/core/Driver.h"
#include <atomic>
#include <cstdio>
#include <unistd.h>

namespace vx::rt {

static std::atomic<Device *> running = nullptr;
static volatile std::sig_atomic_t seen = 0;

InterruptGuard::InterruptGuard(Device &device) {
  struct sigaction now {};
  if (sigaction(SIGINT, nullptr, &now) != 0 || now.sa_handler != SIG_DFL)
    return;
  running = &device;
  seen = 0;
  struct sigaction stop {};
  stop.sa_handler = [](int) {
    seen = 1;
    if (Device *d = running)
      d->requestStop();
  };
  stop.sa_flags = SA_RESETHAND | SA_RESTART;
  isInstalled = sigaction(SIGINT, &stop, &before) == 0;
}

InterruptGuard::~InterruptGuard() {
  if (isInstalled)
    sigaction(SIGINT, &before, nullptr);
  running = nullptr;
}

bool InterruptGuard::wasInterrupted() const {
  return isInstalled && seen;
}

void endInterrupted(Device &device, const std::string &kernel) {
  std::fprintf(stderr, "vxrt: interrupted in `%s`\n", kernel.c_str());
  device.finish();
  std::fflush(nullptr);
  kill(getpid(), SIGINT); // the thread that runs kernels may block signals
}

} // namespace vx::rt
