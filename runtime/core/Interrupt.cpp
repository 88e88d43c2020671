// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Interrupt.h"
#include "runtime/core/Device.h"
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace vx::rt {

/// The devices that run a kernel. More than that at a time are not stopped by themselves.
static std::array<std::atomic<Device *>, 64> running;
static std::atomic<bool> seen = false;

/// A second Ctrl-C finds the system's handler (SA_RESETHAND).
static void onInterrupt(int) {
  int error = errno;
  bool isStopping = false;
  for (std::atomic<Device *> &place : running)
    if (Device *device = place) {
      seen = true;
      device->requestStop();
      isStopping = true;
    }
  if (!isStopping)
    kill(getpid(), SIGINT); // once this handler has returned
  errno = error;
}

/// A program may set its own handler, or the system's again, at any time. Looked at so often that
/// only a kernel which starts right after that is missed.
static void installHandler() {
  constexpr int64_t kInterval = 50'000'000;
  static std::atomic<int64_t> next = 0;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  int64_t now = int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  if (now < next)
    return;
  next = now + kInterval;
  struct sigaction present{};
  if (sigaction(SIGINT, nullptr, &present) != 0 || present.sa_handler != SIG_DFL)
    return;
  struct sigaction stop{};
  stop.sa_handler = onInterrupt;
  stop.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &stop, nullptr);
}

InterruptGuard::InterruptGuard(Device &device) : place(0) {
  installHandler();
  for (Device *none = nullptr; place < running.size(); ++place, none = nullptr)
    if (running[place].compare_exchange_strong(none, &device))
      break;
}

InterruptGuard::~InterruptGuard() {
  if (place < running.size())
    running[place] = nullptr;
}

void forgetRunningDevices() {
  for (std::atomic<Device *> &place : running)
    place = nullptr;
}

bool InterruptGuard::wasInterrupted() const {
  return seen;
}

void endInterrupted(Device &device, const std::string &kernel) {
  std::fprintf(stderr, "vxrt: interrupted in `%s`\n", kernel.c_str());
  device.finish();
  std::fflush(nullptr);
  kill(getpid(), SIGINT); // the thread that runs kernels may block signals
}

} // namespace vx::rt
