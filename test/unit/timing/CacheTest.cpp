// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// I$, D$, L2 and their wiring, seen from the cores.

#include "MemoryProbe.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

TEST(Cache, TakesNothingWhileItInitialises) {
  // A fetch reaches the I$ in cycle 64 at the earliest (one per set), misses two cycles later and
  // comes back after a DRAM access to a closed row.
  MemoryProbe probe;
  probe.fetch(1, 0x80000000, 0);
  EXPECT_FROM_CYCLE(probe, probe.fetched(1) != kNever, 95u);
  MemoryProbe smaller("icache.size=8192");
  smaller.fetch(1, 0x80000000, 0);
  EXPECT_FROM_CYCLE(smaller, smaller.fetched(1) != kNever, 95u - 32u);
}

TEST(Cache, KeepsItsLinesFromRunToRun) {
  MemoryProbe probe;
  probe.warm({0x10000});
  probe.store({0x20000}, probe.now); // still on its way when the run ends
  probe.run(probe.now + 3);
  uint64_t misses = probe.stats().dcacheReadMisses, writes = probe.stats().dramWrites;
  probe.restart();
  probe.load(1, {0x10000}, 0); // initialisation takes 64 cycles again
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 70u);
  EXPECT_EQ(probe.stats().dcacheReadMisses, misses);
  EXPECT_EQ(probe.stats().dramWrites, writes + 1);
  probe.load(2, {0x10200}, 300); // the row is still open
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, 300u + 31);
  probe.memory->reset();
  probe.now = 0;
  probe.load(3, {0x10000}, 100); // nothing is: 38, as for the first load
  EXPECT_FROM_CYCLE(probe, probe.loaded(3) != kNever, 100u + 38);
}

TEST(Cache, WithoutCachesAnAnswerWakesItsCore) {
  for (const char *cores : {"1", "2"}) {
    MemoryProbe probe(std::string("dcache.enabled=false,icache.enabled=false,num_cores=") + cores);
    probe.fetch(1, 0x80000000, 0);
    probe.load(2, {0x20000}, 200);
    probe.run(1000, true);
    EXPECT_LT(probe.fetched(1), 100u) << cores;
    EXPECT_LT(probe.loaded(2), 300u) << cores;
  }
}

TEST(Cache, FetchHit) {
  MemoryProbe probe;
  probe.fetch(1, 0x80000000, 0);
  probe.fetch(2, 0x80000004, 200);
  probe.fetch(3, 0x80000040, 300); // the next line
  EXPECT_FROM_CYCLE(probe, probe.fetched(2) != kNever, 205u);
  EXPECT_FROM_CYCLE(probe, probe.fetched(3) != kNever, 205u + 100 + 21);
  EXPECT_EQ(probe.stats().icacheReads, 3u);
  EXPECT_EQ(probe.stats().icacheReadMisses, 2u);
}

TEST(Cache, LoadHitAndMisses) {
  MemoryProbe probe;
  probe.warm({0x10000});
  Cycle start = probe.now + 100;
  probe.load(1, {0x10000}, start);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 10);
  probe.load(2, {0x10200}, start + 100); // row open
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, start + 100 + 31);
  probe.load(3, {0x10000 + 64 * 64}, start + 200); // another pseudo channel, nothing open
  EXPECT_FROM_CYCLE(probe, probe.loaded(3) != kNever, start + 200 + 38);
  probe.load(4, {0x10000 + 64 * 2048}, start + 300); // another row of the first bank
  EXPECT_FROM_CYCLE(probe, probe.loaded(4) != kNever, start + 300 + 45);
}

TEST(Cache, MissesOfOneLineAskOnce) {
  MemoryProbe probe;
  probe.warm({0x10000});
  Cycle start = probe.now + 100;
  uint64_t before = probe.stats().dramReads;
  probe.load(1, {0x10200}, start);
  probe.load(2, {0x10208}, start + 1);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 31);
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, start + 32); // replayed in the next cycle
  EXPECT_EQ(probe.stats().dramReads - before, 1u);
  EXPECT_EQ(probe.stats().dcacheMshrMerges, 1u);
}

TEST(Cache, StoresGoThroughAndDoNotAllocate) {
  MemoryProbe probe;
  probe.store({0x10000}, 100);
  probe.run(300);
  EXPECT_EQ(probe.stats().dcacheWriteMisses, 1u);
  EXPECT_EQ(probe.stats().dramWrites, 1u);
  probe.load(1, {0x10000}, 300);
  probe.run(400);
  EXPECT_EQ(probe.stats().dcacheReadMisses, 1u);
  probe.store({0x10000}, 400);
  probe.run(500);
  EXPECT_EQ(probe.stats().dcacheWriteMisses, 1u); // now a hit, and written all the same
  EXPECT_EQ(probe.stats().dramWrites, 2u);
}

TEST(Cache, IoGoesPastTheBanks) {
  MemoryProbe probe;
  probe.load(1, {0x100}, 100); // two cycles less each way than a miss
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, 100u + 38 - 4);
  probe.load(2, {0x100}, 200); // not kept
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, 200u + 31 - 4);
  probe.store({0x80}, 300);
  probe.run(400);
  EXPECT_EQ(probe.stats().dramWrites, 1u);
  EXPECT_EQ(probe.stats().dcacheWrites, 0u);
  probe.load(3, {0xffc0}, 500);
  probe.run(700);
  EXPECT_EQ(probe.stats().dcacheReads, 0u);
  probe.load(4, {0x10000}, 700); // the first address after them
  probe.run(900);
  EXPECT_EQ(probe.stats().dcacheReads, 1u);
}

TEST(Cache, IoWaitsForCyclesInWhichNoBankSends) {
  // A store leaves the bank two cycles later than it would if it went past it.
  for (Cycle gap : {1u, 2u, 3u}) {
    MemoryProbe probe("dram.model=fixed,dram.interval=1");
    probe.load(1, {0x100}, 100);
    probe.store({0x10040}, 200 - gap);
    probe.load(2, {0x100}, 200);
    probe.run(300);
    EXPECT_EQ(probe.loaded(2) - 200, probe.loaded(1) - 100 + (gap == 2)) << gap;
  }
}

TEST(Cache, BankConflictsCostACycle) {
  // Two channels; lines 0x10000 and 0x10080 are in one bank, 0x10040 in the other.
  MemoryProbe probe("core.num_threads=16");
  probe.warm({0x10000, 0x10040, 0x10080});
  auto twoLines = [&](uint64_t first, uint64_t second) {
    std::vector<uint64_t> addresses(16, first);
    std::fill(addresses.begin() + 8, addresses.end(), second);
    return addresses;
  };
  Cycle start = probe.now + 100;
  probe.load(1, twoLines(0x10000, 0x10040), start);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 12);
  EXPECT_EQ(probe.stats().dcacheBankConflicts, 0u);
  probe.load(2, twoLines(0x10000, 0x10080), start + 100);
  EXPECT_FROM_CYCLE(probe, probe.loaded(2) != kNever, start + 100 + 13);
  EXPECT_EQ(probe.stats().dcacheBankConflicts, 1u);
  probe.load(3, twoLines(0x10000, 0x10000), start + 200); // not even for the same line
  EXPECT_FROM_CYCLE(probe, probe.loaded(3) != kNever, start + 200 + 13);
}

TEST(Cache, PortsGoOnWhereThePortBeforeHasBeen) {
  // Four channels and banks, two ports; a line in each bank, with 1, 2, 3 and 4 lanes.
  MemoryProbe probe("core.num_threads=32");
  std::vector<uint64_t> addresses(32, LsuRequest::kNoAddress);
  for (uint32_t channel = 0; channel != 4; ++channel)
    for (uint32_t lane = 0; lane <= channel; ++lane)
      addresses[channel * 8 + lane] = 0x10000 + 64 * channel;
  probe.load(1, addresses, 100);
  std::vector<uint32_t> order;
  for (Cycle end = 101; end != 300; ++end) {
    const Channel<LsuResponse> &answers = probe.memory->link(0).lsuResponses;
    if (answers.ready(probe.now))
      order.push_back(answers.front().slots);
    probe.run(end);
  }
  // Port 0 begins with the second of its banks (1), port 1 continues with the first of its (2).
  EXPECT_EQ(order, (std::vector<uint32_t>{3, 2, 1, 4}));
}

TEST(Cache, VirtualPortsTakeOneLineForSeveralInputs) {
  MemoryProbe probe("core.num_threads=16,dcache.ports=2");
  probe.warm({0x10000, 0x10080});
  Cycle start = probe.now + 100;
  uint64_t conflicts = probe.stats().dcacheBankConflicts;
  probe.load(1, std::vector<uint64_t>(16, 0x10000), start);
  EXPECT_FROM_CYCLE(probe, probe.loaded(1) != kNever, start + 13); // two answers of one bank
  EXPECT_EQ(probe.stats().dcacheBankConflicts, conflicts);
  std::vector<uint64_t> other(16, 0x10000);
  std::fill(other.begin() + 8, other.end(), 0x10080);
  probe.load(2, other, start + 100); // different lines still conflict
  probe.run(start + 200);
  EXPECT_EQ(probe.stats().dcacheBankConflicts, conflicts + 1);
}

TEST(Cache, TheFirstGrantAtTheMemoryPortGoesToTheDcache) {
  // A fetch and a load that miss in the same cycle: the arbiter's index 1, the D$, goes first.
  MemoryProbe probe;
  probe.fetch(1, 0x80000000, 100);      // looked up in 104
  probe.load(1, {0x80000000 + 64}, 98); // looked up in 104
  probe.run(200);
  EXPECT_EQ(probe.loaded(1), 98u + 38u);
  EXPECT_GT(probe.fetched(1), 105u + 28u);
}

TEST(Cache, CoresOfASocketTakeTurns) {
  MemoryProbe probe("num_cores=2");
  probe.fetch(1, 0x80000000, 0, 0);
  probe.run(200);
  probe.fetch(2, 0x80000000, 200, 0);
  probe.fetch(3, 0x80000000, 200, 1);
  // Three cycles more than for a single core: an arbiter there, and two cycles back. Core 0 was
  // served last.
  EXPECT_FROM_CYCLE(probe, probe.fetched(3) != kNever, 208u);
  EXPECT_FROM_CYCLE(probe, probe.fetched(2) != kNever, 209u);
}

TEST(Cache, L2AnswersWhatDcachesLost) {
  MemoryProbe probe("l2.enabled=true,dcache.size=256,dcache.ways=4");
  probe.run(3000);                                           // L2 initialisation
  probe.warm({0x10000, 0x20000, 0x30000, 0x40000, 0x50000}); // one set of four ways
  uint64_t reads = probe.stats().dramReads;
  std::vector<Cycle> times;
  for (uint32_t i = 0; i != 5; ++i) {
    Cycle start = probe.now;
    probe.load(i, {0x10000 + i * 0x10000}, start);
    probe.run(start + 100);
    times.push_back(probe.loaded(i) - start);
  }
  EXPECT_EQ(probe.stats().dramReads, reads);
  EXPECT_EQ(*std::min_element(times.begin(), times.end()), 10u);
  EXPECT_LT(*std::max_element(times.begin(), times.end()), 31u) << "slower than DRAM";
  EXPECT_GT(*std::max_element(times.begin(), times.end()), 10u) << "nothing left the D$";
  EXPECT_GT(probe.stats().l2Reads, probe.stats().l2ReadMisses);
}

TEST(Cache, WriteBackKeepsStoresFromDram) {
  MemoryProbe probe("dcache.write=back");
  for (unsigned i = 0; i != 10; ++i)
    probe.store({0x10000 + i * 4}, 100 + i);
  probe.run(500);
  EXPECT_EQ(probe.stats().dramWrites, 0u);
  EXPECT_EQ(probe.stats().dramReads, 1u);
}

TEST(Cache, WithoutCachesEverythingGoesToDram) {
  MemoryProbe probe("dcache.enabled=false,icache.enabled=false");
  for (uint32_t i = 0; i != 3; ++i) {
    probe.load(i, {0x10000}, 100 * i);
    probe.fetch(i, 0x80000000, 100 * i);
  }
  probe.run(500);
  EXPECT_EQ(probe.stats().dramReads, 6u);
  EXPECT_NE(probe.loaded(2), kNever);
  EXPECT_NE(probe.fetched(2), kNever);
}

} // namespace
} // namespace vx::sim
