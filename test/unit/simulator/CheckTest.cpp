// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of what the checkers know of memory: states of bytes, shared memory of blocks, allocations.

#include "simulator/check/Allocations.h"
#include "simulator/check/BlockMemory.h"
#include "simulator/check/Clock.h"
#include "simulator/check/Shadow.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

constexpr uint64_t kUndefined = uint64_t(ByteState::Undefined);
constexpr uint64_t kUnallocated = uint64_t(ByteState::Unallocated);

TEST(ShadowTest, StatesAreOfSingleBytes) {
  Shadow shadow;
  EXPECT_EQ(shadow.states(0x1000, 8), 0u);
  shadow.set(0x1004, 6, ByteState::Undefined);
  EXPECT_EQ(shadow.states(0x1000, 8), 0x0101010100000000u);
  EXPECT_EQ(shadow.states(0x1008, 8), 0x0101u);
  EXPECT_EQ(shadow.states(0x100a, 2), 0u);
  shadow.define(0x1005, 2);
  EXPECT_EQ(shadow.states(0x1004, 4), 0x01000001u);
}

TEST(ShadowTest, RangesCrossPages) {
  Shadow shadow;
  shadow.set(0x0ffe, 0x2004, ByteState::Unallocated); // the end of a page, two whole ones, a start
  EXPECT_EQ(shadow.states(0x0ffc, 4), 0x02020000u);
  EXPECT_EQ(shadow.states(0x1000, 8), 0x0202020202020202u);
  EXPECT_EQ(shadow.states(0x2ff8, 8), 0x0202020202020202u);
  EXPECT_EQ(shadow.states(0x3000, 4), 0x0202u);
  shadow.set(0x1000, 0x1000, ByteState::Usable);
  EXPECT_EQ(shadow.states(0x1ff8, 8), 0u);
  EXPECT_EQ(shadow.states(0x2000, 1), kUnallocated);
}

TEST(ShadowTest, OnlyTheUndefinedIsDefined) {
  Shadow shadow;
  shadow.set(0x1000, 0x1000, ByteState::Undefined);
  shadow.define(0x1008, 4);
  EXPECT_EQ(shadow.states(0x1008, 8), 0x0101010100000000u);
  EXPECT_EQ(shadow.states(0x1ffc, 4), 0x01010101u);
  shadow.set(0x1000, 0x1000, ByteState::Freed);
  shadow.define(0x1008, 4);
  EXPECT_EQ(shadow.states(0x1008, 1), uint64_t(ByteState::Freed));
}

/// A page that is looked up before it exists is found afterwards.
TEST(ShadowTest, NewPagesAreSeen) {
  Shadow shadow;
  for (uint64_t page = 0; page < 3000; ++page) { // more than are kept at hand
    EXPECT_EQ(shadow.states(page << 12, 1), 0u);
    shadow.set(page << 12, 1, ByteState::Undefined);
    EXPECT_EQ(shadow.states(page << 12, 1), kUndefined);
  }
  EXPECT_EQ(shadow.states(0, 2), kUndefined);
}

abi::LaunchDescriptor launchOf(uint64_t base, uint64_t coreStride) {
  abi::LaunchDescriptor launch{};
  launch.sharedBase = base;
  launch.sharedStride = 256;
  launch.sharedCoreStride = coreStride;
  launch.blocksPerCore = 2;
  launch.blocksAtOnce = 4;
  launch.dynSharedOffset = 64;
  launch.dynSharedBytes = 100;
  return launch;
}

TEST(BlockMemoryTest, SlotsHaveOneBlockAfterTheOther) {
  BlockMemory memory;
  memory.start(launchOf(0x8000, 0), 32, 2, nullptr, 0);
  EXPECT_EQ(memory.places(), 4u);
  EXPECT_EQ(memory.enter(3), 3u); // slot 1 of core 1
  EXPECT_EQ(memory.enter(3), std::nullopt);
  EXPECT_EQ(memory.coreOf(3), 1u);
  EXPECT_EQ(memory.addressOf(3), 0x8100u);
  EXPECT_EQ(memory.ownerOf(1, 0x8100), 3u);
  EXPECT_EQ(memory.ownerOf(1, 0x81ff), 3u);
  EXPECT_EQ(memory.ownerOf(0, 0x8100), BlockMemory::kNobody);
  EXPECT_EQ(memory.ownerOf(1, 0x8200), std::nullopt);
  EXPECT_EQ(memory.ownerOf(1, 0x7fff), std::nullopt);
  EXPECT_EQ(memory.enter(7), 3u);
  EXPECT_EQ(memory.ownerOf(1, 0x8100), 7u);
}

TEST(BlockMemoryTest, InGlobalMemoryTheAddressSaysTheCore) {
  BlockMemory memory;
  memory.start(launchOf(0x8000, 512), 0, 2, nullptr, 0);
  EXPECT_TRUE(memory.isGlobal());
  EXPECT_EQ(memory.enter(2), 2u); // slot 0 of core 1
  EXPECT_EQ(memory.addressOf(2), 0x8200u);
  EXPECT_EQ(memory.ownerOf(0, 0x8210), 2u);
  EXPECT_EQ(memory.ownerOf(1, 0x8000), BlockMemory::kNobody);
  EXPECT_EQ(memory.ownerOf(0, 0x8400), std::nullopt);
}

TEST(BlockMemoryTest, BlocksOfAClusterReachEachOther) {
  abi::LaunchDescriptor launch = launchOf(0x8000, 0);
  launch.gridDim[0] = 4;
  launch.gridDim[1] = 4;
  launch.gridDim[2] = 1;
  // Clusters of one block in x and two in y: 0 and 4, 1 and 5, and so on.
  abi::ClusterState clusters{.dim = {1, 2, 1}, .blocks = 2, .gridDim = {4, 2, 1}, .groups = 2};
  BlockMemory memory;
  memory.start(launch, 0, 2, nullptr, 0, clusters);
  EXPECT_EQ(memory.enter(0), 0u);
  EXPECT_EQ(memory.enter(4), 1u);
  EXPECT_EQ(memory.enter(1), 2u);
  EXPECT_EQ(memory.enter(5), 3u);
  EXPECT_EQ(memory.ownerOf(0, 0x8100), 4u);
  EXPECT_TRUE(memory.reaches(0, 4));
  EXPECT_FALSE(memory.reaches(0, 1));
  EXPECT_TRUE(memory.reaches(0, BlockMemory::kNobody)); // one of the cluster that has not begun
  EXPECT_EQ(memory.enter(6), 1u);                       // of the third cluster
  EXPECT_FALSE(memory.reaches(0, 6));
}

TEST(BlockMemoryTest, StatesFollowTheLayout) {
  BlockMemory memory;
  memory.start(launchOf(0x8000, 0), 32, 1, nullptr, 0);
  Shadow shadow;
  memory.setStates(shadow, 0x8000, ByteState::Undefined, ByteState::Unallocated);
  EXPECT_EQ(shadow.states(0x8000, 1), kUndefined);
  EXPECT_EQ(shadow.states(0x8000 + 163, 1), kUndefined);
  EXPECT_EQ(shadow.states(0x8000 + 164, 1), kUnallocated);
  EXPECT_EQ(shadow.states(0x8000 + 223, 1), kUnallocated);
  EXPECT_EQ(shadow.states(0x8000 + 224, 1), 0u); // the compiler's
  EXPECT_EQ(memory.describe(0x8000 + 164),
            "0 bytes past the end of the dynamic shared memory, 100 bytes");
  EXPECT_EQ(memory.describe(0x8100 + 63), "63 bytes into the block's shared memory, 64 bytes");
}

Region regionAt(uint64_t address, uint64_t size) {
  Region region;
  region.address = address;
  region.size = size;
  region.what = "memory";
  return region;
}

TEST(AllocationsTest, NearestIsDescribed) {
  Allocations all;
  all.add(regionAt(0x10000, 100));
  all.add(regionAt(0x20000, 64));
  auto first = [&](uint64_t address, uint64_t size) {
    std::vector<std::string> lines = all.describe(address, size);
    return lines.empty() ? std::string() : lines.front();
  };
  EXPECT_EQ(first(0x10064, 4), "0 bytes past the end of memory, 100 bytes at 0x10000");
  EXPECT_EQ(first(0x1ffff, 1), "1 byte before memory, 64 bytes at 0x20000");
  EXPECT_EQ(first(0x10062, 4), "2 bytes of it are past the end of memory, 100 bytes at 0x10000");
  EXPECT_EQ(first(0x4000000, 4), "");
  EXPECT_TRUE(all.isNear(0x10064, 1));
  EXPECT_FALSE(all.isNear(0x10065, 1));
}

TEST(AllocationsTest, FreedOnesAreKnownUntilTheirPlaceIsTaken) {
  Allocations all;
  all.add(regionAt(0x10000, 100));
  EXPECT_EQ(all.free(0x10004, nullptr, ""), nullptr);
  ASSERT_NE(all.free(0x10000, nullptr, "by a test"), nullptr);
  EXPECT_EQ(all.free(0x10000, nullptr, ""), nullptr);
  ASSERT_NE(all.at(0x10000), nullptr);
  EXPECT_TRUE(all.at(0x10000)->isFreed);
  std::vector<std::string> lines = all.describe(0x10010, 4);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "16 bytes into memory, 100 bytes at 0x10000, which has been freed");
  EXPECT_EQ(lines[1], "freed by a test");
  all.add(regionAt(0x10020, 16));
  EXPECT_EQ(all.at(0x10000), nullptr);
}

TEST(ClockTest, KnowsThreadsGroupsBlocksAndTheGrid) {
  Clock clock;
  clock.knowThread(threadId(3, 5), 7);
  clock.knowBlock(4, 2);
  clock.knowGroup(5, 70, 64, 9); // threads 64 to 127
  EXPECT_TRUE(clock.knows(threadId(3, 5), 6));
  EXPECT_FALSE(clock.knows(threadId(3, 5), 7));
  EXPECT_FALSE(clock.knows(threadId(3, 6), 1));
  EXPECT_TRUE(clock.knows(threadId(4, 1023), 1));
  EXPECT_FALSE(clock.knows(threadId(4, 0), 2));
  EXPECT_TRUE(clock.knows(threadId(5, 64), 8));
  EXPECT_TRUE(clock.knows(threadId(5, 127), 8));
  EXPECT_FALSE(clock.knows(threadId(5, 63), 1));
  EXPECT_FALSE(clock.knows(threadId(5, 128), 1));
  clock.knowGrid(3);
  EXPECT_TRUE(clock.knows(threadId(1 << 20, 0), 2));
}

TEST(ClockTest, AJoinKnowsWhatEitherKnows) {
  auto make = [](auto tell) {
    auto clock = std::make_shared<Clock>();
    tell(*clock);
    return ClockRef(clock);
  };
  ClockRef a = make([](Clock &c) { c.knowThread(threadId(0, 1), 4), c.knowBlock(2, 8); });
  ClockRef b =
      make([](Clock &c) { c.knowThread(threadId(0, 1), 6), c.knowThread(threadId(0, 2), 3); });
  ClockRef both = Clock::join(a, b);
  EXPECT_TRUE(both->knows(threadId(0, 1), 5));
  EXPECT_TRUE(both->knows(threadId(0, 2), 2));
  EXPECT_TRUE(both->knows(threadId(2, 9), 7));
  EXPECT_EQ(Clock::join(both, a), both); // nothing new: no clock is made
  EXPECT_EQ(Clock::join(nullptr, a), a);
  EXPECT_EQ(Clock::join(a, nullptr), a);
  ClockRef grid = make([](Clock &c) { c.knowGrid(5); });
  ClockRef all = Clock::join(both, grid);
  EXPECT_TRUE(all->knows(threadId(7, 7), 4));
  EXPECT_TRUE(all->knows(threadId(2, 9), 7)); // more than of the grid
}

} // namespace
} // namespace vx::sim
