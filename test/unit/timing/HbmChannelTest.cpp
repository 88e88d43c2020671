// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One HBM channel alone: commands to the cycle, buffers, and the order in which accesses are
// served.

#include "simulator/timing/mem/HbmChannel.h"
#include <gtest/gtest.h>
#include <map>

namespace vx::sim {
namespace {

/// A channel of 2 pseudo channels of 4 groups of 4 banks: bank b is in group b / 4, pseudo channel
/// b / 16.
struct ChannelBench {
  explicit ChannelBench(const std::string &settings = "") {
    EXPECT_TRUE(
        config.applyList("dram.pseudo_channels=2,dram.bank_groups=4,dram.banks=4,dram.burst=4,"
                         "dram.cl=7,dram.cwl=2,dram.rcd=7,dram.rp=7,dram.ras=17"));
    EXPECT_TRUE(config.applyList(settings));
    channel = std::make_unique<HbmChannel>(config, stats);
  }

  bool push(uint32_t tag, uint16_t bank, uint64_t row, bool isWrite = false, uint64_t unit = 0) {
    HbmAccess access;
    access.unit = unit ? unit : 1000 + tag;
    access.row = row;
    access.tag = tag;
    access.bank = bank;
    access.isWrite = isWrite;
    access.isAnswered = !isWrite;
    access.arrived = now;
    return channel->push(access, now);
  }
  /// Runs all cycles until cycle END, and notes when each read completes.
  void runTo(Cycle end) {
    for (; now < end; ++now)
      if (const HbmAccess *done = channel->tick(now)) {
        finished[done->tag] = now;
        order.push_back(done->tag);
      }
  }

  SimConfig config;
  MemoryStats stats;
  std::unique_ptr<HbmChannel> channel;
  Cycle now = 0;
  std::map<uint32_t, Cycle> finished;
  std::vector<uint32_t> order;
};

constexpr Cycle kHit = 7 + 4;               // read command, data
constexpr Cycle kClosedRow = 7 + kHit;      // the row is opened before
constexpr Cycle kOtherRow = 7 + kClosedRow; // and another one closed before that

TEST(HbmChannel, LatencyDependsOnTheOpenRow) {
  ChannelBench bench;
  EXPECT_TRUE(bench.push(1, 0, 5));
  bench.runTo(100);
  EXPECT_TRUE(bench.push(2, 0, 5));
  bench.runTo(200);
  EXPECT_TRUE(bench.push(3, 0, 6));
  bench.runTo(300);
  EXPECT_EQ(bench.finished[1], kClosedRow);
  EXPECT_EQ(bench.finished[2], 100 + kHit);
  EXPECT_EQ(bench.finished[3], 200 + kOtherRow);
  EXPECT_EQ(bench.stats.dramRowHits, 1u);
  EXPECT_EQ(bench.stats.dramRowMisses, 2u);
  EXPECT_EQ(bench.stats.dramBytes, 3u * bench.config.dramAccess);
  EXPECT_EQ(bench.stats.dramBusyCycles, 3u * 4);
}

TEST(HbmChannel, ARowStaysOpenForItsTime) {
  ChannelBench bench("dram.ras=40");
  bench.push(1, 0, 5);
  bench.push(2, 0, 6);
  bench.runTo(200);
  EXPECT_EQ(bench.finished[1], kClosedRow);
  EXPECT_EQ(bench.finished[2], 40 + kOtherRow); // closed 40 cycles after it was opened
}

TEST(HbmChannel, ReadsOfOneGroupAreFurtherApart) {
  ChannelBench bench("dram.burst=1,dram.ccd_s=2,dram.ccd_l=9");
  for (uint16_t bank : {0, 1, 4}) // two banks of a group, one of another
    bench.push(bank, bank, 1);
  bench.runTo(100);
  bench.push(10, 0, 1);
  bench.push(11, 1, 1);
  bench.push(12, 4, 1);
  bench.runTo(200);
  EXPECT_EQ(bench.finished[10], 100u + 7 + 1);
  EXPECT_EQ(bench.finished[12], bench.finished[10] + 2); // before the older read of the same group
  EXPECT_EQ(bench.finished[11], bench.finished[10] + 9);
}

TEST(HbmChannel, FourActivationsInAWindow) {
  ChannelBench bench("dram.faw=120");
  for (uint16_t i = 0; i < 5; ++i)
    bench.push(i, uint16_t(i % 4 * 4 + i / 4), 1); // banks of one pseudo channel
  bench.push(5, 16, 1);                            // one of the other pseudo channel
  bench.runTo(400);
  EXPECT_EQ(bench.finished[0], kClosedRow);
  EXPECT_LT(bench.finished[3], 60u);
  EXPECT_EQ(bench.finished[4], 120 + kClosedRow);
  EXPECT_LT(bench.finished[5], 60u);
}

TEST(HbmChannel, AReadOfWhatIsToBeWrittenIsAnsweredByTheWrite) {
  ChannelBench bench;
  // Reads keep the channel from turning to the write.
  bench.push(1, 0, 5);
  bench.push(2, 1, 5, true, 77);
  bench.runTo(1);
  EXPECT_TRUE(bench.push(3, 1, 5, false, 77));
  bench.runTo(3);
  EXPECT_EQ(bench.finished[3], 1u);
  bench.runTo(200);
  EXPECT_EQ(bench.stats.dramBytes, 2u * bench.config.dramAccess); // the read 1 and the write
}

/// Returns when a read completes that arrives at cycle 51 with WRITES writes of the same row, after
/// a read.
Cycle readWithWrites(uint32_t writes) {
  ChannelBench bench("dram.queue_size=10");
  bench.push(0, 0, 1);
  bench.runTo(50); // the row is open
  bench.push(1, 0, 1);
  bench.runTo(51);
  for (uint32_t i = 0; i < writes; ++i)
    bench.push(100 + i, 0, 1, true);
  bench.push(2, 0, 1);
  bench.runTo(300);
  EXPECT_EQ(bench.finished[1], 50 + kHit);
  EXPECT_EQ(bench.stats.dramBytes, (writes + 3) * bench.config.dramAccess);
  return bench.finished[2];
}

TEST(HbmChannel, WritesWaitForReadsUntilTheirBufferFills) {
  Cycle alone = readWithWrites(0);
  EXPECT_EQ(alone, 50 + 4 + kHit); // a burst after the first
  EXPECT_EQ(readWithWrites(4), alone);
  EXPECT_EQ(readWithWrites(8), alone); // 80 %
  // With more, writes go first until less than 20 % are left: 8 of them, a burst each.
  EXPECT_GE(readWithWrites(9), alone + 8 * 4);
}

TEST(HbmChannel, ABufferHasRoomForItsSizeAndOneMore) {
  ChannelBench bench("dram.queue_size=4");
  for (uint32_t i = 0; i < 5; ++i)
    EXPECT_TRUE(bench.push(i, uint16_t(i), 1));
  EXPECT_FALSE(bench.push(5, 5, 1));
  EXPECT_TRUE(bench.push(6, 6, 1, true)); // writes have a buffer of their own
  bench.runTo(5);
  EXPECT_TRUE(bench.push(5, 5, 1)); // rows are being opened for the others
  bench.runTo(300);
  EXPECT_EQ(bench.finished.size(), 6u);
}

TEST(HbmChannel, OpenRowsAreServedFirst) {
  ChannelBench bench;
  bench.push(1, 0, 5);
  bench.push(2, 0, 6); // would close the row
  bench.push(3, 0, 5);
  bench.runTo(200);
  EXPECT_EQ(bench.order, (std::vector<uint32_t>{1, 3, 2}));
}

TEST(HbmChannel, ResetClosesRowsAndDropsAccesses) {
  ChannelBench bench;
  bench.push(1, 0, 5);
  bench.runTo(100);
  bench.push(2, 0, 5);
  bench.channel->reset();
  EXPECT_EQ(bench.channel->nextEvent(), kNever);
  bench.push(3, 0, 5);
  bench.runTo(200);
  EXPECT_EQ(bench.finished.count(2), 0u);
  EXPECT_EQ(bench.finished[3], 100 + kClosedRow);
}

TEST(HbmChannel, NextEventIsWhenSomethingHappens) {
  // Leaving out the cycles in between gives the same times.
  ChannelBench all, skipping;
  for (ChannelBench *bench : {&all, &skipping})
    for (uint16_t i = 0; i < 12; ++i)
      bench->push(i, uint16_t(i * 5 % 32), i % 3, i % 4 == 3);
  all.runTo(1000);
  unsigned ticks = 0;
  for (; skipping.channel->nextEvent() != kNever; ++ticks) {
    skipping.now = std::max(skipping.now, skipping.channel->nextEvent());
    skipping.runTo(skipping.now + 1);
  }
  EXPECT_EQ(all.finished.size(), 9u);
  EXPECT_EQ(skipping.finished, all.finished);
  EXPECT_LT(ticks, 200u);
}

} // namespace
} // namespace vx::sim
