// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cache bank, whose surroundings are the test.

#include "simulator/timing/mem/CacheBank.h"
#include <gtest/gtest.h>
#include <map>

namespace vx::sim {
namespace {

struct Bank final : CacheBank::Outputs {
  struct Access {
    uint64_t line;
    uint32_t entry;
    bool isWrite;
    Cycle at;
  };

  explicit Bank(CacheGeometry geometry = small())
      : counters(stats), bank(geometry, 0, *this, counters.dcache) {}

  static CacheGeometry small() {
    CacheGeometry geometry;
    geometry.size = 4 * 64; // one set of four ways
    geometry.ways = 4;
    geometry.line = 64;
    geometry.mshr = 4;
    return geometry;
  }

  void bankResponse(uint32_t, const BankRequest &request, Cycle at) override {
    answered[request.targets[0].tag] = at;
  }
  void bankMemory(uint32_t, uint64_t line, uint32_t entry, bool isWrite, Cycle at) override {
    memory.push_back({line, entry, isWrite, at});
  }

  void read(uint64_t line, uint32_t tag, Cycle due) { push(line, tag, false, due); }
  void write(uint64_t line, Cycle due) { push(line, 0, true, due); }
  void push(uint64_t line, uint32_t tag, bool isWrite, Cycle due) {
    BankRequest request;
    request.line = line;
    request.isWrite = isWrite;
    request.count = 1;
    request.targets[0] = {tag, 0};
    bank.requests.push(request, due);
  }
  void run(Cycle end) {
    for (; now != end; ++now)
      bank.tick(now);
  }
  /// Puts a line into the bank.
  void fill(uint64_t line) {
    read(line, 1000, now);
    run(now + 4);
    bank.fills.push(memory.back().entry, now);
    run(now + 4);
  }

  MemoryStats stats;
  MemoryCounters counters;
  CacheBank bank;
  std::map<uint32_t, Cycle> answered;
  std::vector<Access> memory;
  Cycle now = 0;
};

TEST(CacheBank, WarmedLinesAreThereAndNotCounted) {
  Bank bank;
  EXPECT_FALSE(bank.bank.warm(7, false));
  EXPECT_TRUE(bank.bank.warm(7, false));
  EXPECT_TRUE(bank.bank.warm(7, true));
  EXPECT_FALSE(bank.bank.warm(9, true)); // written through: no line is made
  EXPECT_FALSE(bank.bank.warm(9, false));
  EXPECT_EQ(bank.stats.dcacheReads, 0u);
  EXPECT_TRUE(bank.memory.empty());
  bank.read(7, 1, 20);
  bank.run(24);
  EXPECT_TRUE(bank.answered.count(1));
  for (uint64_t line : {1, 2, 3, 4})
    bank.bank.warm(line, false);
  EXPECT_FALSE(bank.bank.warm(9, false)); // four ways: two of the six lines have made room
}

TEST(CacheBank, AHitIsAnsweredAfterTheLatency) {
  Bank bank;
  bank.fill(7);
  bank.read(7, 1, 20);
  bank.run(21);
  EXPECT_FALSE(bank.answered.count(1));
  bank.run(22);
  EXPECT_EQ(bank.answered[1], 21u);
}

TEST(CacheBank, LatencyIsAKnob) {
  CacheGeometry geometry = Bank::small();
  geometry.latency = 5;
  Bank bank(geometry);
  bank.read(7, 1, 20);
  bank.run(24);
  EXPECT_TRUE(bank.memory.empty());
  bank.run(25);
  ASSERT_EQ(bank.memory.size(), 1u);
  EXPECT_EQ(bank.memory[0].at, 24u);
}

TEST(CacheBank, ReplaysGoBeforeFillsAndFillsBeforeRequests) {
  Bank bank;
  bank.fill(9);
  bank.read(1, 1, 20);
  bank.read(1, 2, 21); // joins
  bank.read(2, 3, 22);
  bank.run(30);
  ASSERT_EQ(bank.memory.size(), 3u) << "one fill for line 9, one for 1, one for 2";
  bank.bank.fills.push(bank.memory[1].entry, 40);
  bank.bank.fills.push(bank.memory[2].entry, 40);
  bank.read(9, 4, 40); // would hit
  bank.run(60);
  EXPECT_EQ(bank.answered[1], 41u); // with the fill
  EXPECT_EQ(bank.answered[2], 42u); // replay
  EXPECT_EQ(bank.answered[3], 43u); // second fill
  EXPECT_EQ(bank.answered[4], 44u); // request
  EXPECT_EQ(bank.stats.dcacheMshrMerges, 1u);
}

TEST(CacheBank, AFullMshrRefusesReadsButNotWritesThrough) {
  CacheGeometry geometry = Bank::small();
  geometry.mshr = 2;
  Bank bank(geometry);
  bank.read(1, 1, 10);
  bank.read(2, 2, 11);
  bank.read(3, 3, 12); // no entry left
  bank.run(20);
  ASSERT_EQ(bank.memory.size(), 2u);
  bank.bank.fills.push(bank.memory[0].entry, 30);
  bank.run(31);
  EXPECT_EQ(bank.memory.size(), 2u);
  bank.run(33); // the fill frees its entry in cycle 30, the read enters in 31
  ASSERT_EQ(bank.memory.size(), 3u);
  EXPECT_EQ(bank.memory[2].at, 32u);
  EXPECT_EQ(bank.stats.dcacheMshrStalls, 31u - 12u);

  Bank writes(geometry);
  writes.read(1, 1, 10);
  writes.read(2, 2, 11);
  writes.write(3, 12);
  writes.run(20);
  ASSERT_EQ(writes.memory.size(), 3u);
  EXPECT_TRUE(writes.memory[2].isWrite);
  EXPECT_EQ(writes.memory[2].at, 13u);
}

TEST(CacheBank, AHitHoldsAnEntryOnlyWhileItIsInThePipeline) {
  CacheGeometry geometry = Bank::small();
  geometry.mshr = 1;
  Bank bank(geometry);
  bank.fill(7);
  bank.read(7, 1, 20);
  bank.read(7, 2, 20);
  bank.run(30);
  EXPECT_EQ(bank.answered[1], 21u);
  EXPECT_EQ(bank.answered[2], 23u); // enters once the first is through
}

TEST(CacheBank, TheWayOfAMissIsNotReserved) {
  Bank bank;
  for (uint64_t line : {1, 2, 3, 4})
    bank.fill(line);
  Cycle start = bank.now + 10;
  bank.read(5, 5, start);
  bank.run(start + 2);
  uint32_t first = bank.memory.back().entry;
  bank.read(6, 6, start + 2);
  bank.run(start + 10);
  uint32_t second = bank.memory.back().entry;
  bank.bank.fills.push(first, bank.now);
  bank.bank.fills.push(second, bank.now);
  bank.run(bank.now + 10);
  size_t misses = bank.stats.dcacheReadMisses;
  // Both took the same way: of six lines only four minus one old and one new are left.
  for (uint64_t line : {1, 2, 3, 4, 5, 6})
    bank.read(line, uint32_t(100 + line), bank.now);
  bank.run(bank.now + 20);
  EXPECT_EQ(bank.stats.dcacheReadMisses - misses, 2u);
  EXPECT_TRUE(bank.answered.count(106));
  EXPECT_FALSE(bank.answered.count(105));
}

TEST(CacheBank, WriteBackAllocatesAndWritesDirtyLines) {
  CacheGeometry geometry = Bank::small();
  geometry.writeBack = true;
  geometry.replacement = ReplacementName::Lru;
  Bank bank(geometry);
  for (uint64_t line : {1, 2, 3, 4})
    bank.fill(line);
  size_t before = bank.memory.size();
  bank.write(1, bank.now); // hit: only dirty
  bank.run(bank.now + 5);
  EXPECT_EQ(bank.memory.size(), before);
  for (uint64_t line : {5, 6, 7}) // in place of 2, 3, 4
    bank.fill(line);
  EXPECT_EQ(bank.stats.dcacheWriteBacks, 0u);
  bank.write(8, bank.now); // a miss, in place of 1
  bank.run(bank.now + 5);
  EXPECT_EQ(bank.stats.dcacheWriteBacks, 1u);
  ASSERT_EQ(bank.memory.size(), before + 5);
  EXPECT_TRUE(bank.memory[before + 3].isWrite);
  EXPECT_EQ(bank.memory[before + 3].line, 1u);
  EXPECT_FALSE(bank.memory[before + 4].isWrite);
  bank.bank.fills.push(bank.memory.back().entry, bank.now);
  bank.run(bank.now + 5);
  for (uint64_t line : {9, 10, 11, 12}) // line 8 was made dirty by the replayed write
    bank.fill(line);
  EXPECT_EQ(bank.stats.dcacheWriteBacks, 2u);
}

} // namespace
} // namespace vx::sim
