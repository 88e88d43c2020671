// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/Progress.h"
#include <cstdio>

namespace vx::sim {

namespace {

constexpr std::chrono::milliseconds kQuietStart{2000}, kInterval{500};

} // namespace

void Progress::start() {
  if (enabled)
    begin = last = Clock::now();
  shown = false;
}

void Progress::show(uint64_t cycles, uint64_t instructions) {
  if (!enabled)
    return;
  Clock::time_point now = Clock::now();
  if (now - begin < kQuietStart || now - last < kInterval)
    return;
  last = now;
  shown = true;
  double seconds = std::chrono::duration<double>(now - begin).count();
  std::fprintf(stderr, "\r%.1f s: %.2f M cycles, %.2f M warp instructions, %.2f M cycles/s  ",
               seconds, double(cycles) / 1e6, double(instructions) / 1e6,
               double(cycles) / 1e6 / seconds);
  std::fflush(stderr);
}

void Progress::finish() {
  if (!shown)
    return;
  std::fprintf(stderr, "\r%78s\r", "");
  std::fflush(stderr);
}

} // namespace vx::sim
