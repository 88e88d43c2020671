// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/training/Loops.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/api/Files.h"
#include "simulator/api/Simulator.h"
#include "simulator/api/TrapText.h"
#include <ctime>

namespace vx::sim {
namespace {
constexpr uint64_t kBlock = 0x10000, kBuffer = 0x20000, kBufferBytes = 1 << 20;
}

Result<ElfImage> readLoops(const std::string &path) {
  Result<std::vector<uint8_t>> file = readFile(path);
  if (!file)
    return file.error();
  Result<ElfImage> image = ElfImage::parse(*file);
  if (!image)
    return Failure{path + ": " + image.error().message};
  return image;
}

Result<LoopRun> runLoop(const SimConfig &config, const ElfImage &image, uint64_t loop,
                        uint64_t iterations) {
  auto simulator = Simulator::create(config);
  if (!simulator)
    return simulator.error();
  Simulator &device = **simulator;
  uint64_t block[3] = {loop, iterations, kBuffer};
  Result<void> loaded = image.load(device);
  if (loaded)
    loaded = device.map(kBlock, sizeof block, kRead);
  if (loaded)
    loaded = device.map(kBuffer, kBufferBytes, kRead | kWrite);
  if (loaded)
    loaded = device.write(kBlock, {reinterpret_cast<const uint8_t *>(block), sizeof block});
  if (!loaded)
    return loaded.error();
  device.writeDcr(VX_DCR_STARTUP_ARG0, kBlock);
  std::clock_t start = std::clock();
  RunResult result = device.run();
  double took = double(std::clock() - start) / CLOCKS_PER_SEC;
  if (result.trap.cause != TrapCause::None)
    return Failure{formatTrap(result.trap, &image, config.xlen)};
  const Stats &stats = device.stats();
  return LoopRun{took, stats.warpInstructions, stats.threadInstructions, stats.cycles};
}

} // namespace vx::sim
