// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/plan/LaunchPlan.h"
#include "runtime/launch/LaunchAdvice.h"
#include "runtime/plan/ClusterPlan.h"
#include "test/runtime/FakeDevice.h"
#include <gtest/gtest.h>

using namespace vx::rt;
using vx::abi::KernelRecord;
using vx::abi::Mapping;

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

static KernelRecord logicalWarps(uint32_t threads) {
  KernelRecord record = bothEntries();
  record.mappings = bitOf(Mapping::ThreadPerLane);
  record.groupThreads = threads;
  return record;
}

TEST(LaunchPlan, BlocksThatFitRunDirectly) {
  LaunchPlan plan = *planLaunch(bothEntries(), shapeOf(4, 8), 32, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.blocksPerCore, 1u);
}

static KernelRecord grouped(uint32_t threads) {
  KernelRecord record = bothEntries();
  record.groupThreads = threads;
  record.flags = vx::abi::kKernelRegroups;
  record.isaProfile = uint32_t(vx::abi::IsaProfile::Warp);
  return record;
}

TEST(LaunchPlan, WarpsMergeIntoWholeGroups) {
  LaunchPlan plan = *planLaunch(grouped(32), shapeOf(16, 8), 40, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.warpsPerBlock, 8u) << "two groups, the second with 8 threads";
  EXPECT_EQ(plan.fields.groups.perBlock, 2u);
  EXPECT_EQ(plan.blocksPerCore, 2u);
  EXPECT_EQ(plan.fields.groups.regroup, 0x8020u);
  plan = *planLaunch(grouped(32), shapeOf(4, 8), 40, 0);
  EXPECT_EQ(plan.entry, 0x200u);
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.fields.groups.perBlock, 1u);
  EXPECT_EQ(planLaunch(grouped(32), shapeOf(7, 8), 10, 0)->blocksPerCore, 1u)
      << "three warps are left over";
  EXPECT_EQ(planLaunch(grouped(16), shapeOf(4, 8), 10, 0)->fields.groups.regroup, 0x8810u);
  EXPECT_EQ(planLaunch(grouped(8), shapeOf(4, 4), 10, 0)->fields.groups.regroup, 0xAA08u);
  EXPECT_EQ(planLaunch(grouped(4), shapeOf(8, 1), 10, 0)->fields.groups.regroup, 0xFF04u);
}

TEST(LaunchPlan, WideWarpsStayAsTheyAre) {
  LaunchPlan plan = *planLaunch(grouped(32), shapeOf(4, 32), 40, 0);
  EXPECT_EQ(plan.fields.groups.regroup, 0u);
  EXPECT_EQ(plan.warpsPerBlock, 2u);
  EXPECT_EQ(plan.fields.groups.perBlock, 2u);
  EXPECT_EQ(planLaunch(grouped(8), shapeOf(4, 8), 40, 0)->fields.groups.regroup, 0u);
  EXPECT_EQ(planLaunch(bothEntries(), shapeOf(4, 8), 40, 0)->fields.groups.perBlock, 4u);
}

TEST(LaunchPlan, WideWarpsAreCutIntoExactGroups) {
  KernelRecord record = grouped(4);
  record.flags |= vx::abi::kKernelExactGroups;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 32), 40, 0);
  EXPECT_EQ(plan.fields.groups.regroup, 0xFF04u);
  EXPECT_EQ(plan.warpsPerBlock, 2u);
  EXPECT_EQ(plan.fields.groups.perBlock, 10u) << "six groups have no thread";
  EXPECT_EQ(planLaunch(record, shapeOf(1, 32), 40, 0)->fields.groups.perBlock, 8u) << "in chunks";
  EXPECT_EQ(planLaunch(record, shapeOf(4, 4), 40, 0)->fields.groups.regroup, 0u);
  EXPECT_EQ(planLaunch(record, shapeOf(8, 2), 10, 0)->fields.groups.perBlock, 3u);
  DeviceShape upstream = shapeOf(4, 8);
  upstream.profile = vx::abi::IsaProfile::Upstream;
  EXPECT_NE(whatIsMissing(record, upstream), "");
}

TEST(LaunchPlan, WhatADeviceLacksIsNamed) {
  using vx::abi::IsaProfile;
  EXPECT_EQ(whatIsMissing(grouped(32), shapeOf(4, 8)), "");
  EXPECT_EQ(whatIsMissing(grouped(32), shapeOf(4, 4)),
            "its warp functions need 32 threads that execute together; the device has 16 lanes in "
            "a core");
  EXPECT_FALSE(planLaunch(grouped(32), shapeOf(4, 4), 8, 0));
  EXPECT_EQ(whatIsMissing(grouped(32), shapeOf(8, 6)),
            "its warp functions need 32 threads that execute together; the device has 6 lanes in a "
            "warp, which do not divide into such groups");
  EXPECT_NE(whatIsMissing(grouped(8), shapeOf(8, 12)), "");
  DeviceShape upstream = shapeOf(4, 8);
  upstream.profile = IsaProfile::Upstream;
  EXPECT_EQ(whatIsMissing(grouped(8), upstream),
            "it needs instructions of profile 'warp', the device has 'upstream'");
  KernelRecord unmasked = grouped(32);
  unmasked.isaProfile = uint32_t(IsaProfile::Upstream);
  EXPECT_NE(whatIsMissing(unmasked, upstream).find("no instruction to regroup them"),
            std::string::npos);
  upstream = shapeOf(1, 32);
  upstream.profile = IsaProfile::Upstream;
  EXPECT_EQ(whatIsMissing(unmasked, upstream), "");
  unmasked.flags = 0;
  EXPECT_NE(whatIsMissing(unmasked, shapeOf(4, 8)).find("compiled without"), std::string::npos);
}

TEST(LaunchPlan, DevicesWithPathsHaveTheInstructionsOfProfileWarp) {
  test::FakeDevice device;
  device.capabilities[Cap::WarpIsa] = uint64_t(vx::abi::IsaProfile::Paths);
  DeviceShape shape = DeviceShape::of(device);
  EXPECT_EQ(whatIsMissing(grouped(16), shape), "");
  LaunchPlan plan = *planLaunch(grouped(16), shape, 40, 0);
  EXPECT_EQ(plan.fields.groups.perBlock, 1u);
}

TEST(LaunchPlan, SettingsThatWouldRunAKernel) {
  using vx::abi::IsaProfile;
  EXPECT_EQ(settingsFor(grouped(32), shapeOf(4, 4)), "core.num_warps=8");
  EXPECT_EQ(settingsFor(grouped(32), shapeOf(8, 6)), "core.num_threads=4");
  EXPECT_EQ(settingsFor(grouped(32), shapeOf(4, 8)), "") << "nothing is missing";
  DeviceShape base = shapeOf(1, 4);
  base.profile = IsaProfile::Base;
  EXPECT_EQ(settingsFor(grouped(4), base), "isa.warp=warp");
  EXPECT_EQ(settingsFor(grouped(32), base), "core.num_warps=8,isa.warp=warp");
  KernelRecord unmasked = grouped(32);
  unmasked.flags = 0;
  unmasked.isaProfile = uint32_t(IsaProfile::Upstream);
  EXPECT_EQ(settingsFor(unmasked, base), "core.num_threads=32,isa.warp=upstream");
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

TEST(LaunchPlan, EachHardwareThreadHasAColumnOfTheSpillArea) {
  LaunchPlan plan = *planLaunch(bothEntries(), shapeOf(4, 8, 3), 32, 0);
  EXPECT_TRUE(plan.spillInLocalMem);
  EXPECT_EQ(plan.spillMask, 31u);
  EXPECT_EQ(plan.spillOffset, 16384u - 4096);
  // If the number of threads is not a power of two, those of the second core have the numbers 24
  // to 47, and all differ in the five lowest bits.
  plan = *planLaunch(bothEntries(), shapeOf(3, 8, 3), 24, 0);
  EXPECT_EQ(plan.spillMask, 31u);
  plan = *planLaunch(bothEntries(), shapeOf(5, 8, 3), 40, 0);
  EXPECT_EQ(plan.spillMask, 63u);
  EXPECT_EQ(plan.spillOffset, 16384u - 8192);
  // Global memory has a column for each thread of the device.
  plan = *planLaunch(bothEntries(), shapeOf(4, 8, 3), 32, 16000);
  EXPECT_FALSE(plan.spillInLocalMem);
  EXPECT_EQ(plan.spillMask, ~0u);
  EXPECT_EQ(plan.spillScratchBytes, 3u * 4096);
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
  record.mappings = bitOf(Mapping::BlockPerLane);
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 8), 256, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.warpsPerBlock, 1u);
  EXPECT_EQ(plan.blocksPerCore, 32u);
}

TEST(LaunchPlan, SharedMemoryOfSerialKernelsIsLocalWhereAllResidentBlocksFit) {
  KernelRecord record = bothEntries();
  record.mappings = bitOf(Mapping::BlockPerLane);
  record.staticSharedBytes = 512;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 8), 64, 0);
  EXPECT_TRUE(plan.sharedInLocalMem) << "32 blocks of 512 bytes are 16 KiB";
  EXPECT_EQ(plan.blocksPerCore, 32u);
  plan = *planLaunch(record, shapeOf(4, 8, 2), 64, 1);
  EXPECT_FALSE(plan.sharedInLocalMem) << "with dynamic memory they are more";
  EXPECT_EQ(plan.blocksPerCore, 32u) << "no hardware thread is idle because of that";
  EXPECT_EQ(plan.sharedScratchBytes, 2u * 32 * 640);
  EXPECT_TRUE(planLaunch(record, shapeOf(4, 8), 64, 1, 4)->sharedInLocalMem) << "four blocks";
}

TEST(LaunchPlan, AMappingThatIsNotPossibleHasNoPlan) {
  KernelRecord record = logicalWarps(32);
  record.flags = vx::abi::kKernelFlat;
  EXPECT_TRUE(planLaunch(record, shapeOf(8, 8), {64, 0, 1, true}, Mapping::ThreadPerLane));
  EXPECT_FALSE(planLaunch(record, shapeOf(8, 8), {64, 0, 1, false}, Mapping::ThreadPerLane));
  record.flags = vx::abi::kKernelLanesWait;
  EXPECT_NE(whatIsMissing(record, shapeOf(8, 8)), "") << "lanes would hang";
}

TEST(LaunchPlan, FewSerialBlocksAreOnAllHardwareWarps) {
  KernelRecord record = bothEntries();
  record.mappings = bitOf(Mapping::BlockPerLane);
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 8), 256, 0, 6);
  EXPECT_EQ(plan.fields.serial.blocksPerWarp, 2u);
  EXPECT_EQ(plan.blocksPerCore, 6u);
  EXPECT_EQ(planLaunch(record, shapeOf(4, 8), 256, 0)->fields.serial.blocksPerWarp, 8u);
}

static LaunchPlan spread(const DeviceShape &shape, uint32_t threads, uint64_t blocks) {
  KernelRecord record = bothEntries();
  record.mappings = bitOf(Mapping::BlockPerLane) | bitOf(Mapping::WarpsPerLane);
  record.contextBytes = 8;
  return *planLaunch(record, shape, {threads, 0, blocks}, Mapping::WarpsPerLane);
}

TEST(LaunchPlan, CudaWarpsAreSpreadOverHardwareThreads) {
  LaunchPlan plan = spread(shapeOf(4, 8), 256, 1);
  EXPECT_EQ(plan.fields.serial.hartsPerBlock, 8u);
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.fields.serial.lanesPerBlock, 2u);
  EXPECT_EQ(plan.blocksPerCore, 1u);
  EXPECT_EQ(plan.fields.serial.contextThreads, 32u);
  EXPECT_EQ(plan.contextStride, 32u * 8);
  EXPECT_EQ(plan.contextBytes, 8u * 32 * 8);
  // Four blocks have a hardware warp each; small ones share it.
  EXPECT_EQ(spread(shapeOf(4, 8), 256, 4).warpsPerBlock, 1u);
  EXPECT_EQ(spread(shapeOf(4, 8), 256, 4).fields.serial.lanesPerBlock, 8u);
  EXPECT_EQ(spread(shapeOf(4, 8), 64, 100).fields.serial.blocksPerWarp, 4u);
  EXPECT_EQ(spread(shapeOf(4, 8), 64, 100).blocksPerCore, 16u);
}

TEST(LaunchPlan, EachHardwareWarpOfASpreadBlockHasACudaWarp) {
  // Five CUDA warps on up to four hardware threads: two each, so three will do.
  LaunchPlan plan = spread(shapeOf(4, 1), 160, 1);
  EXPECT_EQ(plan.fields.serial.hartsPerBlock, 3u);
  EXPECT_EQ(plan.warpsPerBlock, 3u);
  EXPECT_EQ(plan.fields.serial.contextThreads, 64u);
  // Hardware warps of one block need a barrier.
  DeviceShape shape = shapeOf(8, 4);
  shape.numBarriers = 1;
  EXPECT_EQ(spread(shape, 256, 4).warpsPerBlock, 1u);
  EXPECT_EQ(spread(shape, 256, 1).warpsPerBlock, 8u);
}

TEST(LaunchPlan, BlocksThatMayWaitForOthersHaveAHardwareWarpEach) {
  KernelRecord record = bothEntries();
  record.chunkedEntry = record.directEntry;
  record.mappings = bitOf(Mapping::BlockPerLane);
  EXPECT_EQ(planLaunch(record, shapeOf(4, 8), 64, 0, 100)->blocksPerCore, 32u);
  record.flags |= vx::abi::kKernelBlocksWait;
  LaunchPlan plan = *planLaunch(record, shapeOf(4, 8), 64, 0, 100);
  EXPECT_EQ(plan.blocksPerCore, 4u);
  EXPECT_EQ(plan.fields.serial.blocksPerWarp, 1u);
}

TEST(LaunchPlan, LogicalWarpsExchangeInLocalMemoryBehindSharedMemory) {
  KernelRecord record = logicalWarps(32);
  record.staticSharedBytes = 512;
  LaunchPlan plan = *planLaunch(record, shapeOf(8, 8), 32, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.fields.groups.regroup, 0u);
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.blocksPerCore, 2u);
  EXPECT_EQ(plan.fields.logicalWarps.hardwareWarps, 4u);
  EXPECT_EQ(plan.fields.logicalWarps.shift, 2u);
  EXPECT_EQ(plan.fields.logicalWarps.barriers,
            0u); // a block is a logical warp, and waits where that does
  EXPECT_EQ(plan.fields.logicalWarps.exchangeStride, 8u * (64 + 16));
  EXPECT_EQ(plan.ownLocalBytes, 2u * 8 * (64 + 16));
  EXPECT_EQ(plan.fields.logicalWarps.exchange,
            shapeOf(8, 8).localMemBase + 16384 - plan.ownLocalBytes);
  // The barriers of logical warps come after those of the blocks.
  EXPECT_EQ(planLaunch(logicalWarps(32), shapeOf(8, 8), 64, 0)->fields.logicalWarps.barriers, 1u);
}

TEST(LaunchPlan, LogicalWarpsHaveAThreadOnEachLane) {
  EXPECT_FALSE(planLaunch(logicalWarps(32), shapeOf(8, 8), 33, 0));
  // A hardware warp may be partial, but not in some chunks only.
  EXPECT_TRUE(planLaunch(logicalWarps(32), shapeOf(2, 32), 33, 0));
  EXPECT_TRUE(planLaunch(logicalWarps(32), shapeOf(2, 32), 96, 0));
  EXPECT_FALSE(planLaunch(logicalWarps(32), shapeOf(2, 32), 80, 0));
}

TEST(LaunchPlan, LogicalWarpsAreOfEightHardwareWarpsAtMost) {
  EXPECT_TRUE(whatIsMissing(logicalWarps(32), shapeOf(8, 8)).empty());
  EXPECT_TRUE(whatIsMissing(logicalWarps(32), shapeOf(8, 4)).empty());
  EXPECT_TRUE(whatIsMissing(logicalWarps(8), shapeOf(8, 4)).empty());
  EXPECT_FALSE(whatIsMissing(logicalWarps(32), shapeOf(16, 2)).empty());
  EXPECT_FALSE(whatIsMissing(logicalWarps(8), shapeOf(8, 2)).empty()) << "a byte for two, at most";
  EXPECT_FALSE(whatIsMissing(logicalWarps(32), shapeOf(3, 16)).empty());
}

TEST(LaunchPlan, ExactLogicalWarpsAreGroups) {
  KernelRecord record = logicalWarps(8);
  record.flags |= vx::abi::kKernelExactGroups;
  EXPECT_TRUE(whatIsMissing(record, shapeOf(4, 8)).empty());
  EXPECT_FALSE(whatIsMissing(record, shapeOf(2, 16)).empty()) << "two groups in a hardware warp";
  EXPECT_EQ(planLaunch(record, shapeOf(16, 4), 32, 0)->fields.logicalWarps.hardwareWarps, 2u);
  // Others grow where barriers are few.
  DeviceShape shape = shapeOf(16, 4);
  shape.numBarriers = 3;
  EXPECT_EQ(planLaunch(logicalWarps(8), shape, 64, 0)->fields.logicalWarps.hardwareWarps, 8u);
  EXPECT_FALSE(planLaunch(record, shape, 64, 0));
}

static KernelRecord coarsened() {
  KernelRecord record = bothEntries();
  record.mappings = bitOf(Mapping::Coarsened);
  record.groupThreads = 8;
  record.isaProfile = uint32_t(vx::abi::IsaProfile::Upstream);
  return record;
}

TEST(LaunchPlan, CoarsenedWarpsAreOfOneHardwareWarp) {
  LaunchPlan plan = *planLaunch(coarsened(), shapeOf(4, 8), 64, 0);
  EXPECT_EQ(plan.entry, 0x100u);
  EXPECT_EQ(plan.warpsPerBlock, 2u);
  EXPECT_EQ(plan.blocksPerCore, 2u);
  EXPECT_EQ(plan.contextThreads, 0u);
  plan = *planLaunch(coarsened(), shapeOf(4, 8), 32, 0);
  EXPECT_EQ(plan.warpsPerBlock, 1u);
  EXPECT_EQ(plan.blocksPerCore, 4u) << "no thread waits at a barrier";
  plan = *planLaunch(coarsened(), shapeOf(4, 8), 256, 0);
  EXPECT_EQ(plan.entry, 0x200u) << "eight CUDA warps on four hardware warps";
  EXPECT_EQ(plan.warpsPerBlock, 4u);
  EXPECT_EQ(plan.contextThreads, 64u) << "threads of a lane count as one";
}

TEST(LaunchPlan, CoarsenedWarpsAreWholeAndFlat) {
  DeviceShape shape = shapeOf(4, 8);
  EXPECT_FALSE(planLaunch(coarsened(), shape, 48, 0)) << "half a CUDA warp";
  EXPECT_FALSE(planLaunch(coarsened(), shape, {64, 0, 1, false}, Mapping::Coarsened));
  EXPECT_TRUE(planLaunch(coarsened(), shape, {64, 0, 0x1ffffff, true}, Mapping::Coarsened));
  EXPECT_FALSE(planLaunch(coarsened(), shape, {64, 0, 0x2000000, true}, Mapping::Coarsened))
      << "the number of a thread would be negative";
  EXPECT_FALSE(planLaunch(coarsened(), shapeOf(4, 16), 64, 0));
  EXPECT_EQ(whatIsMissing(coarsened(), shapeOf(4, 16)),
            "its code is for hardware warps of 8 lanes; the device has 16");
  shape.profile = vx::abi::IsaProfile::Base;
  EXPECT_FALSE(planLaunch(coarsened(), shape, 64, 0));
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

TEST(LaunchPlan, InversesDivideExactly) {
  for (uint32_t d = 1; d <= 1024; ++d)
    for (uint32_t n = 0; n < 1024; ++n)
      ASSERT_EQ(n * vx::abi::inverseOf(d) >> vx::abi::kInverseShift, n / d) << n << " / " << d;
}

TEST(LaunchPlan, WideInversesDivideExactly) {
  auto divide = [](uint32_t n, uint32_t d) {
    return uint32_t((unsigned __int128)(n)*vx::abi::wideInverseOf(d) >> 63);
  };
  for (uint32_t d : {1u, 2u, 3u, 7u, 641u, 65535u, 65536u, 1000003u, 0x7ffffffeu, 0x7fffffffu})
    for (uint64_t multiple = 0; multiple <= 0xffffffffu / d; multiple += 1 + multiple / 3)
      for (uint64_t n : {multiple * d, multiple * d + d - 1, uint64_t(0xffffffffu)})
        if (n <= 0xffffffffu) {
          ASSERT_EQ(divide(uint32_t(n), d), n / d) << n << " / " << d;
        }
}

TEST(LaunchPlan, SmallGridsAreSpreadOverAllCores) {
  DeviceShape shape = shapeOf(16, 8, /*cores=*/4);
  auto blocksOf = [&](const KernelRecord &record, uint32_t threads, uint64_t grid) {
    return planLaunch(record, shape, threads, 0, grid)->blocksPerCore;
  };
  EXPECT_EQ(blocksOf(bothEntries(), 8, 1), 1u);
  EXPECT_EQ(blocksOf(bothEntries(), 8, 4), 1u);
  EXPECT_EQ(blocksOf(bothEntries(), 8, 5), 2u);
  EXPECT_EQ(blocksOf(bothEntries(), 8, 1000), 16u);
  EXPECT_EQ(blocksOf(coarsened(), 32, 4), 1u);
  EXPECT_EQ(blocksOf(coarsened(), 32, 9), 3u);
  // But for blocks of a cluster, which share local memory on one core.
  auto inClusters = [&](uint64_t grid, uint32_t blocks) {
    return planClusters(bothEntries(), shape, {8, 0, grid}, Mapping::Hardware, blocks)
        ->blocksPerCore;
  };
  EXPECT_EQ(inClusters(4, 4), 4u);
  EXPECT_EQ(inClusters(16, 4), 4u);
  EXPECT_EQ(inClusters(20, 4), 8u);
  EXPECT_EQ(inClusters(4000, 8), 16u);
}

TEST(LaunchPlan, SlotsWalkOverBlocksOfAllCores) {
  DeviceShape shape = shapeOf(4, 8);
  shape.numCores = 3;
  LaunchPlan plan = *planLaunch(bothEntries(), shape, 8, 0);
  vx::abi::LaunchDescriptor d{};
  fillDescriptor(d, plan, bothEntries(), {5, 2, 4}, {8, 1, 1}, 0);
  EXPECT_EQ(d.blocksAtOnce, 12u);
}

TEST(LaunchPlan, StacksAreAsLargeAsWhatIsKnown) {
  DeviceShape shape = shapeOf(4, 8);
  shape.stackBytes = 8192;
  KernelRecord record = bothEntries();
  EXPECT_EQ(stackBytesFor(record, shape, 8192), 8192u);
  EXPECT_EQ(stackBytesFor(record, shape, 1024), 8192u) << "no less than the device has";
  EXPECT_EQ(stackBytesFor(record, shape, 8193), 16384u);
  record.localBytes = 8192 - 64;
  EXPECT_EQ(stackBytesFor(record, shape, 8192), 8192u);
  record.localBytes += 16; // the thread's control block has no room
  EXPECT_EQ(stackBytesFor(record, shape, 8192), 16384u);
  record.localBytes = 15800;
  EXPECT_EQ(stackBytesFor(record, shape, 0), 16384u);
  record.flags |= vx::abi::kKernelOpenStack;
  EXPECT_EQ(stackBytesFor(record, shape, 0), 32768u);
  EXPECT_EQ(stackBytesFor(record, shape, 1 << 20), 1u << 20);
}
