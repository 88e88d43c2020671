// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/plan/CostModel.h"
#include <gtest/gtest.h>

using namespace vx::rt;
using vx::abi::bitOf;
using vx::abi::kCostUnit;
using vx::abi::KernelRecord;
using vx::abi::LevelCost;
using vx::abi::Mapping;

namespace {

DeviceShape deviceOf(uint32_t warps, uint32_t threads, uint32_t cores = 1) {
  DeviceShape shape;
  shape.numWarps = warps;
  shape.numThreads = threads;
  shape.numCores = cores;
  shape.numBarriers = 8;
  shape.localMemBytes = 16384;
  return shape;
}

/// Returns so many instructions, a tenth of them accesses of the program's data.
LevelCost level(uint32_t instructions) {
  LevelCost cost{};
  cost.instructions = instructions * kCostUnit;
  cost.cycles = 10 * instructions * kCostUnit;
  cost.accesses = cost.far = instructions * kCostUnit / 10;
  return cost;
}

/// Returns entries for MAPPING that execute so many INSTRUCTIONS, once a block or, where a hardware
/// thread runs several CUDA threads, for each of these.
KernelRecord recordFor(Mapping mapping, uint32_t instructions, uint32_t groupThreads = 0) {
  KernelRecord record{};
  record.directEntry = 0x100;
  record.chunkedEntry = 0x200;
  record.mappings = bitOf(mapping);
  record.groupThreads = groupThreads;
  bool isSerial = mapping == Mapping::BlockPerLane || mapping == Mapping::WarpsPerLane;
  record.directCost.code = record.chunkedCost.code = 100;
  (isSerial ? record.directCost.thread : record.directCost.block) = level(instructions);
  record.chunkedCost.thread = level(instructions);
  if (groupThreads && mapping == Mapping::Hardware) {
    record.isaProfile = uint32_t(vx::abi::IsaProfile::Warp);
    record.flags = vx::abi::kKernelRegroups;
  }
  return record;
}

double estimate(const KernelRecord &record, const DeviceShape &shape, uint32_t threads,
                uint64_t blocks) {
  PlanRequest request{threads, 0, blocks, true};
  Mapping mapping = vx::abi::firstMapping(record);
  return *estimateCycles(*planLaunch(record, shape, request, mapping), record, shape, request);
}

} // namespace

TEST(CostModel, NothingIsKnownOfEntriesThatWereNotCounted) {
  KernelRecord record = recordFor(Mapping::Hardware, 100);
  record.directCost = {};
  PlanRequest request{32, 0, 1, true};
  DeviceShape shape = deviceOf(4, 8);
  std::optional<LaunchPlan> plan = planLaunch(record, shape, request, Mapping::Hardware);
  EXPECT_FALSE(estimateCycles(*plan, record, shape, request));
  request.blockThreads = 64; // takes the entry that was
  plan = planLaunch(record, shape, request, Mapping::Hardware);
  EXPECT_TRUE(estimateCycles(*plan, record, shape, request));
}

TEST(CostModel, RoundsFollowEachOther) {
  KernelRecord record = recordFor(Mapping::Hardware, 1000);
  DeviceShape shape = deviceOf(4, 8);
  double one = estimate(record, shape, 8, 1), four = estimate(record, shape, 8, 4);
  EXPECT_LT(four, 2 * one) << "four hardware warps run side by side";
  double more = estimate(record, shape, 8, 40);
  EXPECT_NEAR(more / four, 10, 1);
  EXPECT_DOUBLE_EQ(estimate(record, deviceOf(4, 8, 10), 8, 40), four) << "ten cores";
}

TEST(CostModel, MergedWarpsAreOneStream) {
  DeviceShape shape = deviceOf(4, 8);
  KernelRecord merged = recordFor(Mapping::Hardware, 1000, 32);
  KernelRecord coarsened = recordFor(Mapping::Coarsened, 2000, 8);
  EXPECT_LT(estimate(merged, shape, 32, 1), estimate(coarsened, shape, 32, 1));
  EXPECT_GT(estimate(merged, shape, 32, 4), estimate(coarsened, shape, 32, 4));
  EXPECT_GT(estimate(merged, shape, 128, 1), estimate(coarsened, shape, 128, 1));
  // On a wider machine nothing merges.
  EXPECT_LT(estimate(merged, deviceOf(4, 32), 32, 64), estimate(merged, shape, 32, 64) / 2);
}

TEST(CostModel, LanesThatWouldIdleRunOtherBlocks) {
  DeviceShape shape = deviceOf(4, 8);
  KernelRecord threads = recordFor(Mapping::ThreadPerLane, 100);
  KernelRecord blocks = recordFor(Mapping::BlockPerLane, 110);
  EXPECT_GT(estimate(threads, shape, 1, 320), kLoweringMargin * estimate(blocks, shape, 1, 320));
  EXPECT_LT(estimate(threads, shape, 32, 320), estimate(blocks, shape, 32, 320));
  EXPECT_LT(estimate(threads, shape, 1024, 1), estimate(blocks, shape, 1024, 1) / 10);
}

TEST(CostModel, FewBlocksAreSpread) {
  DeviceShape shape = deviceOf(4, 8);
  KernelRecord block = recordFor(Mapping::BlockPerLane, 100);
  block.directCost.warp = level(50);
  KernelRecord spread = block;
  spread.mappings = bitOf(Mapping::WarpsPerLane);
  EXPECT_GT(estimate(block, shape, 256, 1), 3 * estimate(spread, shape, 256, 1));
  EXPECT_DOUBLE_EQ(estimate(block, shape, 32, 8), estimate(spread, shape, 32, 8));
}

TEST(CostModel, EachLaneHasItsOwnStack) {
  KernelRecord record = recordFor(Mapping::Hardware, 1000);
  double before = estimate(record, deviceOf(4, 8), 32, 64);
  record.directCost.block.accesses += 100 * kCostUnit;
  double near = estimate(record, deviceOf(4, 8), 32, 64);
  record.directCost.block.stack += 100 * kCostUnit;
  double stack = estimate(record, deviceOf(4, 8), 32, 64);
  EXPECT_LT(near, 1.1 * before);
  EXPECT_GT(stack, 1.5 * before);
}

TEST(CostModel, AllHardwareWarpsWithABlockStart) {
  KernelRecord record = recordFor(Mapping::Hardware, 10);
  record.directCost.start = level(100);
  EXPECT_DOUBLE_EQ(estimate(record, deviceOf(64, 8), 8, 1), estimate(record, deviceOf(4, 8), 8, 1));
  EXPECT_GT(estimate(record, deviceOf(64, 8), 8, 64), 2 * estimate(record, deviceOf(64, 8), 8, 4));
}
