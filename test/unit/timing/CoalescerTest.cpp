// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how lanes become line requests, seen from the LSU.

#include "MemoryProbe.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

std::vector<uint64_t> lanes(unsigned count, uint64_t base, uint64_t stride) {
  std::vector<uint64_t> addresses;
  for (unsigned i = 0; i != count; ++i)
    addresses.push_back(base + i * stride);
  return addresses;
}

TEST(Coalescer, ALineOfLanesIsOneRequest) {
  MemoryProbe probe;
  probe.warm({0x10000});
  uint64_t before = probe.stats().dcacheReads;
  probe.load(1, lanes(8, 0x10000, 8), 500);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 510u);
  EXPECT_EQ(probe.stats().dcacheReads - before, 1u);
}

TEST(Coalescer, OneLinePerCycleAndChannel) {
  MemoryProbe probe;
  probe.warm(lanes(8, 0x10000, 64));
  Cycle start = probe.now + 100;
  probe.load(1, lanes(8, 0x10000, 64), start);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 10 + 7);
}

TEST(Coalescer, LanesInAnyOrderShareALine) {
  MemoryProbe probe;
  probe.warm({0x10000, 0x10040});
  Cycle start = probe.now + 100;
  uint64_t before = probe.stats().coalescerLines;
  probe.load(1, {0x10000, 0x10040, 0x10008, 0x10048, 0x10010, 0x10050, 0x10000, 0x10040}, start);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 11);
  EXPECT_EQ(probe.stats().coalescerLines - before, 2u);
}

TEST(Coalescer, FourLanesHaveLinesOf32Bytes) {
  MemoryProbe probe("core.num_threads=4");
  probe.warm({0x10000});
  Cycle start = probe.now + 100;
  uint64_t before = probe.stats().coalescerLines;
  probe.load(1, lanes(4, 0x10000, 16), start); // one line of the D$
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 11);
  EXPECT_EQ(probe.stats().coalescerLines - before, 2u);
}

TEST(Coalescer, ChannelsWorkSideBySide) {
  // 16 lanes: two channels, two banks. Lanes 0-7 and 8-15 want a line each, of different banks.
  MemoryProbe probe("core.num_threads=16");
  probe.warm({0x10000, 0x10040});
  Cycle start = probe.now + 100;
  probe.load(1, lanes(16, 0x10000, 8), start);
  // Two cycles more than with one channel: the crossbar there and back.
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 12);
  // Eight lanes in the middle need both channels, and both lines.
  uint64_t before = probe.stats().coalescerLines;
  start = probe.now + 100;
  std::vector<uint64_t> middle = lanes(16, 0x10000, 8);
  for (unsigned i = 0; i != 4; ++i)
    middle[i] = middle[12 + i] = LsuRequest::kNoAddress;
  probe.load(2, middle, start);
  probe.run(start + 50);
  EXPECT_EQ(probe.stats().coalescerLines - before, 2u);
}

TEST(Coalescer, AFullTableHoldsUpStoresToo) {
  MemoryProbe probe("coalescer.queue_size=1");
  probe.warm({0x10000, 0x10040});
  Cycle start = probe.now + 100;
  probe.load(1, {0x10000}, start);
  probe.load(2, {0x10040}, start + 1);
  probe.store({0x10000}, start + 2);
  // The first answer frees the entry two cycles before the LSU sees it; lines take eight cycles
  // from the coalescer to the LSU.
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 10);
  EXPECT_EQ(probe.stats().dcacheWrites, 0u);
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, start + 16);
  EXPECT_GT(probe.stats().coalescerStalls, 0u);
  probe.run(start + 40);
  EXPECT_EQ(probe.stats().dcacheWrites, 1u);
}

TEST(Coalescer, WithoutMergingEveryLaneHasACycle) {
  MemoryProbe probe("coalescer.merge=false");
  probe.warm({0x10000});
  Cycle start = probe.now + 100;
  probe.load(1, lanes(8, 0x10000, 0), start); // one word
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 10 + 7);
}

TEST(Coalescer, TooManyStoresUnderWayStopTheLsu) {
  MemoryProbe probe("lsu.store_backlog=64");
  for (unsigned i = 0; i != 7; ++i)
    probe.store(lanes(8, 0x10000, 64), 100 + i);
  probe.run(110);
  EXPECT_FALSE(probe.memory->link(0).storesFull); // 56 lines at most
  for (unsigned i = 0; i != 4; ++i)
    probe.store(lanes(8, 0x10000, 64), 110 + i);
  probe.run(120);
  EXPECT_TRUE(probe.memory->link(0).storesFull);
  probe.run(2000); // until DRAM has taken them
  EXPECT_FALSE(probe.memory->link(0).storesFull);
  EXPECT_EQ(probe.stats().dramWrites, 88u);
}

TEST(Coalescer, EfficiencyIsLanesPerLine) {
  MemoryProbe probe;
  probe.store(lanes(8, 0x10000, 4), 100);
  probe.store(lanes(8, 0x20000, 64), 110);
  probe.run(200);
  EXPECT_EQ(probe.stats().coalescerLanes, 16u);
  EXPECT_EQ(probe.stats().coalescerLines, 9u);
}

} // namespace
} // namespace vx::sim
