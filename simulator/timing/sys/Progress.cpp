// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/sys/Progress.h"
#include "simulator/api/Simulator.h"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace vx::sim {

namespace {

constexpr std::chrono::milliseconds kQuietStart{2000}, kInterval{500};

} // namespace

uint64_t LaunchBlocks::done(const std::vector<Core> &cores, uint32_t stride) const {
  constexpr uint64_t unknown = ~uint64_t(0);
  std::vector<uint64_t> rounds(std::min(slots, count), unknown); // that each slot has completed
  for (const Core &core : cores)
    for (uint32_t lane = 0; lane < core.hardwareWarps * core.lanes; ++lane) {
      uint64_t block = core.x[Core::kBlockHintRegister * stride + lane] - first;
      if (block >= count) // also before the first one
        continue;
      bool ended = core.warps[lane / core.lanes].state == WarpState::Idle;
      uint64_t &slot = rounds[block % slots];
      slot = std::min(slot, block / slots + ended);
    }
  uint64_t sum = 0;
  for (uint64_t slot : rounds)
    sum += slot == unknown ? 0 : slot;
  return sum;
}

std::string progressText(double seconds, uint64_t cycles, uint64_t instructions,
                         uint64_t blocksDone, uint64_t blocks) {
  char text[160];
  double rate = seconds > 0 ? double(cycles) / 1e6 / seconds : 0;
  std::snprintf(text, sizeof text, "%.1f s: %.2f M cycles, %.2f M instructions, %.2f M cycles/s",
                seconds, double(cycles) / 1e6, double(instructions) / 1e6, rate);
  std::string line = text;
  if (!blocks)
    return line;
  line += ", " + std::to_string(blocksDone) + "/" + std::to_string(blocks) + " blocks";
  if (blocksDone) {
    std::snprintf(text, sizeof text, ", %.0f s left",
                  seconds * double(blocks - blocksDone) / double(blocksDone));
    line += text;
  }
  return line;
}

Progress::Progress(ShowProgress wish)
    : enabled(wish == ShowProgress::Always ||
              (wish == ShowProgress::Auto && isatty(STDERR_FILENO))) {}

void Progress::start() {
  if (enabled)
    begin = last = Clock::now();
  shown = 0;
}

bool Progress::isDue() const {
  if (!enabled)
    return false;
  Clock::time_point now = Clock::now();
  return now - begin >= kQuietStart && now - last >= kInterval;
}

void Progress::show(uint64_t cycles, uint64_t instructions, uint64_t blocksDone, uint64_t blocks) {
  last = Clock::now();
  double seconds = std::chrono::duration<double>(last - begin).count();
  std::string line = progressText(seconds, cycles, instructions, blocksDone, blocks);
  std::fprintf(stderr, "\r%-*s", int(shown), line.c_str());
  std::fflush(stderr);
  shown = std::max(shown, line.size());
}

void Progress::finish() {
  if (!shown)
    return;
  std::fprintf(stderr, "\r%*s\r", int(shown), "");
  std::fflush(stderr);
}

} // namespace vx::sim
