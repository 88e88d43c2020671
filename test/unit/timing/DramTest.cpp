// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DRAM models alone: latencies, bandwidth, scheduling.

#include "simulator/timing/mem/Dram.h"
#include <gtest/gtest.h>
#include <map>

namespace vx::sim {
namespace {

struct DramBench final : DramClient {
  explicit DramBench(const std::string &settings = "") {
    EXPECT_TRUE(config.applyList("run.mode=timing"));
    EXPECT_TRUE(config.applyList(settings));
    dram = Dram::create(config, *this, stats);
    dram->reset();
  }
  void dramResponse(uint32_t tag, Cycle at) override { answered[tag] = at; }
  void dramWritten() override { ++written; }
  void read(uint64_t address, uint32_t tag, Cycle due) { dram->push({address, tag, false}, due); }
  void write(uint64_t address, Cycle due) { dram->push({address, 0, true}, due); }
  /// Runs until nothing is left to do; returns the last cycle with something to do.
  Cycle drain() {
    Cycle last = now;
    while (now != kNever) {
      last = now;
      dram->tick(now);
      now = dram->nextEvent(now);
    }
    return last;
  }

  SimConfig config;
  MemoryStats stats;
  std::unique_ptr<Dram> dram;
  std::map<uint32_t, Cycle> answered;
  unsigned written = 0;
  Cycle now = 0;
};

TEST(HbmDram, LatencyByRowState) {
  DramBench bench;
  bench.read(0, 1, 100);         // closed row: opened, then read
  bench.read(8 * 64, 2, 200);    // open row
  bench.read(2048 * 64, 3, 300); // another row of the bank
  bench.drain();
  EXPECT_EQ(bench.answered[1], 100u + 7 + 11);
  EXPECT_EQ(bench.answered[2], 200u + 11);
  EXPECT_EQ(bench.answered[3], 300u + 7 + 7 + 11);
}

TEST(HbmDram, TimingsAreKnobs) {
  DramBench bench("dram.rcd=9,dram.cl=8,dram.rp=5,dram.burst=4");
  bench.read(0, 1, 100);
  bench.read(2048 * 64, 3, 300);
  bench.drain();
  EXPECT_EQ(bench.answered[1], 100u + 9 + 12);
  EXPECT_EQ(bench.answered[3], 300u + 5 + 9 + 12);
}

/// Cycles per block of a long run over BLOCKS neighbouring blocks, again and again.
double cyclesPerBlock(DramBench &bench, unsigned blocks, bool isWrite) {
  constexpr unsigned kBlocks = 1000;
  for (unsigned i = 0; i != kBlocks; ++i) {
    uint64_t address = uint64_t(i % blocks) * 64;
    if (isWrite)
      bench.write(address, 0);
    else
      bench.read(address, i, 0);
  }
  return double(bench.drain()) / kBlocks;
}

TEST(HbmDram, ReadBandwidth) {
  // A block is two accesses of each channel, four cycles of a data bus each.
  DramBench bench;
  EXPECT_NEAR(cyclesPerBlock(bench, 32, false), 8.0, 0.1);
  EXPECT_EQ(bench.stats.dramReads, 1000u);
  EXPECT_EQ(bench.stats.dramBytes, 64000u);
  EXPECT_EQ(bench.stats.dramBusyCycles, 16000u);
  EXPECT_EQ(bench.answered.size(), 1000u);
}

TEST(HbmDram, WriteBandwidth) {
  DramBench bench;
  EXPECT_NEAR(cyclesPerBlock(bench, 32, true), 8.0, 0.1);
  EXPECT_EQ(bench.stats.dramWrites, 1000u);
  EXPECT_EQ(bench.written, 1000u);
}

TEST(HbmDram, AStreamUsesTheNextPseudoChannelAheadOfTime) {
  DramBench bench;
  double stream = cyclesPerBlock(bench, 1000, false);
  EXPECT_LT(stream, 7.0);
  EXPECT_GT(stream, 4.0);
}

TEST(HbmDram, BothPseudoChannelsDoubleIt) {
  // Blocks at a distance of 64 lie in different pseudo channels.
  DramBench bench;
  constexpr unsigned kBlocks = 1000;
  for (unsigned i = 0; i != kBlocks; ++i)
    bench.read((i / 2 + (i % 2) * 64) % 128 * 64, i, 0);
  EXPECT_NEAR(double(bench.drain()) / kBlocks, 4.0, 0.3);
}

TEST(HbmDram, OpenRowsGoFirst) {
  // The row of the first read must stay open for 17 cycles; the third uses it before the second
  // may close it.
  DramBench bench;
  bench.read(0, 1, 100);
  bench.read(2048 * 64, 2, 100);
  bench.read(8 * 64, 3, 100);
  bench.drain();
  EXPECT_EQ(bench.answered[1], 118u);
  EXPECT_LT(bench.answered[3], bench.answered[2]);
  // When nothing stands against closing it, the older read goes first.
  DramBench idle;
  idle.read(0, 1, 100);
  idle.read(2048 * 64, 2, 200);
  idle.read(8 * 64, 3, 200);
  idle.drain();
  EXPECT_GT(idle.answered[3], idle.answered[2]);
}

TEST(HbmDram, ReadsAreAnsweredByWaitingWrites) {
  DramBench bench;
  for (unsigned i = 0; i != 8; ++i)
    bench.write(i * 8 * 64, 100);
  bench.read(7 * 8 * 64, 1, 100); // enters after a write of the same block that still waits
  bench.drain();
  EXPECT_EQ(bench.answered.size(), 1u);
  EXPECT_LT(bench.stats.dramBytes, 9u * 64u) << "the read went to the data bus";
}

TEST(HbmDram, WithoutOverlapAStreamMovesOnFourTimesAsFast) {
  DramBench overlapping, separate("dram.overlap=false");
  cyclesPerBlock(overlapping, 1000, false);
  cyclesPerBlock(separate, 1000, false);
  EXPECT_LT(overlapping.stats.dramRowMisses * 2, separate.stats.dramRowMisses);
}

TEST(FixedDram, LatencyAndInterval) {
  DramBench bench("dram.model=fixed,dram.latency=50,dram.interval=10");
  bench.read(0, 1, 100);
  bench.read(128, 2, 100); // the same channel
  bench.read(64, 3, 100);  // the other one
  bench.write(0, 200);
  bench.read(0, 4, 200);
  bench.drain();
  EXPECT_EQ(bench.answered[1], 150u);
  EXPECT_EQ(bench.answered[2], 160u);
  EXPECT_EQ(bench.answered[3], 150u);
  EXPECT_EQ(bench.answered[4], 260u);
  EXPECT_EQ(bench.stats.dramBytes, 5u * 64u);
}

} // namespace
} // namespace vx::sim
