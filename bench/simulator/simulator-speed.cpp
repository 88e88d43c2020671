// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how fast the simulator is on one host core: `simulator-speed [--timing] [warps lanes
// [seconds]]`, 4x8 by default. Each loop of simulator/training/loops.S runs with growing iteration
// counts until a run lasts long enough; the best of three runs is printed. Time is processor time,
// so that a busy machine does not change the result much. Functional mode is measured in
// thread-instructions per second; with --timing the cycle-level model in simulated cycles per
// second, and per thousand steps of a loop of dependent integer operations on the host itself,
// which compares hosts.

#include "simulator/training/Loops.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <optional>
#include <string_view>

using namespace vx;
using namespace vx::sim;

namespace {

/// Steps per second of a loop of dependent integer operations.
double hostStepsPerSecond() {
  constexpr uint64_t steps = 100'000'000;
  uint64_t x = 88172645463325252;
  std::clock_t start = std::clock();
  for (uint64_t i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  double took = double(std::clock() - start) / CLOCKS_PER_SEC;
  // The result must be needed, or there is no loop.
  return x ? double(steps) / took : 0;
}

/// Measures the speed. HOSTSTEPS is 0 in functional mode.
bool measure(const SimConfig &config, const ElfImage &image, unsigned loop, double seconds,
             double hostSteps) {
  uint64_t iterations = 1000;
  std::optional<LoopRun> best;
  for (int repeat = 0; repeat < 3;) {
    Result<LoopRun> m = runLoop(config, image, loop, iterations);
    if (!m) {
      std::fprintf(stderr, "%s\n", m.error().message.c_str());
      return false;
    }
    if (m->seconds < seconds) {
      iterations *= 2;
      continue;
    }
    ++repeat;
    if (!best || m->seconds < best->seconds)
      best = *m;
  }
  if (hostSteps) {
    double rate = double(best->cycles) / best->seconds;
    std::printf(
        "%-10s %8.2f M cycles/s %8.2f M warp-instructions/s %8.1f cycles per 1000 host steps\n",
        kLoops[loop], rate / 1e6, double(best->warpInstructions) / best->seconds / 1e6,
        rate / hostSteps * 1000);
    return true;
  }
  std::printf("%-10s %8.1f M thread-instructions/s %8.1f M warp-instructions/s\n", kLoops[loop],
              double(best->threadInstructions) / best->seconds / 1e6,
              double(best->warpInstructions) / best->seconds / 1e6);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Result<ElfImage> image = readLoops(VX_LOOPS);
  if (!image) {
    std::fprintf(stderr, "%s\n", image.error().message.c_str());
    return 1;
  }
  SimConfig config;
  if (argc > 1 && std::string_view(argv[1]) == "--timing") {
    config.mode = SimMode::Timing;
    --argc;
    ++argv;
  }
  Result<void> shape = config.apply("core.num_warps", argc > 1 ? argv[1] : "4");
  if (shape)
    shape = config.apply("core.num_threads", argc > 2 ? argv[2] : "8");
  if (!shape) {
    std::fprintf(stderr, "%s\n", shape.error().message.c_str());
    return 1;
  }
  double seconds = argc > 3 ? std::atof(argv[3]) : 0.5;
  bool timing = config.mode == SimMode::Timing;
  double hostSteps = timing ? hostStepsPerSecond() : 0;
  std::printf("%s, 1 core, %u warps x %u lanes\n",
              timing ? "cycle-level model" : "functional simulator", config.numWarps,
              config.numThreads);
  for (unsigned loop = 0; loop < std::size(kLoops); ++loop)
    if (!measure(config, *image, loop, seconds, hostSteps))
      return 1;
  return 0;
}
