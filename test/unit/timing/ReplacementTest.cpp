// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each replacement policy on its own, and the ring that tells SimX's counters from LRU.

#include "simulator/timing/mem/Replacement.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

/// A cache of SETS x WAYS lines with instant fills.
class Sets {
public:
  Sets(ReplacementName name, uint32_t sets, uint32_t ways)
      : policy(ReplacementPolicy::create(name, sets, ways)), sets(sets), ways(ways),
        lines(size_t(sets) * ways, ~uint64_t(0)), valid(sets) {}

  /// Returns true if LINE was there; it is afterwards.
  bool access(uint64_t line) {
    uint32_t set = uint32_t(line % sets);
    uint64_t *way = &lines[size_t(set) * ways];
    int hit = -1;
    for (uint32_t i = 0; i != ways; ++i)
      if (way[i] == line)
        hit = int(i);
    uint32_t victim = policy->lookup(set, hit, valid[set]);
    if (hit >= 0)
      return true;
    for (uint32_t i = 0; i != ways; ++i)
      if (!(valid[set] >> i & 1))
        victim = i; // the highest
    valid[set] |= uint64_t(1) << victim;
    way[victim] = line;
    policy->fill(set, victim);
    return false;
  }

  std::unique_ptr<ReplacementPolicy> policy;

private:
  uint32_t sets, ways;
  std::vector<uint64_t> lines;
  std::vector<uint64_t> valid;
};

/// Hits of each of LAPS laps over a ring of LINES lines.
std::vector<unsigned> ringHits(ReplacementName name, unsigned lines, unsigned laps) {
  Sets cache(name, 64, 4);
  std::vector<unsigned> hits;
  for (unsigned lap = 0; lap != laps; ++lap) {
    hits.push_back(0);
    for (unsigned line = 0; line != lines; ++line)
      hits.back() += cache.access(line);
  }
  return hits;
}

TEST(Replacement, CountersKeepAPartOfARingThatIsTooLarge) {
  // 64 KiB over a cache of 16 KiB: 192 of 1024 lines hit from the second lap on.
  EXPECT_EQ(ringHits(ReplacementName::Counter, 1024, 4), (std::vector<unsigned>{0, 192, 192, 192}));
  EXPECT_EQ(ringHits(ReplacementName::Counter, 256, 3), (std::vector<unsigned>{0, 256, 256}));
}

TEST(Replacement, LruAndFifoKeepNothingOfIt) {
  EXPECT_EQ(ringHits(ReplacementName::Lru, 1024, 3), (std::vector<unsigned>{0, 0, 0}));
  EXPECT_EQ(ringHits(ReplacementName::Fifo, 1024, 3), (std::vector<unsigned>{0, 0, 0}));
  EXPECT_EQ(ringHits(ReplacementName::Lru, 256, 2), (std::vector<unsigned>{0, 256}));
}

TEST(Replacement, LruEvictsTheLineNotUsedForLongest) {
  Sets cache(ReplacementName::Lru, 1, 4);
  for (uint64_t line : {1, 2, 3, 4, 1, 2, 4})
    cache.access(line);
  EXPECT_FALSE(cache.access(5)); // in place of 3
  for (uint64_t line : {1, 2, 4, 5})
    EXPECT_TRUE(cache.access(line)) << line;
  EXPECT_FALSE(cache.access(3));
}

TEST(Replacement, FifoDoesNotCareForUse) {
  Sets cache(ReplacementName::Fifo, 1, 4);
  for (uint64_t line : {1, 2, 3, 4, 1, 1})
    cache.access(line);
  EXPECT_FALSE(cache.access(5)); // in place of 1
  for (uint64_t line : {2, 3, 4, 5})
    EXPECT_TRUE(cache.access(line)) << line;
  EXPECT_FALSE(cache.access(1)); // in place of 2
  EXPECT_FALSE(cache.access(2));
}

TEST(Replacement, PlruPointsAwayFromTheLastUse) {
  Sets cache(ReplacementName::Plru, 1, 4);
  for (uint64_t line : {1, 2, 3, 4}) // in ways 3, 2, 1, 0
    cache.access(line);
  // Way 0 was used last, so the victim is in the other half, where way 2 was used after way 3.
  EXPECT_FALSE(cache.access(5));
  for (uint64_t line : {2, 3, 4, 5})
    EXPECT_TRUE(cache.access(line)) << line;
}

TEST(Replacement, RandomIsRepeatable) {
  Sets cache(ReplacementName::Random, 1, 8);
  auto victims = [&] {
    std::vector<uint32_t> ways;
    cache.policy->reset();
    for (unsigned i = 0; i != 64; ++i)
      ways.push_back(cache.policy->lookup(0, -1, 0xff));
    return ways;
  };
  std::vector<uint32_t> first = victims();
  EXPECT_EQ(first, victims());
  for (uint32_t way = 0; way != 8; ++way)
    EXPECT_NE(std::count(first.begin(), first.end(), way), 0) << way;
}

/// Many hits told of at once are as many lookups, also for what the policy decides later.
TEST(Replacement, HitsAtOnceAreHitsOneByOne) {
  for (auto name : {ReplacementName::Counter, ReplacementName::Lru, ReplacementName::Fifo,
                    ReplacementName::Random, ReplacementName::Plru}) {
    auto atOnce = ReplacementPolicy::create(name, 2, 4),
         oneByOne = ReplacementPolicy::create(name, 2, 4);
    uint32_t state = 1;
    for (unsigned step = 0; step != 500; ++step) {
      state = state * 1664525 + 1013904223;
      uint32_t set = state >> 8 & 1, way = state >> 16 & 3, times = 1 + (state >> 24 & 7);
      uint64_t valid = step < 250 ? 0b1110 | uint64_t(1) << way : 0b1111;
      atOnce->hit(set, way, valid, times);
      for (uint32_t i = 0; i != times; ++i)
        oneByOne->lookup(set, int(way), valid);
      ASSERT_EQ(atOnce->lookup(set, -1, valid), oneByOne->lookup(set, -1, valid))
          << "policy " << unsigned(name) << ", step " << step;
      atOnce->fill(set, way);
      oneByOne->fill(set, way);
    }
  }
}

} // namespace
} // namespace vx::sim
