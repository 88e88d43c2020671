// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line that shows how far a run has come.

#include "simulator/timing/sys/Progress.h"
#include "simulator/func/Exec.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

TEST(Progress, SaysWhatIsLeftOfALaunch) {
  EXPECT_EQ(progressText(2, 4'000'000, 1'500'000, 0, 0),
            "2.0 s: 4.00 M cycles, 1.50 M instructions, 2.00 M cycles/s");
  EXPECT_EQ(progressText(2, 4'000'000, 1'500'000, 0, 40),
            "2.0 s: 4.00 M cycles, 1.50 M instructions, 2.00 M cycles/s, 0/40 blocks");
  EXPECT_EQ(progressText(2, 4'000'000, 1'500'000, 10, 40),
            "2.0 s: 4.00 M cycles, 1.50 M instructions, 2.00 M cycles/s, 10/40 blocks, 6 s left");
}

TEST(Progress, CountsTheBlocksThatAllThreadsOfASlotHaveLeft) {
  SimConfig config;
  config.numCores = 2;
  config.numWarps = 2;
  config.numThreads = 4;
  auto device = std::make_unique<Device>(config);
  LaunchBlocks blocks{100, 20, 4}; // a warp is a slot
  auto at = [&](unsigned core, unsigned warp, unsigned lane) -> uint64_t & {
    return device->cores[core].x[Core::kBlockHintRegister * device->stride + warp * 4 + lane];
  };
  for (unsigned core = 0; core < 2; ++core)
    for (unsigned warp = 0; warp < 2; ++warp) {
      device->cores[core].warps[warp].state = WarpState::Ready;
      for (unsigned lane = 0; lane < 4; ++lane)
        at(core, warp, lane) = TrapReport::kNoHint;
    }
  EXPECT_EQ(blocks.done(device->cores, device->stride), 0u);
  for (unsigned lane = 0; lane < 4; ++lane)
    at(0, 0, lane) = 100 + 8; // its third block
  EXPECT_EQ(blocks.done(device->cores, device->stride), 2u);
  at(0, 0, 3) = 100 + 4; // a thread that is late
  EXPECT_EQ(blocks.done(device->cores, device->stride), 1u);
  at(1, 1, 0) = 100 + 19; // the last one of its slot
  EXPECT_EQ(blocks.done(device->cores, device->stride), 5u);
  device->cores[1].warps[1].state = WarpState::Idle;
  EXPECT_EQ(blocks.done(device->cores, device->stride), 6u);
}

} // namespace
} // namespace vx::sim
