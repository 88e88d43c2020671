// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `simulator-training LOOPS.elf`: runs every loop in every mode on devices of several kinds, each
// for a fixed number of iterations. The build runs it in a simulator that counts its branches, and
// compiles the simulator for these counts (cmake/VxTuned.cmake); they do not depend on the host.

#include "simulator/training/Loops.h"
#include <cstdio>
#include <iterator>

using namespace vx;
using namespace vx::sim;

namespace {

/// One kind of device, and how many iterations its loops have.
struct Device {
  const char *settings;
  uint64_t iterations;
};

constexpr Device kDevices[] = {
    {"core.num_warps=4,core.num_threads=8", 4000},
    {"core.num_warps=4,core.num_threads=32", 1500},
    {"core.num_warps=16,core.num_threads=16", 500},
    {"num_cores=4,core.num_warps=4,core.num_threads=8,run.host_threads=1", 1000},
    {"num_cores=2,core.num_warps=4,core.num_threads=8,l2.enabled=true,run.host_threads=1", 300},
};

Result<void> train(const ElfImage &image) {
  for (SimMode mode : {SimMode::Timing, SimMode::Functional, SimMode::Sampled})
    for (const Device &device : kDevices)
      for (uint64_t loop = 0; loop < std::size(kLoops); ++loop) {
        SimConfig config;
        config.mode = mode;
        config.sampleWhole = 1000; // the rest in windows, and between them
        if (Result<void> set = config.applyList(device.settings); !set)
          return set;
        if (auto run = runLoop(config, image, loop, device.iterations); !run)
          return Failure{std::string(kLoops[loop]) + ", " + device.settings + ": " +
                         run.error().message};
      }
  return {};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: simulator-training LOOPS.elf\n");
    return 2;
  }
  Result<ElfImage> image = readLoops(argv[1]);
  Result<void> trained = image ? train(*image) : Result<void>(image.error());
  if (!trained) {
    std::fprintf(stderr, "simulator-training: %s\n", trained.error().message.c_str());
    return 1;
  }
  return 0;
}
