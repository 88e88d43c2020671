// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/LaunchPlan.h"
#include <gtest/gtest.h>

using namespace vx::rt;
using vx::abi::KernelRecord;

static DeviceShape shapeOf(uint32_t warps, uint32_t threads, uint32_t cores = 1) {
  DeviceShape shape;
  shape.numWarps = warps;
  shape.numThreads = threads;
  shape.numCores = cores;
  shape.numBarriers = std::max(1u, warps / 2);
  shape.localMemBytes = 16384;
  shape.localMemBase = 0x1FFFF0000;
  return shape;
}

static KernelRecord bothEntries() {
  KernelRecord record{};
  record.directEntry = 0x100;
  record.chunkedEntry = 0x200;
  return record;
}

TEST(LaunchPlan, BlocksThatFitRunDirectly) {
  LaunchPlan plan = *planLaunch(bothEntries(), shapeOf(4, 8), 32, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.blocksPerCore, 1u);
}

TEST(LaunchPlan, OneThreadTooManyRunsInChunks) {
  LaunchPlan plan = *planLaunch(bothEntries(), shapeOf(4, 8), 33, 0);
  EXPECT_EQ(plan.entry, 0x200u);
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.blocksPerCore, 1u);
}

TEST(LaunchPlan, SmallBlocksShareACore) {
  EXPECT_EQ(planLaunch(bothEntries(), shapeOf(16, 8), 8, 0)->blocksPerCore, 16u);
  EXPECT_EQ(planLaunch(bothEntries(), shapeOf(16, 8), 9, 0)->blocksPerCore, 8u);
  EXPECT_EQ(planLaunch(bothEntries(), shapeOf(16, 8), 48, 0)->blocksPerCore, 2u);
}

TEST(LaunchPlan, BarrierIdsLimitResidentBlocks) {
  DeviceShape shape = shapeOf(16, 8);
  shape.numBarriers = 3;
  EXPECT_EQ(planLaunch(bothEntries(), shape, 16, 0)->blocksPerCore, 3u);
  EXPECT_EQ(planLaunch(bothEntries(), shape, 8, 0)->blocksPerCore, 16u) << "one warp needs none";
}

TEST(LaunchPlan, SharedMemoryIsAlignedAndLimitsResidentBlocks) {
  KernelRecord record = bothEntries();
  record.staticSharedBytes = 4096;
  record.tailSharedBytes = 16;
  LaunchPlan plan = *planLaunch(record, shapeOf(16, 8), 8, 10);
  // 10 bytes take 16, the tail 16; the next block starts at a multiple of 128.
  EXPECT_EQ(plan.sharedStride, 4096u + 128);
  EXPECT_EQ(plan.blocksPerCore, 3u);
  EXPECT_TRUE(plan.sharedInLocalMem);
  EXPECT_EQ(plan.sharedCoreStride, 0u);
}

TEST(LaunchPlan, SharedMemoryBeyondLocalMemoryIsGlobal) {
  KernelRecord record = bothEntries();
  record.staticSharedBytes = 32768;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 4, 2), 8, 0);
  EXPECT_FALSE(plan.sharedInLocalMem);
  EXPECT_EQ(plan.blocksPerCore, 2u);
  EXPECT_EQ(plan.sharedCoreStride, 65536u);
  EXPECT_EQ(plan.sharedScratchBytes, 131072u);
}

TEST(LaunchPlan, ContextsAreForWholeCudaWarps) {
  KernelRecord record = bothEntries();
  record.contextBytes = 24;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 4, 2), 100, 0);
  EXPECT_EQ(plan.contextStride, 24u * 128);
  EXPECT_EQ(plan.contextBytes, 24u * 128 * 2);
  EXPECT_EQ(planLaunch(record, shapeOf(4, 4), 16, 0)->contextBytes, 0u) << "direct entry";
}

TEST(LaunchPlan, MissingEntries) {
  KernelRecord record{};
  EXPECT_FALSE(planLaunch(record, shapeOf(4, 4), 16, 0));
  record.directEntry = 0x100;
  EXPECT_TRUE(planLaunch(record, shapeOf(4, 4), 16, 0));
  EXPECT_FALSE(planLaunch(record, shapeOf(4, 4), 17, 0));
  record = {};
  record.chunkedEntry = 0x200;
  EXPECT_EQ(planLaunch(record, shapeOf(4, 4), 1, 0)->entry, 0x200u);
}

TEST(LaunchPlan, SerialKernelsTakeOneHardwareThreadPerBlock) {
  KernelRecord record = bothEntries();
  record.flags = vx::abi::kKernelSerial;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 8), 256, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.warpsPerBlock, 1u);
  EXPECT_EQ(plan.blocksPerCore, 32u);
}

TEST(LaunchPlan, DescriptorHasTheDimensions) {
  KernelRecord record = bothEntries();
  record.staticSharedBytes = 64;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 8), 24, 100);
  vx::abi::LaunchDescriptor d{};
  fillDescriptor(d, plan, record, {2, 3, 4}, {6, 2, 2}, 100);
  EXPECT_EQ(d.numBlocks, 24u);
  EXPECT_EQ(d.blockThreads, 24u);
  EXPECT_EQ(d.gridDim[1], 3u);
  EXPECT_EQ(d.blockDim[2], 2u);
  EXPECT_EQ(d.dynSharedOffset, 64u);
  EXPECT_EQ(d.dynSharedBytes, 100u);
  EXPECT_EQ(d.sharedStride, 256u);
}
